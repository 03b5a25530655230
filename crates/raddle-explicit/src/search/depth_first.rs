//! Depth-first search, by one worker, over an exact store, hashes of states, or bits.
//!
//! The stack is the path, so nothing need be kept of a state but that it was visited (`store/seen_states.rs`).

use std::sync::Arc;

use raddle_ir::Program;
use raddle_machine::drive::Move;
use raddle_machine::{Machine, Settings, TooLarge};
use raddle_trace::{Budget, Observer, STEPS_OF_A_STATE};

use crate::reduction::symmetry::Renaming;
use crate::search::counterexample::{Gathered, Way};
use crate::search::meter::{Meter, Reading};
use crate::search::race_completeness::CreatedInside;
use crate::search::successors::Successor;
use crate::search::worker::{Analyses, Refused, Store, SwitchBounds, Worker};
use crate::search::{Config, Explored, Stop};
use crate::store::seen_states::Seen;

/// A state on the path, and its unexplored successors.
struct Level {
    left: Vec<Successor>,
    /// The moves that led here, and the threads that have other numbers since.
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
    let (mut deepest, mut spent) = (0, 0);
    // Successors not yet explored, and the bytes of the path.
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
                let steps = worker.expander.space.steps + explored.states * STEPS_OF_A_STATE;
                budget.spend(steps - spent);
                spent = steps;
                if !explored.discoveries.is_empty() {
                    budget.found();
                }
                if budget.is_enough() {
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
                        held: stored + path_bytes + store.cached_bytes(),
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
    explored.by_guards = worker.expander.by_guards;
    explored.behind_locks = worker.expander.patterns.as_ref().map_or(0, |p| p.used);
    explored.bytes = seen.bytes(&store) + store.components.bytes();
    explored.components = store.components.len();
    explored.pairs = store.tree.inner_pairs();
    explored.omission = seen.omission(explored.states);
    gathered.finish(&mut explored);
    Ok(Some(explored))
}
