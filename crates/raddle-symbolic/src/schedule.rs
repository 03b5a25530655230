//! From a satisfying assignment to a schedule: the moves of the machine that lead through the same execution.
//!
//! The nodes are put into a sequence that their order allows, with few switches. Before a node, its thread takes the steps of
//! its script that were recorded before the node was made: no other thread notices when these come.

use std::collections::VecDeque;

use raddle_machine::drive::Move;
use raddle_solver::{Assignment, Evaluation, NodeId, Term, Terms};
use rustc_hash::FxHashMap;

use crate::order::Encoding;
use crate::unrolling::*;

/// The values of terms in the execution.
struct Values<'t> {
    terms: &'t Terms,
    assignment: Assignment,
    cache: Evaluation,
}

impl Values<'_> {
    fn of(&mut self, term: Term) -> u64 {
        self.terms.evaluate(term, &self.assignment, &mut self.cache).low()
    }

    /// The entries of a script that are taken, with their places in it.
    fn taken(&mut self, script: &[(Term, Step)]) -> VecDeque<(usize, Step)> {
        let entries = script.iter().enumerate();
        entries.filter(|(_, (guard, _))| self.of(*guard) != 0).map(|(i, (_, step))| (i, *step)).collect()
    }
}

/// An execution as moves of the machine: the values of all variables, and the nodes in their order. The steps that follow
/// the last node of each thread come at the end, up to the given lengths of the scripts if only these were executed.
pub fn moves(
    unrolling: &Unrolling,
    terms: &Terms,
    assignment: Assignment,
    sequence: &[Node],
    until: Option<&[usize]>,
) -> Vec<Move> {
    let mut values = Values { terms, assignment, cache: Evaluation::new() };
    let mut scripts: Vec<VecDeque<(usize, Step)>> =
        unrolling.threads.iter().map(|thread| values.taken(&thread.script)).collect();
    // A thread that stops before a fault does not take the step that would have it.
    for fault in &unrolling.faults {
        if values.of(fault.reached) != 0 && values.of(fault.guard) == 0 {
            let thread = fault.thread.0 as usize;
            let mut before = values.taken(&unrolling.threads[thread].script[..fault.after]);
            let last = before.iter().rposition(|(_, step)| matches!(step, Step::Operation(_)));
            before.truncate(last.unwrap_or(0));
            scripts[thread] = before;
        }
    }
    let mut moves = Vec::new();
    let mut emit = |thread: usize, step: Step| {
        let choice = match step {
            Step::Operation(_) => None,
            Step::Choice(term, _) => Some(values.of(term)),
        };
        moves.push(Move { thread: values.of(unrolling.threads[thread].name) as u32, choice });
    };
    for node in sequence {
        let thread = unrolling.nodes[node.0 as usize].0 as usize;
        let before = unrolling.script_before[node.0 as usize];
        let script = &mut scripts[thread];
        let is_this = |step: &Step| match step {
            Step::Operation(of) | Step::Choice(_, of) => of.as_ref() == Some(node),
        };
        let last = script.iter().rposition(|(_, step)| is_this(step));
        let mut count = script.iter().take_while(|(index, _)| *index < before).count();
        count = count.max(last.map_or(0, |last| last + 1));
        script.drain(..count).for_each(|(_, step)| emit(thread, step));
    }
    for (thread, script) in scripts.into_iter().enumerate() {
        let until = until.map_or(usize::MAX, |until| until[thread]);
        let rest = script.into_iter().filter(|(index, _)| *index < until);
        rest.for_each(|(_, step)| emit(thread, step));
    }
    moves
}

impl Encoding<'_> {
    /// The execution that was found, as moves of the machine.
    pub fn schedule(&mut self) -> Vec<Move> {
        let (assignment, sequence) = (self.assignment(), self.sequence());
        moves(self.unrolling, self.terms, assignment, &sequence, None)
    }

    /// The nodes in an order that the execution allows; the thread that ran last goes on where it can.
    fn sequence(&mut self) -> Vec<Node> {
        let nodes: FxHashMap<usize, Node> =
            self.nodes.iter().enumerate().map(|(i, id)| (id.index(), Node(i as u32))).collect();
        let threads = &self.unrolling.nodes;
        let thread_of = |id: &NodeId| nodes.get(&id.index()).map(|node| threads[node.0 as usize]);
        let mut last = ThreadInstance(0);
        let order = self.solver.linearisation(&self.graph, &self.ordering, |ready| {
            let chosen = ready
                .iter()
                .position(|id| thread_of(id).is_none())
                .or_else(|| ready.iter().position(|id| thread_of(id) == Some(last)))
                .unwrap_or(0);
            last = thread_of(&ready[chosen]).unwrap_or(last);
            chosen
        });
        let executed = order.iter().filter_map(|id| nodes.get(&id.index()).copied());
        executed.filter(|node| Some(*node) != self.unrolling.last).collect()
    }
}
