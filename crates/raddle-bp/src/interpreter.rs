//! What a Boolean program means, by brute force: the oracle of every engine and the judge of every counterexample.
//!
//! Basler, *Model checking Boolean programs* (2010), §3.1 and §5.2, decides; what it leaves open:
//!
//! 1. All variables start as `*`: the shared ones once, the local ones whenever their procedure is entered.
//! 2. A step is one node of the flow, by one thread, with one value for each `*` in it. Arguments are evaluated when
//!    the call is made; results are evaluated and assigned in the step that returns.
//! 3. While a thread is inside an atomic section, only it takes steps (strong atomicity). Sections do not nest. The end
//!    of the thread ends its section. A thread that cannot go on inside one stops all.
//! 4. At `max_threads` running threads, starting one more is a skip ([`AtMost::Skip`]), and the exploration says that
//!    it happened. With [`AtMost::Wait`] the thread waits instead: then every run is one of the program without a
//!    bound.
//! 5. A failed assertion ends the run. The error label is reached when control is at its node, before its step.
//! 6. A thread ends with `end_thread` or when its first procedure returns; it then counts no more as running.
//!
//! Written to be obviously right, not to be fast: states are vectors of Booleans, and every value of every choice is
//! tried. Nothing here is used by the engines, except that their counterexamples are replayed.

mod explore;
mod replay;
mod skip_reinsertion;
mod state;
mod step;

pub use explore::{Counterexample, Exploration, TooLarge, Violation, explore};
pub use replay::{ReplayError, Replayed, replay};
pub use skip_reinsertion::lengthen;
pub use state::{Frame, State, Thread, ThreadState};
pub use step::{Outcome, Step, choice_bits, enabled_threads, take};

/// Under which bounds a program is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// How many threads start in `main`; at least one, at most `max_threads`.
    pub initial_threads: usize,
    /// How many threads may run at once.
    pub max_threads: usize,
    /// What starting one more does.
    pub at_most: AtMost,
    /// How many procedures may be active on one stack, the first of the thread included.
    pub max_stack: usize,
    /// Reaching it is an error.
    pub error_label: Option<String>,
}

/// What starting a thread does when there are as many as there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtMost {
    /// Nothing, and control goes on (the thesis, §7.2.1).
    Skip,
    /// It is not done, and control does not go on.
    Wait,
}

impl Setting {
    /// One thread, no second one, and a stack of so many frames.
    pub fn sequential(max_stack: usize) -> Setting {
        Setting {
            initial_threads: 1,
            max_threads: 1,
            at_most: AtMost::Skip,
            max_stack,
            error_label: Some("SLIC_ERROR".to_owned()),
        }
    }
}
