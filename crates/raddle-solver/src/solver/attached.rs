//! An ordering beside the clauses of a solver.
//!
//! A condition becomes a literal like every formula. The theory observes its variable, which the solver then never eliminates;
//! a variable that was part of an earlier question may have been eliminated, so its formula gets another one that is
//! equivalent to it.

use super::Solver;
use crate::Stopped;
use crate::gates::Formula;
use crate::graph::Graph;
use crate::ordering::clauses::ClauseEncoder;
use crate::ordering::linearisation::linearise;
use crate::ordering::order_literals::OrderLiterals;
use crate::ordering::propagator::OrderingPropagator;
use crate::ordering::theory::{Theory, TheoryStatistics};
use crate::ordering::{Constraint, NodeId, Ordering, OrderingEncoding};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// What a solver has taken of an ordering.
#[derive(Default)]
pub(super) struct Attached {
    nodes: usize,
    writes: Vec<NodeId>,
    constraints: Vec<Constraint<i32>>,
    /// By variable that may have been eliminated, the one that stands for it.
    aliases: FxHashMap<i32, i32>,
    observed: FxHashSet<i32>,
    /// How many constraints of the ordering were taken.
    taken: usize,
    order_literals: OrderLiterals,
    propagator: Option<Rc<RefCell<OrderingPropagator>>>,
}

impl Attached {
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    pub(super) fn writes(&self) -> &[NodeId] {
        &self.writes
    }

    pub(super) fn constraints(&self) -> &[Constraint<i32>] {
        &self.constraints
    }

    pub(super) fn statistics(&self) -> TheoryStatistics {
        self.propagator
            .as_ref()
            .map_or_else(TheoryStatistics::default, |propagator| propagator.borrow().theory.statistics())
    }

    pub(super) fn begin_question(&self) {
        if let Some(propagator) = &self.propagator {
            propagator.borrow_mut().theory.begin_question();
        }
    }

    /// Whether the theory was stopped, so that valuations need not be consistent with it.
    pub(super) fn is_stopped(&self) -> bool {
        self.propagator.as_ref().is_some_and(|propagator| propagator.borrow().stopped)
    }

    pub(super) fn bytes(&self) -> u64 {
        let theory =
            self.propagator.as_ref().map_or(0, |propagator| propagator.borrow().theory.capacity_bytes());
        (theory + self.constraints.capacity() * size_of::<Constraint<i32>>()) as u64
    }
}

impl Solver {
    /// From now on only valuations that are consistent with the ordering. Called again with the same ordering, it takes what
    /// was added since.
    pub fn attach(&mut self, graph: &Graph, ordering: &Ordering) {
        let new = &ordering.constraints()[self.attached.taken..];
        let new_writes = &ordering.writes()[self.attached.writes.len()..];
        if new.is_empty() && new_writes.is_empty() && ordering.node_count() == self.attached.nodes {
            return;
        }
        let encoding = self.options.encoding;
        let theory = matches!(encoding, OrderingEncoding::Theory | OrderingEncoding::TheoryWithOrderLiterals);
        let mut literals = Vec::with_capacity(new.len());
        for constraint in new {
            literals.push(constraint.map(|formula| {
                let literal = self.literal(graph, formula);
                if theory { self.observable(literal) } else { literal }
            }));
        }
        if self.abandoned {
            return;
        }
        self.attached.nodes = ordering.node_count();
        self.attached.taken += new.len();
        self.attached.writes.extend_from_slice(new_writes);
        if encoding == OrderingEncoding::TheoryWithOrderLiterals {
            let attached = &mut self.attached;
            let (replaced, clauses) =
                attached.order_literals.replace(&attached.writes, &literals, &mut self.next);
            literals = replaced;
            for [a, b, c] in clauses {
                self.cadical.clause3(a, b, c);
            }
        }
        self.attached.constraints.extend_from_slice(&literals);
        if theory {
            self.extend_theory(new_writes, &literals);
        } else {
            self.encode_as_clauses();
        }
    }

    /// Takes what is new in the ordering, then solves.
    ///
    /// # Errors
    ///
    /// If it was stopped.
    pub fn solve_ordering(
        &mut self,
        graph: &Graph,
        ordering: &Ordering,
        assumptions: &[Formula],
    ) -> Result<bool, Stopped> {
        self.attach(graph, ordering);
        self.solve(graph, assumptions)
    }

    /// All nodes of the ordering in a sequence that the valuation of the last answer allows. `pick` gets the nodes that
    /// may come next, in increasing order and at least one, and returns the index of one of them.
    pub fn linearisation(
        &mut self,
        graph: &Graph,
        ordering: &Ordering,
        pick: impl FnMut(&[NodeId]) -> usize,
    ) -> Vec<NodeId> {
        linearise(ordering, |formula| self.formula_value(graph, formula), pick)
    }

    /// A literal whose variable can be observed.
    fn observable(&mut self, literal: i32) -> i32 {
        let variable = literal.abs();
        if variable >= self.first_unsolved || self.attached.observed.contains(&variable) {
            return literal;
        }
        let alias = match self.attached.aliases.get(&variable) {
            Some(alias) => *alias,
            None => {
                let alias = self.fresh();
                self.cadical.clause2(-alias, variable);
                self.cadical.clause2(alias, -variable);
                self.attached.aliases.insert(variable, alias);
                alias
            }
        };
        alias * literal.signum()
    }

    fn extend_theory(&mut self, writes: &[NodeId], constraints: &[Constraint<i32>]) {
        let (options, recorder) = (self.options, &self.recorder);
        let cadical = &mut self.cadical;
        let propagator = self.attached.propagator.get_or_insert_with(|| {
            let theory = Theory::new(options);
            let propagator = OrderingPropagator::new(theory, recorder.clone(), &self.stop);
            let propagator = Rc::new(RefCell::new(propagator));
            cadical.connect_external_propagator(propagator.clone());
            propagator
        });
        propagator.borrow_mut().theory.extend(
            self.attached.nodes,
            writes.iter().map(|node| node.0),
            constraints,
        );
        for constraint in constraints {
            if let Some(literal) = constraint.condition()
                && self.attached.observed.insert(literal.abs())
            {
                // The solver may report the variable's value at once.
                self.cadical.add_observed_var(literal.abs());
            }
        }
    }

    fn encode_as_clauses(&mut self) {
        let attached = &self.attached;
        let encoder = ClauseEncoder::new(attached.nodes, &attached.writes, &attached.constraints);
        let (clauses, next) = encoder.encode(self.options.encoding, self.next);
        self.next = next;
        for clause in clauses {
            self.cadical.clause6(&clause);
        }
    }
}
