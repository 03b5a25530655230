//! Unsatisfiable cores: which assumptions an answer of no needed.
//!
//! Minimised by leaving out one assumption after another (deletion-based, Chinneck and Dravnieks 1991); an answer of no to the
//! rest replaces the core by the one of that answer.

use super::Solver;
use crate::gates::Formula;
use crate::graph::Graph;

impl Solver {
    /// Whether the last question, which had the answer no, needed this assumption.
    pub fn failed(&mut self, graph: &Graph, assumption: Formula) -> bool {
        debug_assert!(assumption.gate() < graph.len(), "a formula of the graph");
        match self.certificate_literal(assumption) {
            Some(literal) => self.cadical.failed(literal),
            None => false,
        }
    }

    /// The assumptions that the last question, which had the answer no, needed, in their order.
    pub fn core(&mut self) -> Vec<Formula> {
        let mut core: Vec<Formula> = Vec::new();
        for (formula, literal) in &self.assumed {
            if self.cadical.failed(*literal) && !core.contains(formula) {
                core.push(*formula);
            }
        }
        core
    }

    /// A subset of a core that is one too, after at most about so many conflicts. It is minimal if they sufficed and
    /// the solver was not stopped.
    pub fn minimise_core(&mut self, graph: &Graph, core: &[Formula], conflicts: u32) -> Vec<Formula> {
        let first = self.statistics().conflicts;
        let mut core = core.to_vec();
        let mut next = 0;
        while next < core.len() {
            let spent = self.statistics().conflicts - first;
            let left = u64::from(conflicts).saturating_sub(spent);
            if left == 0 {
                break;
            }
            let mut rest = core.clone();
            rest.remove(next);
            match self.solve_within(graph, &rest, Some(i32::try_from(left).unwrap_or(i32::MAX))) {
                // Formulas before the next one are needed by every subset that is left.
                Ok(false) => core = self.core(),
                _ => next += 1,
            }
        }
        core
    }
}
