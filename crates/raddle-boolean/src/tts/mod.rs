//! Coverability of thread transition systems with arbitrarily many threads: may a given state be reached, with whatever
//! other threads beside it?
//!
//! | file | technique |
//! |---|---|
//! | [`thread_states`] | thread states that may be reachable, by an analysis of one thread at a time |
//! | [`skips`] | local states that may be left out |
//! | [`state_equation`] | weights that no step increases, and traps, as a proof |
//! | [`backward`](mod@backward) | least elements of what leads to the target; decides every system |
//! | [`karp_miller`](mod@karp_miller) | the tree with ω; not with passive moves |
//! | [`cut_off`](mod@cut_off) | more and more threads until nothing new can come |
//! | [`bounded`](mod@bounded) | a bounded number of threads |
//!
//! Every run that is reported was executed again by the reference interpreter ([`raddle_bp::tts::replay`]).
//! `Uncoverable` holds for every number of threads; a search that was cut in any way says `Stopped`.

pub mod ancestry;
pub mod antichain;
pub mod backward;
pub mod bounded;
pub mod cut_off;
pub mod karp_miller;
pub mod net;
pub mod rational;
pub mod simplex;
pub mod skips;
pub mod state_equation;
pub mod thread_states;
pub mod vector;

mod decide;

pub use antichain::Pruning;
pub use decide::{Answer, Method, Question, decide};

use raddle_bp::tts::Run;
use raddle_trace::{Budget, StopReason};

/// How far a search may go.
#[derive(Clone, Debug)]
pub struct Limits {
    pub budget: Budget,
    /// Elements, vectors or states.
    pub elements: u64,
}

impl Limits {
    /// Whether to stop now. Reads the clock.
    pub fn stop(&self, elements: usize) -> Option<Stop> {
        if elements as u64 > self.elements {
            return Some(Stop::Elements);
        }
        self.budget.stop_reason().map(Stop::Budget)
    }

    /// Nothing but the budget.
    pub fn of(budget: &Budget) -> Limits {
        Limits { budget: budget.clone(), elements: u64::from(u32::MAX) }
    }
}

/// The answer of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The target is covered, by this run.
    Covered(Run),
    /// It is not covered with any number of threads (of a search with a bounded number: not with so many).
    Uncoverable,
    /// The search ended without an answer.
    Stopped(Stop),
    /// The technique is not sound for this system, or has no answer to this question.
    NotApplicable(String),
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Budget(StopReason),
    /// More elements than allowed.
    Elements,
    /// More threads than can be counted.
    Counters,
    /// Passive threads of one step have more ways to move than can be listed.
    Ways,
    /// The number of threads that was allowed is not enough for a cut-off.
    Threads,
    /// The run is too long to be shown.
    LongRun,
    /// The technique does not decide it.
    Undecided,
    /// A run was found that does not replay: an internal error.
    Trace,
}

impl Stop {
    /// For a row of the report.
    pub fn sentence(self) -> &'static str {
        match self {
            Stop::Budget(reason) => reason.sentence(),
            Stop::Elements => "state limit exceeded",
            Stop::Counters => "thread counter overflow",
            Stop::Ways => "too many passive moves in one step",
            Stop::Threads => "no cut-off was found within the thread bound",
            Stop::LongRun => "the target is covered, but its run is too long to be shown",
            Stop::Undecided => "this method does not decide it; try --method auto",
            Stop::Trace => "a run was found that does not replay",
        }
    }
}
