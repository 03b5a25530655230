//! Depth-first search, by one worker, over an exact store, hashes of states, or bits.
//!
//! The stack is the path, so nothing need be kept of a state but that it was seen. Three ways to keep that:
//! - *exact*: the root of the folded vector, as in breadth-first search. Nothing is omitted.
//! - *hash compaction* (Wolper and Leroy, CAV 1993): a hash of 64 bits. Two states with one hash are taken for one.
//! - *bitstate* (Holzmann, *On limits and possibilities of automated protocol analysis*, PSTV 1987): some bits of a large
//!   array, at places given by hashes. A state is taken for seen when all its bits are set.
//!
//! With the last two, states may be omitted: no row is then more than `bounded`, and the expected share of omitted states
//! is printed. For bits: when *n* states have set *k* bits each of *m*, a new state is taken for seen with probability
//! `(1 - (1 - 1/m)^(k n))^k`; the average over the search is at most that at its end, which is what is printed. For 64-bit
//! hashes it is at most *n* / 2^64. Both take the hashes for random.

use std::sync::Arc;

use raddle_ir::Program;
use raddle_machine::drive::Move;
use raddle_machine::{Machine, Settings, TooLarge};
use raddle_trace::{Budget, Observer};

use crate::expand::Successor;
use crate::meter::{Meter, Reading};
use crate::pairs::{Full, Pairs, mix};
use crate::path::{Gathered, Way};
use crate::search::{Config, Explored, Stop, Storage};
use crate::symmetry::Renaming;
use crate::unordered::CreatedInside;
use crate::worker::{Analyses, Refused, Store, SwitchBounds, Worker};

/// What is remembered of states.
enum Seen {
    Exact,
    Hashes(Box<Pairs>),
    Bits { words: Vec<u64>, hashes: u32 },
}

impl Seen {
    fn new(storage: Storage) -> Seen {
        match storage {
            Storage::Exact => Seen::Exact,
            Storage::Compact => Seen::Hashes(Box::new(Pairs::new(32, false))),
            Storage::Bitstate { megabytes, hashes } => {
                Seen::Bits { words: vec![0; (megabytes.max(1) << 20) as usize / 8], hashes }
            }
        }
    }

    /// True if the state is new.
    fn insert(&mut self, worker: &mut Worker, vector: &[u32]) -> Result<bool, Full> {
        match self {
            Seen::Exact => worker.insert(vector),
            Seen::Hashes(pairs) => Ok(pairs.insert(hash(vector, 0), 0)?.new),
            Seen::Bits { words, hashes } => {
                let mut new = false;
                for which in 0..*hashes {
                    let at = hash(vector, which as u64 + 1);
                    // The upper bits choose the word, the lowest six the bit in it.
                    let place = (at as u128 * words.len() as u128) >> 64;
                    let word = &mut words[place as usize];
                    new |= *word >> (at & 63) & 1 == 0;
                    *word |= 1 << (at & 63);
                }
                Ok(new)
            }
        }
    }

    fn bytes(&self, store: &Store) -> u64 {
        match self {
            Seen::Exact => store.tree.bytes(),
            Seen::Hashes(pairs) => pairs.bytes(),
            Seen::Bits { words, .. } => words.len() as u64 * 8,
        }
    }

    /// The probability that a state was taken for another, at the end of the search.
    fn omission(&self, states: u64) -> Option<f64> {
        match self {
            Seen::Exact => None,
            Seen::Hashes(_) => Some(states as f64 / 2f64.powi(64)),
            Seen::Bits { words, hashes } => {
                let (bits, k) = (words.len() as f64 * 64.0, *hashes as f64);
                Some((1.0 - (-(k * states as f64) / bits).exp()).powf(k))
            }
        }
    }
}

fn hash(vector: &[u32], seed: u64) -> u64 {
    let mut h = mix(seed ^ 0x5bf0_3635);
    for pair in vector.chunks(2) {
        let word = pair[0] as u64 | (pair.get(1).copied().unwrap_or(u32::MAX) as u64) << 32;
        h = mix(h.rotate_left(23) ^ word);
    }
    mix(h ^ vector.len() as u64)
}

/// A state on the path, and where to go from it.
struct Level {
    left: Vec<Successor>,
    /// The moves that led here, and who has another number since.
    moves: Vec<Move>,
    renaming: Renaming,
    bytes: u64,
}

impl Level {
    fn new(left: Vec<Successor>, moves: Vec<Move>, renaming: Renaming) -> Level {
        // Roughly: the vectors have about the same length.
        let vector = left.first().map_or(0, |s| s.vector.capacity() * 4);
        let each = size_of::<Successor>() + vector + 2 * size_of::<Move>();
        let bytes = size_of::<Level>() + left.capacity() * each + moves.capacity() * size_of::<Move>();
        Level { left, moves, renaming, bytes: bytes as u64 }
    }
}

