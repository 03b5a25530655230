//! Propositional formulas, their satisfiability, one alternation of quantifiers, and terms of bit vectors, arrays and floats.
//!
//! [`Graph`] holds formulas as a graph of gates in which equal ones are one. [`Solver`] is a narrow door to CaDiCaL:
//! nothing of that library shows through, so that it can be replaced. [`for_all_exists`] decides formulas with one
//! alternation by a loop over two solvers, and [`project`] writes a formula without some of its variables. [`Ordering`] is
//! what orders the events of a concurrent program; a solver decides formulas together with it.
//!
//! [`Terms`] holds terms of SMT-LIB's bit vectors and arrays, rewritten where they are made, and makes floats of them.
//! [`Blaster`] translates them to formulas of a [`Graph`].
//!
//! Whatever may take long is given a [`Stop`], polls it often, and fails with [`Stopped`] when it says so: nothing is
//! known then.

mod blast;
mod certificate;
mod gates;
mod graph;
mod one_point;
mod ordering;
mod projection;
mod quantified;
mod solver;
mod table;
mod terms;
mod walk;

pub use blast::Blaster;
pub use certificate::{Certificate, CycleEdge, EdgeCause, Refused, Step};
pub use gates::Formula;
pub use graph::{Graph, Mark, VariableId};
pub use one_point::{Matched, match_equations};
pub use ordering::theory::TheoryStatistics;
pub use ordering::{Constraint, NodeId, Ordering, OrderingEncoding, WriteId};
pub use projection::project;
pub use quantified::{ForAllExists, for_all_exists};
pub use solver::{Solver, SolverOptions, SolverStatistics};
pub use table::MOST_VARIABLES as TABLE_VARIABLES;
pub use terms::{
    ArrayValue, Assignment, Bits, Evaluation, FloatFormat, MOST_BITS, Substitution, Term, Terms, View,
};

use std::fmt;
use std::rc::Rc;

/// Says when to give up. Called very often, from the thread that solves.
#[derive(Clone)]
pub struct Stop(Rc<dyn Fn() -> bool>);

impl Stop {
    /// When the closure returns true, what is being solved ends.
    pub fn when(stop: impl Fn() -> bool + 'static) -> Stop {
        Stop(Rc::new(stop))
    }

    pub fn never() -> Stop {
        Stop::when(|| false)
    }

    pub fn now(&self) -> bool {
        (self.0)()
    }
}

/// Nothing was found out: the [`Stop`] said so, or a limit of conflicts was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the solver was stopped before it had an answer")
    }
}

impl std::error::Error for Stopped {}
