//! Collects the steps of a certificate while CaDiCaL solves.
//!
//! A tracer beside the solver. The propagator announces each lemma just before it becomes an original clause, which is how
//! the two are told apart. A clause that is set aside by variable elimination may be restored under its number; it is kept
//! instead of being deleted, which is sound because every clause follows from the given ones: bounded variable addition,
//! the one technique that adds others, is off.

use super::{CycleEdge, EdgeCause, Step};
use crate::ordering::theory::Lemma;
use crate::ordering::topological_order::Cause;
use crate::ordering::{NodeId, WriteId};
use cadical_sys::ProofTracer;
use rustc_hash::FxHashSet;

#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) steps: Vec<Step>,
    /// The cycle of the lemma that will be reported next.
    announced: Option<Vec<CycleEdge>>,
    /// Clauses that may come back.
    weakened: FxHashSet<i64>,
    /// What the last answer was concluded from.
    pub(crate) conclusion: Option<i64>,
}

impl Recorder {
    pub(crate) fn bytes(&self) -> u64 {
        let of_steps: usize = self
            .steps
            .iter()
            .map(|step| match step {
                Step::Original { clause, .. } => clause.capacity() * 4,
                Step::Lemma { clause, cycle, .. } => {
                    clause.capacity() * 4 + cycle.capacity() * size_of::<CycleEdge>()
                }
                Step::Derived { clause, antecedents, .. } => {
                    clause.capacity() * 4 + antecedents.capacity() * 8
                }
                Step::Delete { .. } => 0,
            })
            .sum();
        (of_steps + self.steps.capacity() * size_of::<Step>()) as u64
    }

    pub(crate) fn announce_lemma(&mut self, lemma: &Lemma) {
        let cycle = lemma.cycle.iter().map(|edge| CycleEdge {
            from: NodeId(edge.from),
            to: NodeId(edge.to),
            cause: match edge.cause {
                Cause::Fixed => EdgeCause::Fixed,
                Cause::Literal(literal) => EdgeCause::Literal(literal),
                Cause::FromRead { reads_from, coherence, write } => {
                    EdgeCause::FromRead { reads_from, coherence, write: WriteId(write) }
                }
            },
        });
        self.announced = Some(cycle.rev().collect());
    }
}

impl ProofTracer for Recorder {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        let clause = clause.to_vec();
        if restored {
            // Not one that was set aside: the checker will refuse it.
            if !self.weakened.remove(&id) {
                self.steps.push(Step::Derived { id, clause, antecedents: Vec::new() });
            }
            return;
        }
        self.steps.push(match self.announced.take() {
            Some(cycle) => Step::Lemma { id, clause, cycle },
            None => Step::Original { id, clause },
        });
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        _witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        self.steps.push(Step::Derived { id, clause: clause.to_vec(), antecedents: antecedents.to_vec() });
    }

    fn delete_clause(&mut self, id: i64, _redundant: bool, _clause: &[i32]) {
        if !self.weakened.contains(&id) {
            self.steps.push(Step::Delete { id });
        }
    }

    fn weaken_minus(&mut self, id: i64, _clause: &[i32]) {
        self.weakened.insert(id);
    }

    fn strengthen(&mut self, _id: i64) {}

    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}

    fn add_assumption(&mut self, _literal: i32) {}

    fn add_constraint(&mut self, _clause: &[i32]) {}

    fn reset_assumptions(&mut self) {
        self.conclusion = None;
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.steps.push(Step::Derived { id, clause: clause.to_vec(), antecedents: antecedents.to_vec() });
    }

    fn conclude_sat(&mut self, _conclusion: i32, _model: &[i32]) {}

    fn conclude_unsat(&mut self, _conclusion: i32, clauses: &[i64]) {
        self.conclusion = clauses.last().copied();
    }

    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}