/// `None`: addresses matter, and renaming was on.
pub fn search(
    program: &Arc<Program>,
    settings: &Settings,
    config: &Config,
    budget: &Budget,
    observer: &mut dyn Observer,
    rename: bool,
) -> Result<Option<Explored>, TooLarge> {
    let machine = Machine::new(program.clone(), settings.clone())?;
    let store = Store::new(false);
    let rules = config.rules(settings);
    let analyses = Analyses::new(program, &rules);
    let bounds = SwitchBounds::default();
    let mut worker = Worker::new(&store, &machine, &analyses, rules.clone(), bounds, rename);
    let mut seen = Seen::new(config.storage);
    let mut gathered = Gathered::new(config);
    let mut explored = Explored { superstep: rules.superstep, ..Explored::default() };
    let mut inside = CreatedInside::default();
    let (state, outcome) = machine.start(&mut inside);
    gathered.start(&machine, &state, outcome, inside);
    let Ok(first) = worker.expander.space.vector(&state) else { return Ok(None) };
    let mut path: Vec<Level> = Vec::new();
    let mut next = Some((first, Vec::new()));
    let mut deepest = 0;
    // Ways not yet taken, and what the path holds.
    let (mut waiting, mut path_bytes) = (0, 0);
    let mut meter = Meter::new(budget, observer);
    worker.limit_memory(budget.memory_limit_mb, 1);
    loop {
        if let Some((mut vector, moves)) = next.take() {
            let Ok(renaming) = worker.expander.space.bring_in_order(&mut vector) else { return Ok(None) };
            let new = match seen.insert(&mut worker, &vector) {
                Ok(new) if !worker.expander.space.composer.dictionary.full => new,
                _ => {
                    explored.stopped = Some(Stop::Full);
                    break;
                }
            };
            if new {
                explored.states += 1;
                let mut found = Vec::new();
                let mut left = Vec::new();
                if let Err(Refused::Exposed) = worker.expand(&vector, &mut left, &mut found) {
                    return Ok(None);
                }
                explored.transitions += left.len() as u64;
                left.reverse();
                let level = Level::new(left, moves, renaming);
                waiting += level.left.len() as u64;
                path_bytes += level.bytes;
                path.push(level);
                deepest = deepest.max(path.len() as u64);
                for one in found {
                    if let Some(property) = gathered.note(&one) {
                        let mut way = Way::default();
                        path.iter().for_each(|l| way.go(&l.moves, &l.renaming));
                        let state = worker.expander.space.state(&vector).clone();
                        explored.discoveries.push(way.violation(&machine, property, state, one));
                    }
                }
                if gathered.is_complete() {
                    explored.stopped = Some(Stop::AfterViolation);
                    break;
                }
                if !explored.discoveries.is_empty() {
                    gathered.first_at.get_or_insert(explored.states);
                }
                if gathered.first_at.is_some_and(|at| explored.states - at > config.after_violation) {
                    explored.stopped = Some(Stop::AfterViolation);
                    break;
                }
                worker.tell_memory();
                explored.stopped = meter.look(|| {
                    let stored = seen.bytes(&store) + store.components.bytes();
                    Reading {
                        states: explored.states,
                        depth: Some(path.len() as u64),
                        queue: Some(waiting),
                        stored,
                        held: stored + path_bytes + store.remembered(),
                        phase: None,
                    }
                });
                if explored.stopped.is_some() {
                    break;
                }
            }
        }
        let Some(level) = path.last_mut() else { break };
        match level.left.pop() {
            Some(successor) => {
                waiting -= 1;
                next = Some((successor.vector, successor.moves));
            }
            None => path_bytes -= path.pop().map_or(0, |level| level.bytes),
        }
    }
    explored.depth = deepest;
    explored.steps = worker.expander.space.steps;
    explored.behind_locks = worker.expander.patterns.as_ref().map_or(0, |p| p.used);
    explored.bytes = seen.bytes(&store) + store.components.bytes();
    explored.components = store.components.len();
    explored.pairs = store.tree.inner_pairs();
    explored.omission = seen.omission(explored.states);
    gathered.finish(&mut explored);
    Ok(Some(explored))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_depend_on_every_number_and_the_length() {
        let vectors: [&[u32]; 6] =
            [&[1, 2, 3], &[1, 2, 4], &[2, 1, 3], &[1, 2, 3, 0], &[1, 2], &[0, 1, 2, 3]];
        let all: std::collections::HashSet<u64> = vectors.iter().map(|v| hash(v, 1)).collect();
        assert_eq!(all.len(), vectors.len());
        assert_ne!(hash(&[1, 2], 1), hash(&[1, 2], 2));
    }

    #[test]
    fn omission_grows_with_the_filling() {
        let bits = Seen::new(Storage::Bitstate { megabytes: 1, hashes: 3 });
        let (few, many) = (bits.omission(1000).unwrap(), bits.omission(1_000_000).unwrap());
        assert!(few < 1e-6 && many > 0.01 && many < 1.0);
        assert_eq!(Seen::new(Storage::Exact).omission(10), None);
    }
}
