//! Shorter counterexamples: fewer context switches first, then fewer steps.
//!
//! A schedule is cut into blocks of one thread. Three changes are tried over and over, each replayed on the machine and
//! kept only if the same violation comes: a block is dropped; a block is moved to join the next block of its thread (it
//! runs later); the next block of its thread is moved up to join it (it runs earlier). Choices travel with their
//! thread: the n-th choice of a thread keeps its answer. Bounded by a number of replays, by the steps that they take
//! together and by a deadline; the result is a local minimum at best, not the shortest of all (the engines that search by
//! switches find that).

use raddle_machine::drive::{Ended, Limits, Move, Strategy, drive};
use raddle_machine::{ChoiceRequest, Machine, RaceMonitor, Readiness, State, ThreadIndex};

use raddle_machine::Signature;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How much work may go into it.
#[derive(Clone, Debug)]
pub struct Effort {
    pub replays: u32,
    /// Steps of all replays together.
    pub moves: u64,
    /// The schedule stays as it is from then on.
    pub deadline: Option<Instant>,
    /// So when this is set.
    pub cancel: Arc<AtomicBool>,
}

impl Effort {
    fn is_spent(&self) -> bool {
        self.replays == 0
            || self.moves == 0
            || self.cancel.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Default for Effort {
    fn default() -> Self {
        Effort { replays: 3000, moves: 500_000, deadline: None, cancel: Arc::default() }
    }
}

/// A stretch of steps of one thread.
#[derive(Clone, PartialEq, Debug)]
struct Block {
    thread: u32,
    steps: usize,
}

/// Follows blocks; a thread that cannot step where it should stops the run. The last block runs on until the
/// violation comes or the thread cannot go on.
struct FollowBlocks<'a> {
    blocks: &'a [Block],
    block: usize,
    done: usize,
    choices: HashMap<u32, std::collections::VecDeque<u64>>,
    failed: bool,
}

impl Strategy for FollowBlocks<'_> {
    fn pick(&mut self, state: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        while self.blocks.get(self.block).is_some_and(|b| self.done >= b.steps) {
            self.block += 1;
            self.done = 0;
        }
        let block = self.blocks.get(self.block)?;
        let thread = state.thread_numbered(block.thread);
        match thread.filter(|t| readiness[t.index()].can_step()) {
            Some(thread) => {
                self.done += 1;
                Some(thread)
            }
            None => {
                self.failed = true;
                None
            }
        }
    }

    fn choose(&mut self, state: &State, thread: ThreadIndex, _: ChoiceRequest) -> u64 {
        let number = state.thread(thread).number;
        self.choices.get_mut(&number).and_then(|q| q.pop_front()).unwrap_or(0)
    }
}

fn blocks_of(moves: &[Move]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for m in moves {
        match blocks.last_mut() {
            Some(last) if last.thread == m.thread => last.steps += 1,
            _ => blocks.push(Block { thread: m.thread, steps: 1 }),
        }
    }
    blocks
}

struct Minimiser<'a> {
    machine: &'a Machine,
    wanted: &'a Signature,
    choices: HashMap<u32, std::collections::VecDeque<u64>>,
    effort: Effort,
}

impl Minimiser<'_> {
    /// The schedule up to the violation, if the blocks lead to it.
    fn attempt(&mut self, blocks: &[Block]) -> Option<Vec<Move>> {
        if self.effort.is_spent() {
            return None;
        }
        self.effort.replays -= 1;
        let mut strategy =
            FollowBlocks { blocks, block: 0, done: 0, choices: self.choices.clone(), failed: false };
        let race = matches!(self.wanted, Signature::Race { .. });
        let mut monitor = RaceMonitor::new();
        let limits = Limits {
            max_moves: self.effort.moves.min(1_000_000),
            deadlocks: matches!(self.wanted, Signature::Deadlock { .. }),
            leaks: self.wanted.property() == raddle_trace::Property::Leak,
            deadline: self.effort.deadline,
            cancel: self.effort.cancel.clone(),
            memory_is_full: Arc::default(),
        };
        let execution = drive(self.machine, &mut strategy, race.then_some(&mut monitor), &mut (), &limits);
        self.effort.moves = self.effort.moves.saturating_sub(execution.schedule.len() as u64 + 1);
        if matches!(execution.ended, Ended::StepLimit | Ended::Cancelled) {
            return None;
        }
        let found =
            execution.violations.iter().find(|v| Signature::of(self.machine, &v.kind) == *self.wanted)?;
        Some(execution.schedule[..found.moves].to_vec())
    }
}

fn cost(moves: &[Move]) -> (usize, usize) {
    (blocks_of(moves).len(), moves.len())
}

/// A schedule that leads to the same violation, with fewer switches where that is possible.
pub fn minimise(machine: &Machine, moves: &[Move], wanted: &Signature, effort: Effort) -> Vec<Move> {
    let mut choices: HashMap<u32, std::collections::VecDeque<u64>> = HashMap::new();
    for m in moves {
        if let Some(choice) = m.choice {
            choices.entry(m.thread).or_default().push_back(choice);
        }
    }
    let mut minimiser = Minimiser { machine, wanted, choices, effort };
    let mut best = moves.to_vec();
    // First of all: is the schedule, cut into blocks, still good?
    match minimiser.attempt(&blocks_of(&best)) {
        Some(same) => best = same,
        None => return best,
    }
    loop {
        let mut improved = false;
        let mut i = 0;
        while !minimiser.effort.is_spent() {
            let blocks = blocks_of(&best);
            if i >= blocks.len() {
                break;
            }
            let mut candidates: Vec<Vec<Block>> = Vec::new();
            // Dropped.
            let mut dropped = blocks.clone();
            dropped.remove(i);
            candidates.push(dropped);
            let next = blocks[i + 1..].iter().position(|b| b.thread == blocks[i].thread).map(|n| i + 1 + n);
            if let Some(next) = next {
                // Later.
                let mut later = blocks.clone();
                later[next].steps += blocks[i].steps;
                later.remove(i);
                candidates.push(later);
                // Earlier.
                let mut earlier = blocks.clone();
                earlier[i].steps += blocks[next].steps;
                earlier.remove(next);
                candidates.push(earlier);
            }
            // One step fewer at its end: the step moves to the thread's next block, or is not needed.
            if blocks[i].steps > 1 {
                let mut shorter = blocks.clone();
                shorter[i].steps -= 1;
                candidates.push(shorter);
            }
            let mut hit = false;
            for candidate in candidates {
                if let Some(found) = minimiser.attempt(&candidate)
                    && cost(&found) < cost(&best)
                {
                    best = found;
                    improved = true;
                    hit = true;
                    break;
                }
            }
            if !hit {
                i += 1;
            }
        }
        if !improved || minimiser.effort.is_spent() {
            return best;
        }
    }
}
