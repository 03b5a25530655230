//! An ordering as clauses only, to compare the theory with, and for solvers without one.
//!
//! Two encodings of acyclicity, of which the smaller one is taken, with a handicap for the second:
//!
//! - *Vertex elimination* (Rankooh and Rintanen, *Propositional encodings of acyclicity and reachability by using vertex
//!   elimination*, AAAI 2022): nodes are eliminated one by one, each pair of an edge into the node and one out of it
//!   gives an edge between the others, and an edge in both directions is excluded. Unit propagation then detects every cycle.
//! - *Clocks* (Alglave, Kroening and Tautschnig, CAV 2013): every node has a binary number, and an edge is a comparison.
//!   Few clauses, but a cycle is found only after its bits are decided.
//!
//! From-read is a clause for each read and each later write. What fixed edges imply or exclude is removed first. An ordering
//! that has grown is encoded anew; the clauses of the smaller one stay, since all of them follow.

use super::{Constraint, NodeId, OrderingEncoding};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Vertex elimination may have so many times as many clauses as clocks.
const HANDICAP: usize = 16;

/// The literal of an edge that is always there.
const ALWAYS: i32 = 0;

pub(crate) struct ClauseEncoder<'a> {
    nodes: usize,
    writes: &'a [NodeId],
    constraints: &'a [Constraint<i32>],
    clauses: Vec<Vec<i32>>,
    next: i32,
}

/// By source and target.
type Edges = BTreeMap<(u32, u32), i32>;

impl<'a> ClauseEncoder<'a> {
    pub(crate) fn new(
        nodes: usize,
        writes: &'a [NodeId],
        constraints: &'a [Constraint<i32>],
    ) -> ClauseEncoder<'a> {
        ClauseEncoder { nodes, writes, constraints, clauses: Vec::new(), next: 0 }
    }

    /// The clauses, over variables from `next` on beside the literals of conditions, and the next variable after these.
    pub(crate) fn encode(mut self, encoding: OrderingEncoding, next: i32) -> (Vec<Vec<i32>>, i32) {
        self.next = next;
        let fixed: Vec<(u32, u32)> = self
            .constraints
            .iter()
            .filter_map(|constraint| match *constraint {
                Constraint::Fixed { from, to } => Some((from.0, to.0)),
                _ => None,
            })
            .collect();
        let Some(closure) = Closure::of(self.nodes, &fixed) else {
            self.clauses.push(Vec::new());
            return (self.clauses, self.next);
        };
        let edges = self.conditional_edges(&closure);
        let bits = self.nodes.next_power_of_two().trailing_zeros() as usize;
        let comparisons = (edges.len() + fixed.len()) * 3 * bits;
        let (clauses, variable) = (self.clauses.len(), self.next);
        if encoding == OrderingEncoding::Clocks
            || !self.eliminate_nodes(&edges, &fixed, &closure, comparisons * HANDICAP)
        {
            self.clauses.truncate(clauses);
            self.next = variable;
            self.compare_clocks(&edges, &fixed, bits);
        }
        (self.clauses, self.next)
    }

    fn fresh(&mut self) -> i32 {
        self.next += 1;
        self.next - 1
    }

    /// A literal for each pair of nodes that an edge may be between. It is implied by what makes the edge.
    fn conditional_edges(&mut self, closure: &Closure) -> Edges {
        let mut causes: BTreeMap<(u32, u32), Vec<[i32; 2]>> = BTreeMap::new();
        let mut readers: FxHashMap<u32, Vec<(i32, u32)>> = FxHashMap::default();
        let mut later_nodes: FxHashMap<u32, Vec<(i32, u32)>> = FxHashMap::default();
        for constraint in self.constraints {
            let (literal, from, to) = match *constraint {
                Constraint::Fixed { .. } => continue,
                Constraint::Edge { when, from, to } => {
                    if from == to {
                        self.clauses.push(vec![-when]);
                    }
                    (when, from.0, to.0)
                }
                Constraint::ReadsFrom { when, write, reader } => {
                    readers.entry(write.0).or_default().push((when, reader.0));
                    (when, self.writes[write.index()].0, reader.0)
                }
                Constraint::Coherence { when, write, later } => {
                    later_nodes.entry(write.0).or_default().push((when, later.0));
                    (when, self.writes[write.index()].0, later.0)
                }
            };
            causes.entry((from, to)).or_default().push([literal, literal]);
        }
        for write in 0..self.writes.len() as u32 {
            let (Some(readers), Some(later_nodes)) = (readers.get(&write), later_nodes.get(&write)) else {
                continue;
            };
            for (reads_from, reader) in readers {
                for (coherence, later) in later_nodes {
                    causes.entry((*reader, *later)).or_default().push([*reads_from, *coherence]);
                }
            }
        }
        let mut edges = Edges::new();
        for ((from, to), causes) in causes {
            if from == to || closure.contains(from, to) {
                continue;
            }
            if closure.contains(to, from) {
                self.clauses.extend(causes.iter().map(|cause| clause(&cause.map(|literal| -literal))));
                continue;
            }
            let literal = match causes[..] {
                [[one, other]] if one == other => one,
                _ => {
                    let literal = self.fresh();
                    for [one, other] in causes {
                        self.clauses.push(clause(&[-one, -other, literal]));
                    }
                    literal
                }
            };
            edges.insert((from, to), literal);
        }
        edges
    }

    /// Whether that took at most so many clauses.
    fn eliminate_nodes(
        &mut self,
        edges: &Edges,
        fixed: &[(u32, u32)],
        closure: &Closure,
        most: usize,
    ) -> bool {
        let mut incoming: Vec<BTreeMap<u32, i32>> = vec![BTreeMap::new(); self.nodes];
        let mut outgoing: Vec<BTreeMap<u32, i32>> = vec![BTreeMap::new(); self.nodes];
        let all = edges.iter().map(|(pair, literal)| (*pair, *literal));
        for ((from, to), literal) in all.chain(fixed.iter().map(|pair| (*pair, ALWAYS))) {
            outgoing[from as usize].insert(to, literal);
            incoming[to as usize].insert(from, literal);
        }
        // Pairs whose literal means nothing but this edge; it may be implied by others.
        let mut own: FxHashSet<(u32, u32)> = FxHashSet::default();
        let first = self.clauses.len();
        let mut left: Vec<usize> = (0..self.nodes).collect();
        while let Some(at) =
            (0..left.len()).min_by_key(|at| incoming[left[*at]].len() * outgoing[left[*at]].len())
        {
            let node = left.swap_remove(at);
            let sources = std::mem::take(&mut incoming[node]);
            let targets = std::mem::take(&mut outgoing[node]);
            for source in sources.keys() {
                outgoing[*source as usize].remove(&(node as u32));
            }
            for target in targets.keys() {
                incoming[*target as usize].remove(&(node as u32));
            }
            if self.clauses.len() - first + sources.len() * targets.len() > most {
                return false;
            }
            for (from, one) in &sources {
                for (to, other) in &targets {
                    if from == to || closure.contains(*to, *from) {
                        self.clauses.push(clause(&[-one, -other]));
                        continue;
                    }
                    // Fixed edges that are left, or that others make, connect the two already.
                    if closure.contains(*from, *to) && (*one, *other) != (ALWAYS, ALWAYS) {
                        continue;
                    }
                    let made = match outgoing[*from as usize].get(to).copied() {
                        Some(ALWAYS) => continue,
                        Some(literal) if literal == *one || literal == *other => continue,
                        Some(literal) if own.contains(&(*from, *to)) => literal,
                        Some(literal) => {
                            let made = self.fresh();
                            self.clauses.push(vec![-literal, made]);
                            made
                        }
                        // The pair shares the literal of the edge that is not always there.
                        None if *one == ALWAYS || *other == ALWAYS || one == other => {
                            let shared = if *one == ALWAYS { *other } else { *one };
                            outgoing[*from as usize].insert(*to, shared);
                            incoming[*to as usize].insert(*from, shared);
                            continue;
                        }
                        None => self.fresh(),
                    };
                    own.insert((*from, *to));
                    outgoing[*from as usize].insert(*to, made);
                    incoming[*to as usize].insert(*from, made);
                    self.clauses.push(clause(&[-one, -other, made]));
                }
            }
        }
        true
    }

    fn compare_clocks(&mut self, edges: &Edges, fixed: &[(u32, u32)], bits: usize) {
        let first = self.next;
        self.next += (self.nodes * bits) as i32;
        let clock = |node: u32, bit: usize| first + node as i32 * bits as i32 + bit as i32;
        let all = edges.iter().map(|(pair, literal)| (*pair, *literal));
        for ((from, to), literal) in all.chain(fixed.iter().map(|pair| (*pair, ALWAYS))) {
            // From the highest bit down: less here, or equal here and less below.
            let mut less = literal;
            for bit in (0..bits).rev() {
                let (a, b) = (clock(from, bit), clock(to, bit));
                self.clauses.push(clause(&[-less, -a, b]));
                if bit == 0 {
                    self.clauses.push(clause(&[-less, -a]));
                    self.clauses.push(clause(&[-less, b]));
                } else {
                    let below = self.fresh();
                    self.clauses.push(clause(&[-less, -a, -b, below]));
                    self.clauses.push(clause(&[-less, a, b, below]));
                    less = below;
                }
            }
        }
    }
}

