//! What an engine over Boolean programs answers.

use raddle_bdd::OutOfNodes;
use raddle_bp::interpreter::Counterexample;
use raddle_trace::{Budget, StopReason};
use std::fmt;

/// What was found out about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// No run ends in an error. If anything was cut, only none of those that were explored.
    Safe { cut: Vec<Cut> },
    /// A run that ends in an error.
    Violated(Box<Counterexample>),
    /// Nothing was found out.
    Unknown(Reason),
}

/// What was not explored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cut {
    /// A thread was not started: there were as many as there may be.
    Threads,
    /// A call was not made: the stack was as high as it may be.
    Stack,
    /// Threads took no more turns than they may.
    Rounds,
}

/// Why nothing was found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The budget was used up.
    Stopped(StopReason),
    /// The decision diagrams did not fit.
    OutOfNodes,
    /// There are more than so many states.
    TooManyStates(usize),
    /// The sets of states that steps were taken from have more than so many nodes in all.
    TooMuchWork(usize),
    /// The formulas have more than so many gates.
    FormulasTooLarge(usize),
    /// There is an error, but every run to it that was found has more than so many steps.
    LongCounterexample(usize),
    /// The engine is not made for such programs.
    Unsupported(&'static str),
}

/// Fails where it is time to stop.
pub(crate) fn look(budget: &Budget) -> Result<(), Reason> {
    match budget.stop_reason() {
        Some(reason) => Err(Reason::Stopped(reason)),
        None => Ok(()),
    }
}

impl From<OutOfNodes> for Reason {
    fn from(_: OutOfNodes) -> Reason {
        Reason::OutOfNodes
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(reason) => write!(f, "{}", reason.sentence()),
            Reason::OutOfNodes => write!(f, "{OutOfNodes}; try a larger --memory-limit"),
            Reason::TooManyStates(states) => write!(f, "state limit exceeded ({states} states)"),
            Reason::TooMuchWork(nodes) => {
                write!(f, "BDD work limit of {nodes} nodes exceeded")
            }
            Reason::FormulasTooLarge(gates) => write!(f, "the formulas have more than {gates} gates"),
            Reason::LongCounterexample(steps) => {
                write!(f, "a counterexample exists but exceeds {steps} steps")
            }
            Reason::Unsupported(what) => write!(f, "{what}"),
        }
    }
}
