//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): random priorities, and
//! at `depth - 1` random points the running thread falls below all others. A bug of depth d among n threads and k
//! steps is found with probability at least 1/(n k^(d-1)) a run.
//!
//! Ours differs: a thread that yields, or that ran for [`PATIENCE`] steps while others could, falls behind too, so
//! that spinning threads cannot starve the one they wait for (then the bound no longer holds, nor could it).

use raddle_machine::drive::Strategy;
use raddle_machine::{ChoiceRequest, Readiness, State, ThreadIndex};

use crate::Generator;
use crate::random::candidates;

/// Steps of one thread in a row before it must let others go.
const PATIENCE: u32 = 400;

pub struct Pct {
    generator: Generator,
    /// Larger runs first; by thread index.
    priorities: Vec<u64>,
    /// Steps at which the running thread falls behind, ascending.
    changes: Vec<u64>,
    step: u64,
    floor: u64,
    in_a_row: u32,
    last: Option<ThreadIndex>,
    enabled: Vec<ThreadIndex>,
}

impl Pct {
    /// `length` is how many steps a run is expected to take.
    pub fn new(mut generator: Generator, depth: u32, length: u64) -> Self {
        let mut changes: Vec<u64> = (1..depth).map(|_| generator.below(length.max(1))).collect();
        changes.sort_unstable();
        Pct {
            generator,
            priorities: Vec::new(),
            changes,
            step: 0,
            floor: 1 << 32,
            in_a_row: 0,
            last: None,
            enabled: Vec::new(),
        }
    }

    fn demote(&mut self, thread: ThreadIndex) {
        self.floor -= 1;
        self.priorities[thread.index()] = self.floor;
    }
}

impl Strategy for Pct {
    fn pick(&mut self, state: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        while self.priorities.len() < state.thread_count() {
            let priority = (1 << 33) + self.generator.below(1 << 30);
            self.priorities.push(priority);
        }
        if let Some(last) = self.last
            && state.thread(last).yielded
        {
            self.demote(last);
        }
        let escapes = self.generator.one_in(10);
        candidates(readiness, escapes, &mut self.enabled);
        let mut best = *self.enabled.iter().max_by_key(|t| self.priorities[t.index()])?;
        while self.changes.first().is_some_and(|c| *c <= self.step) {
            self.changes.remove(0);
            self.demote(best);
            best = *self.enabled.iter().max_by_key(|t| self.priorities[t.index()])?;
        }
        self.in_a_row = if self.last == Some(best) { self.in_a_row + 1 } else { 0 };
        if self.in_a_row > PATIENCE && self.enabled.len() > 1 {
            self.demote(best);
            self.in_a_row = 0;
            best = *self.enabled.iter().max_by_key(|t| self.priorities[t.index()])?;
        }
        self.step += 1;
        self.last = Some(best);
        Some(best)
    }

    fn choose(&mut self, _: &State, _: ThreadIndex, request: ChoiceRequest) -> u64 {
        self.generator.choice(request)
    }
}
