//! Satisfiability, by CaDiCaL (Biere et al.).
//!
//! Gates become clauses when a formula that needs them is first asserted or assumed (Tseitin 1968), each once: both
//! directions, because later questions may use a gate either way. A solver keeps what it has learnt between questions.
//!
//! An [`Ordering`] may be attached ([`attached`]): valuations must then be consistent with it too.
//!
//! It belongs to the thread that made it. The same calls give the same answers and the same valuations.

mod attached;
mod clock;
mod cores;

use crate::certificate::Certificate;
use crate::certificate::recorder::Recorder;
use crate::gates::{Formula, Gate};
use crate::graph::{Graph, VariableId};
use crate::ordering::OrderingEncoding;
use crate::ordering::theory::TheoryStatistics;
use crate::{Stop, Stopped};
use attached::Attached;
use cadical_sys::{CaDiCal, Status, Terminator};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// The library calls back after every conflict and more often; with a large ordering each may take milliseconds.
const CALLS_BETWEEN_LOOKS: u32 = 8;

const GATES_BETWEEN_LOOKS: u32 = 4096;

/// Clauses have a header; variables have watches, scores, levels, reasons and marks.
const BYTES_OF_A_CLAUSE: u64 = 56;
const BYTES_OF_A_VARIABLE: u64 = 400;

/// How a solver works. The default is what [`Solver::new`] gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverOptions {
    /// How an attached ordering is decided.
    pub encoding: OrderingEncoding,
    /// Whether the theory of ordering propagates literals whose edges would close a cycle.
    pub propagate_forced_edges: bool,
    /// Whether it makes the first decisions of a question, in the order of an execution.
    pub decide: bool,
    /// Whether it keeps the transitive closure of the edges, if there are not too many nodes.
    pub keep_closure: bool,
    /// Whether answers of no come with a [`Certificate`].
    pub certify: bool,
}

impl Default for SolverOptions {
    fn default() -> SolverOptions {
        SolverOptions {
            encoding: OrderingEncoding::Theory,
            propagate_forced_edges: true,
            decide: true,
            keep_closure: true,
            certify: false,
        }
    }
}

/// Counts since the solver was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SolverStatistics {
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    /// Clauses that are there now, learnt ones included.
    pub clauses: u64,
    pub variables: u64,
    pub theory: TheoryStatistics,
}