/// A clause of literals, without those of edges that are always there.
fn clause(literals: &[i32]) -> Vec<i32> {
    let mut clause: Vec<i32> = literals.iter().copied().filter(|literal| *literal != ALWAYS).collect();
    clause.sort_unstable();
    clause.dedup();
    clause
}

/// The transitive closure of the fixed edges, a row of bits a node.
struct Closure {
    words: usize,
    bits: Vec<u64>,
}

impl Closure {
    /// None if the edges have a cycle.
    fn of(nodes: usize, edges: &[(u32, u32)]) -> Option<Closure> {
        let mut predecessors = vec![Vec::new(); nodes];
        let mut missing = vec![0usize; nodes];
        for (from, to) in edges {
            predecessors[*to as usize].push(*from);
            missing[*from as usize] += 1;
        }
        // From the last nodes to the first.
        let mut ready: Vec<usize> = (0..nodes).filter(|node| missing[*node] == 0).collect();
        let words = nodes.div_ceil(64);
        let mut closure = Closure { words, bits: vec![0; nodes * words] };
        let mut done = 0;
        while let Some(node) = ready.pop() {
            done += 1;
            for before in &predecessors[node] {
                let before = *before as usize;
                closure.bits[before * words + node / 64] |= 1 << (node % 64);
                for word in 0..words {
                    closure.bits[before * words + word] |= closure.bits[node * words + word];
                }
                missing[before] -= 1;
                if missing[before] == 0 {
                    ready.push(before);
                }
            }
        }
        (done == nodes).then_some(closure)
    }

    fn contains(&self, from: u32, to: u32) -> bool {
        self.bits[from as usize * self.words + to as usize / 64] >> (to % 64) & 1 == 1
    }
}
