//! Preemption bound: every class of executions that some schedule with at most *n* preemptions shows,
//! then those that need one more.
//!
//! Iterative context bounding (Musuvathi, Qadeer, *Iterative Context Bounding for Systematic Testing of Multithreaded
//! Programs*, PLDI 2007): most bugs need few preemptions, and a counterexample with the fewest is the easiest to read.
//! Cutting the reduced search of `dpor/explore.rs` at a bound would lose classes (Coons, Musuvathi, McKinley, *Bounded
//! Partial-Order Reduction*, OOPSLA 2013): the schedule that it picks for a class need not be the one with the fewest
//! preemptions. Here schedules are followed as they are, and merged when they are equivalent so far: what can follow,
//! and what it costs, depends only on the partial execution, the thread that ran last, and whether it has yielded.
//! Level by level, each such triple is reached with the fewest preemptions first.
//!
//! To find bugs, executions that lead to the same state may be merged as well ([`Merge::States`]): there are far fewer.
//!
//! Partial executions are distinguished by hashes of 128 bits, so this search finds bugs and proves nothing. It stores
//! schedules, not states: a schedule that waits for its level is executed again from the start.
//!
//! 1. No thread is preempted before an event that touches nothing: it can come before the preemption as well.
//! 2. Nor, if only synchronisation is a point ([`Points::Synchronisation`], as in CHESS), before a plain access. Let a
//!    thread be preempted before plain accesses and let it do them before it is preempted instead, up to its next
//!    synchronisation: as few preemptions, and it ends alike unless something that the others did meanwhile conflicts.
//!    The thread has not synchronised in between, so that conflict is a race, in both orders. Hence: if no schedule of
//!    this kind with at most *n* preemptions has a race, none of any kind has; and then those of this kind show all
//!    violations. A plain access after which an assertion or assumption fails, or the run ends, is a point. A thread
//!    that never synchronises again is never preempted, and the run is cut: then nothing follows.
//! 3. A thread that has made a round of an await loop (`await_loop.rs`) makes no other before another event writes
//!    what it read, so that programs with await loops terminate. Switching away from it is a preemption all the same,
//!    unless it yields in the round.
//! 4. States are compared up to the names of their objects, until the program observes an address: then the search
//!    begins anew, and names count.

pub mod search;

use raddle_machine::CodePoint;
use raddle_trace::StopReason;

use crate::search::explored::Found;

/// How far to go.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The last level.
    pub preemptions: u64,
    /// Events, after which it is left at the end of a level, or in the middle of one.
    pub max_events: u64,
    /// The search ends with the level on which the first violation was found, or soon after every property is violated.
    pub until_violation: bool,
    pub merge: Merge,
    pub points: Points,
}

/// Where threads may be preempted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points {
    /// Before every event that touches something.
    All,
    /// Not before plain accesses. Shows as much as [`Points::All`] about schedules with as few preemptions as long as
    /// none of them has a race: see point 2 above.
    Synchronisation,
}

/// Which partial executions are followed only once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merge {
    /// Those that are equivalent.
    Classes,
    /// Those that lead to the same state. Enough to find violations that a state or a step shows with the fewest
    /// preemptions; races are of executions, and may be missed.
    States,
}

/// The results within the bound.
#[derive(Clone, Debug, Default)]
pub struct Bounded {
    /// Each with the number of preemptions of its schedule, which is the least possible.
    pub found: Vec<(Found, u64)>,
    /// Complete and blocked classes whose cheapest schedules have so many preemptions.
    pub classes: Vec<u64>,
    /// Partial executions, up to each level.
    pub partial: Vec<u64>,
    /// Levels that were finished.
    pub levels: u64,
    /// Some class needs more preemptions.
    pub more: bool,
    pub events: u64,
    /// Executions that were given up at the limit of events, and where the last one was.
    pub cut: u64,
    pub cut_at: Option<CodePoint>,
    /// What else was not followed.
    pub unsupported: Option<(String, CodePoint)>,
    pub memory_fault: Option<CodePoint>,
    /// Invariants that have no value in some state, and why.
    pub troubles: Vec<(String, String)>,
    pub wide_choice: Option<(CodePoint, u64)>,
    pub stopped: Option<StopReason>,
    /// The program observes addresses.
    pub exposed: bool,
}

impl Bounded {
    /// Adds the results of another search, for other properties.
    pub fn add(&mut self, other: Bounded) {
        self.found.extend(other.found);
        self.classes.resize(self.classes.len().max(other.classes.len()), 0);
        for (mine, theirs) in self.classes.iter_mut().zip(&other.classes) {
            *mine = (*mine).max(*theirs);
        }
        self.levels = if self.events == 0 { other.levels } else { self.levels.min(other.levels) };
        self.more |= other.more;
        self.events += other.events;
        self.cut += other.cut;
        self.cut_at = self.cut_at.or(other.cut_at);
        self.unsupported = self.unsupported.take().or(other.unsupported);
        self.memory_fault = self.memory_fault.or(other.memory_fault);
        self.troubles.extend(other.troubles);
        self.wide_choice = self.wide_choice.or(other.wide_choice);
        self.stopped = self.stopped.or(other.stopped);
        self.exposed |= other.exposed;
    }
}
