//! First decisions of a question: reads-from, in the order of an execution.
//!
//! A decision fixes what the first node, in the current topological order, that has an open literal reads from. So a
//! prefix of the execution has values when the next node is decided, and unit propagation computes what the program computes.
//! Fan, Liu and He (*Interference relation-guided SMT solving for multi-threaded program verification*, PPoPP 2022) decide
//! reads-from before write order through the whole search.
//!
//! Ours ends after some backtracks, and the solver's own decisions follow. It stands in for the *lucky phases* of CaDiCaL, which are
//! not tried beside a propagator: executions that are easy to find are found without a search. Small problems of few reads are solved
//! before it ends.
//!
//! Through the whole search the same decisions are far better on some programs and far worse on others, and what tells them
//! apart is not known (`cargo xtask bench ordering`, thousands of conflicts with this order and with the solver's: `counter_lock` 10
//! 4 and 86, `readers_writers` 150 0.2 and 18, `seqlock` 30 1 and 3; `counter_plain` 8 60 and 28, `peterson` 24 not done
//! after 10 s and 28). Rejected: turns with the solver, three of four backtracks its own (on 17 tasks of up to 120 nodes 0.9 and 1.0 times as fast as
//! these decisions alone at first, by length); write order too, since the phases that are left behind mislead the
//! solver (`start_gate` 32 with an error: 63 thousand conflicts in place of none).

use super::topological_order::TopologicalOrder;

/// The solver decides after so many backtracks, and after fewer where a backtrack costs much: times the square of the nodes.
const MOST_BACKTRACKS: u64 = 2000;
const BACKTRACKS_TIMES_SQUARED_NODES: u64 = 30_000_000;

/// A literal by which a node reads.
#[derive(Clone, Copy)]
struct Candidate {
    literal: i32,
    number: u32,
}

#[derive(Default)]
pub(crate) struct Decisions {
    pub(super) enabled: bool,
    /// By node.
    candidates: Vec<Vec<Candidate>>,
    /// By node, how many candidates are open.
    open: Vec<u32>,
    /// By number of a variable, one more than the node that it is a candidate of.
    nodes: Vec<u32>,
    /// In this question.
    backtracks: u64,
}

impl Decisions {
    pub(super) fn grow(&mut self, nodes: usize) {
        self.candidates.resize_with(nodes, Vec::new);
        self.open.resize(nodes, 0);
    }

    /// A literal by which the node reads, and its number. The first node of a variable is the one that counts.
    pub(super) fn add(&mut self, literal: i32, (number, is_open): (u32, bool), reader: u32) {
        if self.nodes.len() <= number as usize {
            self.nodes.resize(number as usize + 1, 0);
        }
        let node = &mut self.nodes[number as usize];
        if *node == 0 {
            *node = reader + 1;
            self.open[reader as usize] += u32::from(is_open);
            self.candidates[reader as usize].push(Candidate { literal, number });
        }
    }

    fn node(&self, number: usize) -> Option<usize> {
        Some(self.nodes.get(number)?.checked_sub(1)? as usize)
    }

    pub(super) fn assigned(&mut self, number: usize) {
        if let Some(node) = self.node(number) {
            self.open[node] -= 1;
        }
    }

    pub(super) fn unassigned(&mut self, number: usize) {
        if let Some(node) = self.node(number) {
            self.open[node] += 1;
        }
    }

    pub(super) fn begin_question(&mut self) {
        self.backtracks = 0;
    }

    pub(super) fn backtracked(&mut self) {
        self.backtracks += 1;
    }

    /// A literal that is open, or 0 if the solver decides.
    pub(super) fn next(&self, order: &TopologicalOrder, values: &[i8]) -> i32 {
        let nodes = order.len() as u64;
        let many = self.backtracks >= MOST_BACKTRACKS
            || self.backtracks * nodes * nodes >= BACKTRACKS_TIMES_SQUARED_NODES;
        if !self.enabled || many {
            return 0;
        }
        let next = order.sequence().iter().find(|node| self.open[**node as usize] > 0);
        let candidates = next.map_or(&[][..], |node| &self.candidates[*node as usize]);
        let open = candidates.iter().find(|candidate| values[candidate.number as usize] == 0);
        open.map_or(0, |candidate| candidate.literal)
    }

    pub(super) fn capacity_bytes(&self) -> usize {
        let candidates: usize =
            self.candidates.iter().map(|list| list.capacity() * size_of::<Candidate>() + 24).sum();
        candidates + (self.open.capacity() + self.nodes.capacity()) * 4
    }
}