/// A set of formulas, and questions about them. All must come from one graph.
pub struct Solver {
    cadical: CaDiCal,
    options: SolverOptions,
    /// By gate, its literal there.
    literals: FxHashMap<usize, i32>,
    next: i32,
    /// Variables from here on have been in no question yet: none has been eliminated.
    first_unsolved: i32,
    stop: Stop,
    /// It was stopped while it took a formula, which it knows in part: it has no more answers.
    abandoned: bool,
    /// The assumptions of the last question, with their literals.
    assumed: Vec<(Formula, i32)>,
    attached: Attached,
    time: Duration,
    recorder: Option<Rc<RefCell<Recorder>>>,
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
        Solver::with_options(stop, SolverOptions::default())
    }

    pub fn with_options(stop: &Stop, options: SolverOptions) -> Solver {
        let mut cadical = CaDiCal::new();
        // Bounded variable addition makes variables that no propagator observes and clauses that do not follow.
        cadical.set("factor", 0);
        let recorder = options.certify.then(|| Rc::new(RefCell::new(Recorder::default())));
        if let Some(recorder) = &recorder {
            cadical.connect_proof_tracer1(recorder.clone(), true, false);
        }
        cadical.connect_terminator(Looks { stop: stop.clone(), calls: 0 });
        Solver {
            cadical,
            options,
            literals: FxHashMap::default(),
            next: 1,
            first_unsolved: 1,
            stop: stop.clone(),
            abandoned: false,
            assumed: Vec::new(),
            attached: Attached::default(),
            time: Duration::ZERO,
            recorder,
        }
    }

    /// From now on only valuations in which the formula holds.
    pub fn assert(&mut self, graph: &Graph, formula: Formula) {
        let literal = self.literal(graph, formula);
        if !self.abandoned {
            self.cadical.clause1(literal);
        }
    }

    /// The same of a disjunction, as one clause: without a gate for it, which only a formula that is used again needs.
    pub fn assert_any(&mut self, graph: &Graph, formulas: &[Formula]) {
        if formulas.contains(&Formula::TRUE) {
            return;
        }
        let different = formulas.iter().filter(|formula| **formula != Formula::FALSE);
        let clause: Vec<i32> = different.map(|formula| self.literal(graph, *formula)).collect();
        if !self.abandoned {
            self.cadical.clause6(&clause);
        }
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
        self.assumed = assumptions.iter().map(|formula| (*formula, self.literal(graph, *formula))).collect();
        if self.abandoned || self.stop.now() {
            return Err(Stopped);
        }
        for (_, literal) in &self.assumed {
            self.cadical.assume(*literal);
        }
        if let Some(conflicts) = conflicts {
            self.cadical.limit("conflicts", conflicts);
        }
        self.first_unsolved = self.next;
        self.attached.begin_question();
        let clock = clock::Clock::start();
        let status = self.cadical.solve();
        self.time += clock.elapsed();
        match status {
            Status::SATISFIABLE if self.attached.is_stopped() => Err(Stopped),
            Status::SATISFIABLE => Ok(true),
            Status::UNSATISFIABLE => {
                if self.recorder.is_some() {
                    self.cadical.conclude();
                }
                Ok(false)
            }
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

    /// The value of a formula in the valuation that the last question found, read off if it was asserted, assumed or part
    /// of such a formula.
    pub fn formula_value(&mut self, graph: &Graph, formula: Formula) -> bool {
        match self.literals.get(&formula.gate()) {
            Some(literal) => (self.cadical.val(*literal) > 0) != formula.is_negated(),
            None => self.values(graph, &[formula])[0],
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

    pub fn statistics(&self) -> SolverStatistics {
        let count = |name| u64::try_from(self.cadical.get_statistic_value(name)).unwrap_or(0);
        SolverStatistics {
            conflicts: count("conflicts"),
            decisions: count("decisions"),
            propagations: count("propagations"),
            clauses: count("clauses"),
            variables: u64::from(self.next.unsigned_abs()) - 1,
            theory: self.attached.statistics(),
        }
    }

    /// Processor time of all questions, without that of taking formulas and orderings.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// About how much memory it takes. The library does not say; clauses and variables are counted.
    pub fn bytes(&self) -> u64 {
        let statistics = self.statistics();
        let recorded = self.recorder.as_ref().map_or(0, |recorder| recorder.borrow().bytes());
        statistics.clauses * BYTES_OF_A_CLAUSE
            + statistics.variables * BYTES_OF_A_VARIABLE
            + (self.literals.capacity() * 16) as u64
            + self.attached.bytes()
            + recorded
    }

    /// Why the last answer was no. None if it was not, or if certificates were not asked for.
    pub fn certificate(&self) -> Option<Certificate> {
        let recorder = self.recorder.as_ref()?.borrow();
        Some(Certificate {
            nodes: self.attached.nodes(),
            writes: self.attached.writes().to_vec(),
            constraints: self.attached.constraints().to_vec(),
            steps: recorder.steps.clone(),
            assumptions: self.assumed.iter().map(|(_, literal)| *literal).collect(),
            conclusion: recorder.conclusion?,
        })
    }

    /// The literal by which certificates name a formula that was asserted, assumed or part of such a formula.
    pub fn certificate_literal(&self, formula: Formula) -> Option<i32> {
        let literal = *self.literals.get(&formula.gate())?;
        Some(if formula.is_negated() { -literal } else { literal })
    }

    /// The literal of a formula, whose gates become clauses; any literal if the solver was abandoned.
    fn literal(&mut self, graph: &Graph, formula: Formula) -> i32 {
        let read = |literals: &FxHashMap<usize, i32>, f: Formula| {
            if f.is_negated() { -literals[&f.gate()] } else { literals[&f.gate()] }
        };
        let mut stack = vec![formula.gate()];
        while let Some(index) = stack.last().copied() {
            if self.abandoned {
                return 1;
            }
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
            let this = self.fresh();
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
            self.abandoned = this.unsigned_abs().is_multiple_of(GATES_BETWEEN_LOOKS) && self.stop.now();
        }
        read(&self.literals, formula)
    }

    /// A new variable.
    fn fresh(&mut self) -> i32 {
        self.next += 1;
        self.next - 1
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
