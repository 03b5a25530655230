//! Several workers for properties of infinite runs: the others expand states before the walk reaches them.
//!
//! The search for a cycle stays one walk by one worker, so its answer is the same with any number of workers: the same
//! verdict, the same run. What costs most is not the walk but the expansions (`temporal/successors.rs`), and their
//! results do not depend on the worker. So every state that is stored for the first time is put into a queue. The
//! helpers take states from its front, the oldest first, while the walk goes deep among the newest; where the walk
//! reaches a state that was expanded, it takes the result. A state that the walk does not reach counts for nothing,
//! whatever its expansion found.
//!
//! A near counterexample costs nothing more: helpers begin when the walk has visited some thousand states.
//!
//! A helper that panics is gone, and is not waited for: the walk expands its state itself, and panics too if the
//! state is the cause.
//!
//! Rejected: to build the whole graph first, which a near counterexample does not need; and a parallel nested search
//! (Evangelista, Laarman, Petrucci, van de Pol, *Improved multi-core nested depth-first search*, ATVA 2012), whose
//! answer depends on the workers' speed, and for which fairness would multiply the nodes by the threads.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use raddle_machine::Machine;
use rustc_hash::FxHashMap;

use crate::temporal::successors::{Halt, Seen, SuccessorSettings, TemporalSuccessors};

/// States that a helper takes at once.
const CHUNK: usize = 16;
const SHARDS: usize = 64;

/// What is known of some states, by the last digit of their number.
#[derive(Default)]
struct Shard {
    /// Results of helpers, until the walk takes them; `None`: a helper is expanding the state.
    seen: FxHashMap<u32, Option<Result<Box<Seen>, Halt>>>,
    /// A bit a state: whether the walk has visited it.
    walked: Vec<u64>,
}

impl Shard {
    /// The bit of a state, and where it is.
    fn bit(number: u32) -> (usize, u64) {
        let place = number as usize / SHARDS;
        (place / 64, 1 << (place % 64))
    }

    fn is_walked(&self, number: u32) -> bool {
        let (at, bit) = Shard::bit(number);
        self.walked.get(at).is_some_and(|bits| bits & bit != 0)
    }

    fn walk(&mut self, number: u32) {
        let (at, bit) = Shard::bit(number);
        if self.walked.len() <= at {
            self.walked.resize(at + 1, 0);
        }
        self.walked[at] |= bit;
    }
}

/// What the walk and its helpers share.
pub struct LookAhead {
    shards: Vec<Mutex<Shard>>,
    waiting: Mutex<VecDeque<u32>>,
    more: Condvar,
    /// Helpers that wait for work.
    idle: AtomicUsize,
    /// States that the walk has visited, and when helpers begin.
    walked: AtomicU64,
    begin_after: u64,
    over: AtomicBool,
    /// Memory of results that are not yet taken.
    bytes: AtomicU64,
    steps: AtomicU64,
}

impl LookAhead {
    /// Helpers begin when the walk has visited more than this.
    pub fn new(begin_after: u64) -> LookAhead {
        LookAhead {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            waiting: Mutex::default(),
            more: Condvar::new(),
            idle: AtomicUsize::new(0),
            walked: AtomicU64::new(0),
            begin_after,
            over: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            steps: AtomicU64::new(0),
        }
    }

