//! Satisfiability, by CaDiCaL (Biere et al.).
//!
//! Gates become clauses when a formula that needs them is first asserted or assumed (Tseitin 1968), each once: both
//! directions, because later questions may use a gate either way. A solver keeps what it has learnt between questions.
//!
//! It belongs to the thread that made it.

use crate::gates::{Formula, Gate};
use crate::graph::{Graph, VariableId};
use crate::{Stop, Stopped};
use cadical_sys::{CaDiCal, Status, Terminator};
use rustc_hash::FxHashMap;

/// The library calls back after every conflict and more often; clocks are slower than that.
const CALLS_BETWEEN_LOOKS: u32 = 64;

/// A set of formulas, and questions about them. All must come from one graph.
pub struct Solver {
    cadical: CaDiCal,
    /// By gate, its literal there.
    literals: FxHashMap<usize, i32>,
    next: i32,
    stop: Stop,
}

struct Looks {
    stop: Stop,
    calls: u32,
}

impl Terminator for Looks {
    fn terminated(&mut self) -> bool {
        self.calls = self.calls.wrapping_add(1);
        self.calls.is_multiple_of(CALLS_BETWEEN_LOOKS) && self.stop.now()
    }
}

impl Solver {
    pub fn new(stop: &Stop) -> Solver {
        let mut cadical = CaDiCal::new();
        cadical.connect_terminator(Looks { stop: stop.clone(), calls: 0 });
        Solver { cadical, literals: FxHashMap::default(), next: 1, stop: stop.clone() }
    }

    /// From now on only valuations in which the formula holds.
    pub fn assert(&mut self, graph: &Graph, formula: Formula) {
        let literal = self.literal(graph, formula);
        self.cadical.clause1(literal);
    }

    /// Whether all that was asserted can hold together with the assumptions.
    ///
    /// # Errors
    ///
    /// If it was stopped.
    pub fn solve(&mut self, graph: &Graph, assumptions: &[Formula]) -> Result<bool, Stopped> {
        self.solve_within(graph, assumptions, None)
    }

    /// The same, giving up after so many conflicts.
    ///
    /// # Errors
    ///
    /// If it was stopped or has given up.
    pub fn solve_within(
        &mut self,
        graph: &Graph,
        assumptions: &[Formula],
        conflicts: Option<i32>,
    ) -> Result<bool, Stopped> {
        if self.stop.now() {
            return Err(Stopped);
        }
        let literals: Vec<i32> = assumptions.iter().map(|formula| self.literal(graph, *formula)).collect();
        for literal in literals {
            self.cadical.assume(literal);
        }
        if let Some(conflicts) = conflicts {
            self.cadical.limit("conflicts", conflicts);
        }
        match self.cadical.solve() {
            Status::SATISFIABLE => Ok(true),
            Status::UNSATISFIABLE => Ok(false),
            Status::UNKNOWN => Err(Stopped),
        }
    }

    /// The value of a variable in the valuation that the last question found; one that nothing depends on is false.
    pub fn value(&mut self, graph: &Graph, variable: VariableId) -> bool {
        match self.literals.get(&graph.value(variable).gate()) {
            Some(literal) => self.cadical.val(*literal) > 0,
            None => false,
        }
    }

    /// The values of formulas in the valuation that the last question found.
    pub fn values(&mut self, graph: &Graph, formulas: &[Formula]) -> Vec<bool> {
        let model = self.model(graph, formulas);
        graph.evaluate(formulas, |variable| model[&variable])
    }

    /// The values of all variables of formulas in the valuation that the last question found.
    pub fn model(&mut self, graph: &Graph, formulas: &[Formula]) -> FxHashMap<VariableId, bool> {
        let support = graph.support(formulas.iter().copied());
        support.into_iter().map(|variable| (variable, self.value(graph, variable))).collect()
    }

