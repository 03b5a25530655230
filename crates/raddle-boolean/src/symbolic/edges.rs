//! Path edges: what holds at a place, as formulas, and how it came about.
//!
//! An edge relates the entry variables of its procedure and everything that was chosen since to what holds at its
//! place. Ways that meet become one edge (Basler 2010, §10.5): the first part whose selector holds is the one that was
//! taken.

use super::Simulation;
use raddle_bp::flow::{self, NodeId, Operation, ProcedureId, ThreadEntry};
use raddle_solver::Formula;

/// An index into the edges of one procedure.
pub(crate) type EdgeId = usize;

#[derive(Clone)]
pub(crate) struct Edge {
    pub node: NodeId,
    /// Under which choices there is such a way.
    pub guard: Formula,
    /// Shared variables, then local ones.
    pub values: Vec<Formula>,
    pub origin: Origin,
}

#[derive(Clone)]
pub(crate) enum Origin {
    /// The procedure was entered; the call that entered is kept elsewhere.
    Entry(usize),
    Merged(Vec<(Formula, EdgeId)>),
    Step {
        from: EdgeId,
        successor: usize,
        choices: Vec<Formula>,
    },
    /// Behind a call: an index into applications of summaries.
    Call {
        from: EdgeId,
        application: usize,
    },
}

/// What comes of a step that is no call.
pub(crate) struct Stepped {
    /// Edges that follow.
    pub next: Vec<Edge>,
    pub end: Option<End>,
}

/// A way that leaves the procedure or the program.
pub(crate) struct End {
    pub guard: Formula,
    pub choices: Vec<Formula>,
    pub kind: EndKind,
}

pub(crate) enum EndKind {
    /// With these results.
    Return(Vec<Formula>),
    AssertionFails,
    Label,
}

impl<'a> Simulation<'a> {
    /// The edge at the entry of a procedure: its parameters and the shared variables are its entry variables, its other
    /// local variables are chosen.
    pub(crate) fn entry_edge(&mut self, procedure: ProcedureId, guard: Formula, origin: usize) -> Edge {
        let body = self.flow.procedure(procedure);
        let mut values = self.entry(procedure);
        values.extend((body.parameters..body.locals.len()).map(|_| self.graph.fresh()));
        Edge { node: flow::Procedure::ENTRY, guard, values, origin: Origin::Entry(origin) }
    }

    pub(crate) fn choices(&mut self, procedure: ProcedureId, node: NodeId) -> Vec<Formula> {
        (0..self.flow.node(procedure, node).choices).map(|_| self.graph.fresh()).collect()
    }

    /// Several edges at one place as one. If `exclusive`, no two guards can hold together.
    pub(crate) fn merge(&mut self, edges: &[Edge], parts: &[EdgeId], exclusive: bool) -> Edge {
        let (last, others) = parts.split_last().expect("something to merge");
        let mut merged = edges[*last].clone();
        let mut selectors = vec![(Formula::TRUE, *last)];
        for part in others.iter().rev() {
            let edge = &edges[*part];
            let selector = if exclusive { edge.guard } else { self.graph.fresh() };
            merged.guard = if exclusive {
                self.graph.or(edge.guard, merged.guard)
            } else {
                self.graph.if_then_else(selector, edge.guard, merged.guard)
            };
            for (value, other) in merged.values.iter_mut().zip(&edge.values) {
                *value = self.graph.if_then_else(selector, *other, *value);
            }
            selectors.push((selector, *part));
        }
        selectors.reverse();
        merged.origin = Origin::Merged(selectors);
        merged
    }