    fn shard(&self, number: u32) -> MutexGuard<'_, Shard> {
        self.shards[number as usize % SHARDS].lock().expect("no worker panics in here")
    }

    /// The walk reaches a state: the result of a helper, if there is one.
    pub fn take(&self, number: u32) -> Option<Result<Box<Seen>, Halt>> {
        if self.walked.fetch_add(1, Ordering::Relaxed) == self.begin_after {
            self.more.notify_all();
        }
        let mut shard = self.shard(number);
        shard.walk(number);
        let seen = shard.seen.remove(&number)??;
        if let Ok(seen) = &seen {
            self.bytes.fetch_sub(bytes_of(seen), Ordering::Relaxed);
        }
        Some(seen)
    }

    /// A helper begins with a state; false if the walk or another helper has been there.
    fn begin(&self, number: u32) -> bool {
        let mut shard = self.shard(number);
        if shard.is_walked(number) || shard.seen.contains_key(&number) {
            return false;
        }
        shard.seen.insert(number, None);
        true
    }

    /// Keeps the result of a helper, unless the walk was faster.
    fn keep(&self, number: u32, seen: Result<Box<Seen>, Halt>) {
        if let Some(place) = self.shard(number).seen.get_mut(&number) {
            if let Ok(seen) = &seen {
                self.bytes.fetch_add(bytes_of(seen), Ordering::Relaxed);
            }
            *place = Some(seen);
        }
    }

    /// States that were stored for the first time.
    pub fn add(&self, new: &[u32]) {
        if !new.is_empty() {
            self.waiting.lock().expect("no worker panics in here").extend(new);
            // Notifying costs a system call even if no helper waits.
            if self.has_begun() && self.idle.load(Ordering::Relaxed) > 0 {
                self.more.notify_one();
            }
        }
    }

    fn has_begun(&self) -> bool {
        self.walked.load(Ordering::Relaxed) > self.begin_after
    }

    /// The walk is over.
    pub fn finish(&self) {
        self.over.store(true, Ordering::Relaxed);
        self.more.notify_all();
    }

    /// Memory of results that are not yet taken, and of the queued states.
    pub fn bytes(&self) -> u64 {
        let waiting = self.waiting.lock().expect("no worker panics in here").capacity() * size_of::<u32>();
        self.bytes.load(Ordering::Relaxed) + waiting as u64
    }

    /// Steps of the machine that helpers took.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Waits for states; `None` when the walk is over.
    fn next(&self) -> Option<Vec<u32>> {
        let mut waiting = self.waiting.lock().expect("no worker panics in here");
        loop {
            if self.over.load(Ordering::Relaxed) {
                return None;
            }
            if self.has_begun() && !waiting.is_empty() {
                let count = waiting.len().min(CHUNK);
                return Some(waiting.drain(..count).collect());
            }
            // With a time limit: no helper waits for ever should a notification be missed.
            self.idle.fetch_add(1, Ordering::Relaxed);
            let woken = self.more.wait_timeout(waiting, Duration::from_millis(5));
            self.idle.fetch_sub(1, Ordering::Relaxed);
            waiting = woken.expect("no worker panics in here").0;
        }
    }

    /// A helper's work.
    pub fn help(&self, machine: impl FnOnce() -> Option<Machine>, settings: SuccessorSettings) {
        // The panic was printed when it occurred; the walk detects it by poisoned locks, if the helper held any.
        let _ = catch_unwind(AssertUnwindSafe(|| self.look_on(machine, settings)));
    }

    fn look_on(&self, machine: impl FnOnce() -> Option<Machine>, settings: SuccessorSettings) {
        let Some(mut states) = self.next() else { return };
        let Some(machine) = machine() else { return };
        let mut successors = TemporalSuccessors::new(&machine, settings);
        let mut new = Vec::new();
        loop {
            for number in states {
                if self.over.load(Ordering::Relaxed) {
                    break;
                }
                if !self.begin(number) {
                    continue;
                }
                sabotage();
                let seen = successors.expand(number).map(Box::new);
                let full = matches!(seen, Err(Halt::Stop(_)));
                if let Ok(seen) = &seen {
                    new.extend_from_slice(&seen.new);
                }
                self.keep(number, seen);
                if full {
                    return;
                }
            }
            self.add(&new);
            new.clear();
            self.steps.fetch_add(std::mem::take(&mut successors.space.steps), Ordering::Relaxed);
            match self.next() {
                Some(more) => states = more,
                None => return,
            }
        }
    }
}

/// Roughly the memory of one result.
fn bytes_of(seen: &Seen) -> u64 {
    (size_of::<Seen>() + seen.edges.len() * 12 + seen.obliged.len() * 4 + seen.new.len() * 4 + 64) as u64
}

/// Where the tests make a helper panic.
#[cfg(test)]
use tests::sabotage;
#[cfg(not(test))]
fn sabotage() {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::{TemporalConfig, TemporalQuery, search_runs};
    use raddle_machine::Settings;
    use raddle_trace::{Budget, Silent};
    use std::sync::Arc;

    /// Helpers that panic at their next expansion.
    static SABOTAGED: AtomicUsize = AtomicUsize::new(0);

    pub fn sabotage() {
        let one_less = |left: usize| left.checked_sub(1);
        if SABOTAGED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok() {
            panic!("sabotage of a helper");
        }
    }

    /// It chooses and counts for ever, so the walk visits all its states.
    const PROGRAM: &str = "
global x: i32
global y: i32
function main() {
bb0:
    jump bb1
bb1:
    r1: i32 = kernel.choose 31:i64
    store.i32 [&x] = r1
    store.i32 [&y] = r1
    r2: i32 = kernel.choose 31:i64
    store.i32 [&x] = r2
    kernel.progress
    jump bb1
}";

    /// Whichever helper panics, the walk has the same result.
    #[test]
    fn a_panic_of_a_helper_holds_nobody_up() {
        let mut program = raddle_ir::text::parse(PROGRAM).expect("well-formed");
        raddle_analysis::mark_visible(&mut program);
        let program = Arc::new(program);
        let search = |workers| {
            let question = TemporalQuery::Endless { progress: true };
            let (choices, sample) = (100, None);
            let runs = TemporalConfig {
                question,
                fairness: true,
                superstep: 1,
                ample: false,
                choices,
                sample,
                help_after: 0,
            };
            let budget = Budget { workers, memory_limit_mb: Some(1000), ..Budget::default() };
            let found = search_runs(&program, &Settings::default(), &runs, &budget, &mut Silent);
            let found = found.expect("small");
            (found.states, found.transitions, found.nodes, found.lasso, found.stopped)
        };
        let alone = search(1);
        assert!(alone.0 > 1000 && alone.3.is_none() && alone.4.is_none(), "{alone:?}");
        let mut panicked = 0;
        for panics in [1, 2, 3] {
            SABOTAGED.store(panics, Ordering::Relaxed);
            assert_eq!(search(4), alone);
            panicked += panics - SABOTAGED.swap(0, Ordering::Relaxed);
        }
        assert!(panicked > 0);
    }
}