    /// Whether the last question, which had the answer no, needed this assumption.
    pub fn failed(&mut self, graph: &Graph, assumption: Formula) -> bool {
        let literal = self.literal(graph, assumption);
        self.cadical.failed(literal)
    }

    /// The literal of a formula, whose gates become clauses.
    fn literal(&mut self, graph: &Graph, formula: Formula) -> i32 {
        let read = |literals: &FxHashMap<usize, i32>, f: Formula| {
            if f.is_negated() { -literals[&f.gate()] } else { literals[&f.gate()] }
        };
        let mut stack = vec![formula.gate()];
        while let Some(index) = stack.last().copied() {
            if self.literals.contains_key(&index) {
                stack.pop();
                continue;
            }
            let gate = graph.gate(index);
            let before = stack.len();
            stack.extend(
                gate.operands().map(Formula::gate).filter(|below| !self.literals.contains_key(below)),
            );
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let this = self.next;
            self.next += 1;
            match gate {
                Gate::True => self.cadical.clause1(this),
                Gate::Variable(_) => {}
                Gate::And(a, b) => {
                    let (a, b) = (read(&self.literals, a), read(&self.literals, b));
                    self.cadical.clause2(-this, a);
                    self.cadical.clause2(-this, b);
                    self.cadical.clause3(this, -a, -b);
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (read(&self.literals, a), read(&self.literals, b));
                    self.cadical.clause3(-this, a, b);
                    self.cadical.clause3(-this, -a, -b);
                    self.cadical.clause3(this, -a, b);
                    self.cadical.clause3(this, a, -b);
                }
                Gate::If(c, a, b) => {
                    let (c, a, b) =
                        (read(&self.literals, c), read(&self.literals, a), read(&self.literals, b));
                    self.cadical.clause3(-this, -c, a);
                    self.cadical.clause3(-this, c, b);
                    self.cadical.clause3(this, -c, -a);
                    self.cadical.clause3(this, c, -b);
                }
            }
            self.literals.insert(index, this);
        }
        read(&self.literals, formula)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_last_for_one_question() {
        let mut graph = Graph::new();
        let (a, b) = (graph.fresh(), graph.fresh());
        let either = graph.or(a, b);
        let mut solver = Solver::new(&Stop::never());
        solver.assert(&graph, either);
        assert_eq!(solver.solve(&graph, &[!a, !b]), Ok(false));
        assert!(solver.failed(&graph, !a) && solver.failed(&graph, !b));
        assert_eq!(solver.solve(&graph, &[!a]), Ok(true));
        assert_eq!(solver.values(&graph, &[a, b, either]), [false, true, true]);
        solver.assert(&graph, !b);
        assert_eq!(solver.solve(&graph, &[!a]), Ok(false));
        assert_eq!(solver.solve(&graph, &[]), Ok(true));
    }

    /// More pigeons than holes: no solver of this kind does that soon.
    #[test]
    fn a_search_can_be_stopped() {
        let mut graph = Graph::new();
        let (pigeons, holes) = (14, 13);
        let sits: Vec<Vec<Formula>> =
            (0..pigeons).map(|_| (0..holes).map(|_| graph.fresh()).collect()).collect();
        let until = std::time::Instant::now() + std::time::Duration::from_millis(200);
        let mut solver = Solver::new(&Stop::when(move || std::time::Instant::now() > until));
        for pigeon in &sits {
            let somewhere = graph.any(pigeon.iter().copied());
            solver.assert(&graph, somewhere);
        }
        for (number, one) in sits.iter().enumerate() {
            for other in &sits[..number] {
                for (one, other) in one.iter().zip(other) {
                    let both = graph.and(*one, *other);
                    solver.assert(&graph, !both);
                }
            }
        }
        assert_eq!(solver.solve_within(&graph, &[], Some(100)), Err(Stopped));
        assert_eq!(solver.solve(&graph, &[]), Err(Stopped));
    }
}