    /// Takes the step of an edge's place, which is no call.
    pub(crate) fn step(&mut self, procedure: ProcedureId, from: EdgeId, edge: &Edge) -> Stepped {
        let flow = self.flow;
        let node = flow.node(procedure, edge.node);
        let nothing = Stepped { next: Vec::new(), end: None };
        if self.is_error_label(procedure, edge.node) {
            let end = End { guard: edge.guard, choices: Vec::new(), kind: EndKind::Label };
            return Stepped { end: Some(end), ..nothing };
        }
        let mut choices = self.choices(procedure, edge.node);
        if let Operation::StartThread(ThreadEntry::Call { procedure: callee, .. }) = &node.operation {
            // The thread is not started, so nothing depends on what its locals would be.
            let callee = flow.procedure(*callee);
            choices.resize(choices.len() + callee.locals.len() - callee.parameters, Formula::FALSE);
        }
        let (mut guard, mut values, mut end) = (edge.guard, edge.values.clone(), None);
        match &node.operation {
            Operation::Skip => return Stepped { next: self.branch(procedure, from, edge), end: None },
            Operation::AtomicBegin | Operation::AtomicEnd | Operation::StartThread(_) => {}
            Operation::EndThread => return nothing,
            Operation::Assume(condition) => {
                let holds = self.formula(condition, &edge.values, &[], &choices);
                guard = self.graph.and(guard, holds);
            }
            Operation::Assert(condition) => {
                let holds = self.formula(condition, &edge.values, &[], &choices);
                let fails = self.graph.and(guard, !holds);
                let kind = EndKind::AssertionFails;
                end = Some(End { guard: fails, choices: choices.clone(), kind });
                guard = self.graph.and(guard, holds);
            }
            Operation::Assign { targets, values: sources, constrain } => {
                for (target, source) in targets.iter().zip(sources) {
                    values[self.slot(*target)] = self.formula(source, &edge.values, &[], &choices);
                }
                if let Some(condition) = constrain {
                    let holds = self.formula(condition, &edge.values, &values, &choices);
                    guard = self.graph.and(guard, holds);
                }
            }
            Operation::Return(results) => {
                let results =
                    results.iter().map(|result| self.formula(result, &edge.values, &[], &choices)).collect();
                let end = End { guard, choices, kind: EndKind::Return(results) };
                return Stepped { end: Some(end), ..nothing };
            }
            Operation::Call { .. } => unreachable!("calls are made by the engines"),
        }
        let origin = Origin::Step { from, successor: 0, choices };
        let next = vec![Edge { node: node.next[0], guard, values, origin }];
        Stepped { next, end }
    }

    /// To each of the successors of a place that does nothing. Which one is chosen by variables, unless the successors
    /// begin by assuming something and its opposite; what they assume is then evaluated here already, so that the
    /// guards of the edges exclude each other in either case.
    fn branch(&mut self, procedure: ProcedureId, from: EdgeId, edge: &Edge) -> Vec<Edge> {
        let flow = self.flow;
        let successors = &flow.node(procedure, edge.node).next;
        let decided = self.decided(procedure, successors);
        let mut rest = edge.guard;
        let mut edges = Vec::with_capacity(successors.len());
        for (successor, node) in successors.iter().enumerate() {
            let chosen = match decided {
                _ if successor + 1 == successors.len() => Formula::TRUE,
                Some(condition) => self.formula(condition, &edge.values, &[], &[]),
                None => self.graph.fresh(),
            };
            let guard = self.graph.and(rest, chosen);
            rest = self.graph.and(rest, !chosen);
            let origin = Origin::Step { from, successor, choices: Vec::new() };
            edges.push(Edge { node: *node, guard, values: edge.values.clone(), origin });
        }
        edges
    }

    /// What the first of two successors assumes, if the second assumes the opposite and nothing is chosen in it. At an
    /// error label, the error comes before any assumption.
    fn decided(&self, procedure: ProcedureId, successors: &[NodeId]) -> Option<&'a flow::Formula> {
        let [one, other] = successors else { return None };
        if self.is_error_label(procedure, *one) || self.is_error_label(procedure, *other) {
            return None;
        }
        let (one, other) = (self.flow.node(procedure, *one), self.flow.node(procedure, *other));
        match (&one.operation, &other.operation) {
            (Operation::Assume(positive), Operation::Assume(flow::Formula::Not(negated)))
                if one.choices == 0 && other.choices == 0 && **negated == *positive =>
            {
                Some(positive)
            }
            _ => None,
        }
    }
}
