//! Certificates of unsatisfiability: what was given, what was derived from it and how, and which lemmas the ordering implied.
//!
//! Steps are those of LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp 2017): clauses with numbers, each derived one
//! with the clauses that make it a consequence by unit propagation. CaDiCaL's own proof files list a propagator's lemmas
//! among the original clauses; here each is a step of its own with the cycle that it excludes. With assumptions the last clause
//! consists of negated assumptions.
//!
//! A certificate is plain data. [`check`](Certificate::check) shares no code with the solver. It takes the original clauses and
//! the constraints as given: that they are what the caller meant is not part of it. With order literals
//! ([`crate::OrderingEncoding::TheoryWithOrderLiterals`]) their clauses and edges are among these; with the encoding as
//! clauses, all of it is.

pub(crate) mod check;
pub(crate) mod recorder;
mod text;

pub use check::Refused;

use crate::ordering::{Constraint, NodeId, WriteId};

/// Why no valuation satisfies the clauses and the ordering, under the assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub nodes: usize,
    /// By write, its node.
    pub writes: Vec<NodeId>,
    pub constraints: Vec<Constraint<i32>>,
    pub steps: Vec<Step>,
    pub assumptions: Vec<i32>,
    /// The number of a clause of negated assumptions; without assumptions, of the empty clause.
    pub conclusion: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A clause that was given.
    Original { id: i64, clause: Vec<i32> },
    /// A clause that the ordering implies: were all its literals false, the cycle would be there.
    Lemma { id: i64, clause: Vec<i32>, cycle: Vec<CycleEdge> },
    /// A clause that follows from others by unit propagation, in their order.
    Derived { id: i64, clause: Vec<i32>, antecedents: Vec<i64> },
    /// The clause is not used any more.
    Delete { id: i64 },
}

/// An edge of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CycleEdge {
    pub from: NodeId,
    pub to: NodeId,
    pub cause: EdgeCause,
}

/// Why an edge is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeCause {
    Fixed,
    /// The literal is true.
    Literal(i32),
    /// A read of the write, and a later write.
    FromRead {
        reads_from: i32,
        coherence: i32,
        write: WriteId,
    },
}

impl Certificate {
    /// Without the steps that the conclusion does not need, nor deletions.
    #[must_use]
    pub fn trimmed(mut self) -> Certificate {
        let mut needed = rustc_hash::FxHashSet::default();
        needed.insert(self.conclusion);
        let mut kept = Vec::new();
        for step in self.steps.into_iter().rev() {
            match &step {
                Step::Delete { .. } => continue,
                Step::Original { id, .. } | Step::Lemma { id, .. } if !needed.contains(id) => continue,
                Step::Derived { id, .. } if !needed.contains(id) => continue,
                Step::Derived { antecedents, .. } => needed.extend(antecedents.iter().copied()),
                Step::Original { .. } | Step::Lemma { .. } => {}
            }
            kept.push(step);
        }
        kept.reverse();
        self.steps = kept;
        self
    }
}
