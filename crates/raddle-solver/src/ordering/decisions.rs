//! Decisions in the order of an execution.
//!
//! A decision fixes what the first node, in the current topological order, that has an open literal reads from or which writes
//! precede it; an order agrees with the topological one. So a prefix of the execution has values when the next node is
//! decided, and unit propagation computes what the program computes. Fan, Liu and He (DAC 2022) decide reads-from before
//! write order in the same spirit, *interference relation-guided*; the order of an execution was better here.
//!
//! The solver's own decisions are better where most conflicts are cycles and not values, so that both take turns (*alternating
//! intervals*, counted in backtracks). The share of cycles among the conflicts of an interval of the solver says how long its
//! next one is. Every second interval of the theory leaves the order of writes to the solver.
//!
//! Off unless [`crate::SolverOptions::decide`] is set. On 49 tasks of `cargo xtask bench ordering` the mean is that of the solver's
//! decisions alone (1.00; 1.17 times as fast up to 120 nodes, 0.85 times beyond): `counter_lock` of 8 rounds 160 conflicts in place
//! of 16,563, but `store_buffering` of 100 threads 39,860 in place of 10,008, `counter_plain` of 8 108,095 in place of 22,171.
//! What tells the two kinds of program apart before the search is not known; the share of cycles does not.
//!
//! Other orders, on twelve programs, geometric mean of seconds, single runs on a loaded machine with limits of 3 or 4 s (the
//! solver's decisions 1.15, this order without turns 0.47): reads-from only 0.51 to 0.60; from the last node to the first 1.11;
//! write order only 0.91; static orders, by depth in the program 0.45 and thread by thread 0.52; by activity in learnt
//! clauses, restricted to reads-from, 0.88. The turns were tuned on the same programs, and do not carry over.

use super::topological_order::TopologicalOrder;

const NOWHERE: u32 = u32::MAX;

/// Backtracks in the first interval; each pair of intervals is half as long again as the one before.
const FIRST_INTERVAL: u64 = 100;

/// Every interval of the solver has more, for a fair sample of its conflicts.
const SAMPLE: u64 = 25;

/// With more cycles among the conflicts than one in so many, most decisions are the solver's.
const CONFLICTS_A_CYCLE: u64 = 10;
/// Then its intervals are so many times as long as those of the theory.
const SOLVERS_SHARE: u64 = 24;
/// Otherwise those of the theory are so many times as long.
const THEORYS_SHARE: u64 = 8;

/// A literal that gives a node a predecessor.
#[derive(Clone, Copy)]
struct Candidate {
    literal: i32,
    number: u32,
    from: u32,
    reads_from: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    AllCandidates,
    ReadsFrom,
    Solver,
}

pub(crate) struct Decisions {
    pub(super) enabled: bool,
    /// By node.
    candidates: Vec<Vec<Candidate>>,
    /// By node, how many candidates are open.
    open: Vec<u32>,
    /// By number of a variable, the node that it is a candidate of.
    nodes: Vec<u32>,
    turn: Turn,
    /// Intervals so far.
    turns: u32,
    length: u64,
    backtracks: u64,
    /// Until so many backtracks.
    until: u64,
    /// Backtracks and cycles when the interval began.
    began: (u64, u64),
    many_cycles: bool,
}

impl Default for Decisions {
    fn default() -> Decisions {
        Decisions {
            enabled: true,
            candidates: Vec::new(),
            open: Vec::new(),
            nodes: Vec::new(),
            turn: Turn::AllCandidates,
            turns: 0,
            length: FIRST_INTERVAL,
            backtracks: 0,
            until: FIRST_INTERVAL,
            began: (0, 0),
            many_cycles: false,
        }
    }
}

impl Decisions {
    pub(super) fn grow(&mut self, nodes: usize) {
        self.candidates.resize_with(nodes, Vec::new);
        self.open.resize(nodes, 0);
    }

    /// A literal that gives `to` a predecessor. The first node of a variable is the one that counts.
    pub(super) fn add(
        &mut self,
        literal: i32,
        (number, is_open): (u32, bool),
        (from, to): (u32, u32),
        reads_from: bool,
    ) {
        if self.nodes.len() <= number as usize {
            self.nodes.resize(number as usize + 1, NOWHERE);
        }
        let node = &mut self.nodes[number as usize];
        if *node == NOWHERE {
            *node = to;
            self.open[to as usize] += u32::from(is_open);
            self.candidates[to as usize].push(Candidate { literal, number, from, reads_from });
        }
    }

    pub(super) fn assigned(&mut self, number: usize) {
        self.open[self.nodes[number] as usize] -= 1;
    }

    pub(super) fn unassigned(&mut self, number: usize) {
        self.open[self.nodes[number] as usize] += 1;
    }

    pub(super) fn backtracked(&mut self) {
        self.backtracks += 1;
    }

    /// A literal that is open, or 0 if the solver decides. `cycles` is how many conflicts were cycles so far.
    pub(super) fn next(&mut self, order: &TopologicalOrder, values: &[i8], cycles: u64) -> i32 {
        if self.backtracks >= self.until {
            self.take_turns(cycles);
        }
        if !self.enabled || self.turn == Turn::Solver {
            return 0;
        }
        let all = self.turn == Turn::AllCandidates;
        for node in order.sequence() {
            if self.open[*node as usize] == 0 {
                continue;
            }
            for candidate in &self.candidates[*node as usize] {
                if values[candidate.number as usize] == 0 && (all || candidate.reads_from) {
                    let agrees =
                        candidate.reads_from || order.position(candidate.from) < order.position(*node);
                    return if agrees { candidate.literal } else { -candidate.literal };
                }
            }
        }
        0
    }

    fn take_turns(&mut self, cycles: u64) {
        self.turns += 1;
        let mut length = self.length;
        if self.turn == Turn::Solver {
            let (backtracks, cycles) = (self.backtracks - self.began.0, cycles - self.began.1);
            self.many_cycles = cycles * CONFLICTS_A_CYCLE > backtracks;
            self.turn = if self.turns.is_multiple_of(4) { Turn::AllCandidates } else { Turn::ReadsFrom };
        } else {
            self.turn = Turn::Solver;
            length = if self.many_cycles { length * SOLVERS_SHARE } else { length / THEORYS_SHARE + SAMPLE };
            self.length += self.length / 2;
        }
        self.began = (self.backtracks, cycles);
        self.until = self.backtracks + length;
    }

    pub(super) fn capacity_bytes(&self) -> usize {
        let candidates: usize =
            self.candidates.iter().map(|list| list.capacity() * size_of::<Candidate>() + 24).sum();
        candidates + (self.open.capacity() + self.nodes.capacity()) * 4
    }
}
