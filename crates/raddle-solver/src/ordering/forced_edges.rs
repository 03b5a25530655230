//! Propagation: literals whose edges would close a cycle are false.
//!
//! *Unit-edge propagation* of He, Sun and Fan (PLDI 2021), section 5.3: when an edge is new, all that precedes its source
//! and all that follows its target are collected, and every open conditional edge from the second set into the first one is
//! false. The same holds for from-read edges of which one literal is true and the other one open: a read of a write
//! that is overwritten before the read, a coherence edge past a read. These prune more than the conditional edges do.
//!
//! Only nodes that the edge connects anew are considered: an edge between nodes with a path already forces nothing, nor do
//! nodes that followed its source or preceded its target before. Most edges of a program are of the first kind, since
//! coherence edges that were forced repeat a path. The transitive closure ([`super::reachability`]) has these nodes; without it they
//! are searched for. Searches follow all edges, not only those in the part of the order that the insertion had to
//! change, and are cut after [`MOST_VISITED`] nodes: what is missed is found as a conflict.

use super::reachability::Reachability;
use super::theory::{Consequence, Theory};
use super::topological_order::{Cause, Edge, Neighbour, TopologicalOrder};
use rustc_hash::FxHashMap;

/// Each search is cut after so many nodes.
const MOST_VISITED: usize = 4096;

/// A conditional edge, by its source.
#[derive(Clone, Copy)]
struct Candidate {
    to: u32,
    literal: i32,
}

/// A read that a node may contain.
#[derive(Clone, Copy)]
struct Read {
    write: u32,
    literal: i32,
}

/// A set of nodes that a search collects.
#[derive(Default)]
struct Reached {
    nodes: Vec<u32>,
    /// By node, the search that collected it last.
    marks: Vec<u32>,
    searches: u32,
}

impl Reached {
    /// The node and all that `next` leads to, without what `known` contains.
    fn collect<'a>(&mut self, start: u32, known: Option<&Reached>, next: impl Fn(u32) -> &'a [Neighbour]) {
        self.searches += 1;
        self.nodes.clear();
        self.nodes.push(start);
        self.marks[start as usize] = self.searches;
        let mut at = 0;
        while at < self.nodes.len() && self.nodes.len() < MOST_VISITED {
            for neighbour in next(self.nodes[at]) {
                let mark = &mut self.marks[neighbour.node as usize];
                if *mark != self.searches && known.is_none_or(|known| !known.contains(neighbour.node)) {
                    *mark = self.searches;
                    self.nodes.push(neighbour.node);
                }
            }
            at += 1;
        }
    }

    /// Marks what is in the list.
    fn mark(&mut self) {
        self.searches += 1;
        for node in &self.nodes {
            self.marks[*node as usize] = self.searches;
        }
    }

    fn contains(&self, node: u32) -> bool {
        self.marks[node as usize] == self.searches
    }
}

#[derive(Default)]
pub(crate) struct ForcedEdges {
    pub(super) enabled: bool,
    pub(super) keep_closure: bool,
    /// By node.
    candidates: Vec<Vec<Candidate>>,
    /// By node.
    reads: Vec<Vec<Read>>,
    /// Literals that must hold, with the length of the trail that forced them.
    queue: Vec<(u32, i32)>,
    next: usize,
    /// By forced literal, the edge that its negation would have activated.
    hints: FxHashMap<i32, Edge>,
    after: Reached,
    before: Reached,
    /// What followed the source and preceded the target of an edge before it was there.
    after_source: Reached,
    before_target: Reached,
    /// Paths, unless there are too many nodes.
    closure: Option<Reachability>,
}

impl ForcedEdges {
    pub(super) fn grow(&mut self, nodes: usize) {
        self.candidates.resize_with(nodes, Vec::new);
        self.reads.resize_with(nodes, Vec::new);
        for reached in [&mut self.after, &mut self.before, &mut self.after_source, &mut self.before_target] {
            reached.marks.resize(nodes, 0);
        }
    }

    pub(super) fn add_candidate(&mut self, from: u32, to: u32, literal: i32) {
        if from != to {
            self.candidates[from as usize].push(Candidate { to, literal });
        }
    }

    pub(super) fn add_read(&mut self, reader: u32, write: u32, literal: i32) {
        self.reads[reader as usize].push(Read { write, literal });
    }

    pub(super) fn undo(&mut self, trail: u32) {
        while self.queue.last().is_some_and(|(stamp, _)| *stamp > trail) {
            self.queue.pop();
        }
        self.next = self.next.min(self.queue.len());
        if let Some(closure) = &mut self.closure {
            closure.undo(trail);
        }
    }

    pub(super) fn next(&mut self) -> Option<i32> {
        let (_, literal) = self.queue.get(self.next)?;
        self.next += 1;
        Some(*literal)
    }

    pub(super) fn hint(&self, literal: i32) -> Option<Edge> {
        self.hints.get(&literal).copied()
    }

    pub(super) fn capacity_bytes(&self) -> usize {
        let candidates: usize = self.candidates.iter().map(|list| list.capacity() * 8 + 24).sum();
        let reads: usize = self.reads.iter().map(|list| list.capacity() * 8 + 24).sum();
        let closure = self.closure.as_ref().map_or(0, Reachability::capacity_bytes);
        closure + candidates + reads + self.hints.capacity() * 40 + self.queue.capacity() * 8
    }

    fn force(&mut self, stamp: u32, literal: i32, from: u32, to: u32, cause: Cause) {
        self.queue.push((stamp, -literal));
        self.hints.insert(-literal, Edge { from, to, stamp, cause });
    }

    /// Whether there is a path, where that is known without a search.
    pub(super) fn knows_path(&self, from: u32, to: u32) -> Option<bool> {
        Some(self.closure.as_ref()?.contains(from, to))
    }

    /// Begins anew with the edges of the graph, all of which are fixed.
    pub(super) fn restart(&mut self, order: &TopologicalOrder) {
        let mut closure = self.closure.take().unwrap_or_default();
        if self.enabled && self.keep_closure && closure.reset(order.len()) {
            for edge in order.edges() {
                if !closure.contains(edge.from, edge.to) {
                    closure.insert(edge.from, edge.to, 0, &mut self.after.nodes, &mut self.before.nodes);
                }
            }
            self.closure = Some(closure);
        }
    }

    /// To be called before the edge is inserted.
    pub(super) fn collect_connected(&mut self, order: &TopologicalOrder, from: u32, to: u32) {
        if self.closure.is_none() {
            self.after_source.collect(from, None, |node| order.successors(node));
            self.before_target.collect(to, None, |node| order.predecessors(node));
        }
    }

    /// To be called when it is inserted. Returns how many nodes were visited.
    fn collect_new(&mut self, order: &TopologicalOrder, edge: Edge) -> usize {
        let Edge { from, to, stamp, .. } = edge;
        if let Some(closure) = &mut self.closure {
            closure.insert(from, to, stamp, &mut self.after.nodes, &mut self.before.nodes);
            self.before.mark();
            return self.after.nodes.len() + self.before.nodes.len();
        }
        self.after.collect(to, Some(&self.after_source), |node| order.successors(node));
        self.before.collect(from, Some(&self.before_target), |node| order.predecessors(node));
        [&self.after_source, &self.before_target, &self.after, &self.before]
            .iter()
            .map(|reached| reached.nodes.len())
            .sum()
    }
}

impl Theory {
    /// Queues the open literals of from-read edges that a true literal makes possible and that would close a cycle.
    pub(super) fn find_forced_accesses(&mut self, literal: i32, consequence: Consequence, stamp: u32) {
        let mut forced = std::mem::take(&mut self.forced);
        match consequence {
            Consequence::Edge { .. } => {}
            Consequence::ReadsFrom { write, reader } => {
                let entry = &self.writes[write as usize];
                if entry.later.iter().any(|later| self.value(later.literal) == 0) {
                    if forced.closure.is_none() {
                        forced.before.collect(reader, None, |node| self.order.predecessors(node));
                        self.statistics.visited += forced.before.nodes.len() as u64;
                    }
                    for later in &entry.later {
                        if later.node != reader
                            && self.value(later.literal) == 0
                            && forced
                                .knows_path(later.node, reader)
                                .unwrap_or_else(|| forced.before.contains(later.node))
                        {
                            let cause =
                                Cause::FromRead { reads_from: literal, coherence: later.literal, write };
                            forced.force(stamp, later.literal, reader, later.node, cause);
                        }
                    }
                }
            }
            Consequence::Coherence { write, later } => {
                let entry = &self.writes[write as usize];
                if entry.readers.iter().any(|reader| self.value(reader.literal) == 0) {
                    if forced.closure.is_none() {
                        forced.after.collect(later, None, |node| self.order.successors(node));
                        self.statistics.visited += forced.after.nodes.len() as u64;
                    }
                    for reader in &entry.readers {
                        if reader.node != later
                            && self.value(reader.literal) == 0
                            && forced
                                .knows_path(later, reader.node)
                                .unwrap_or_else(|| forced.after.contains(reader.node))
                        {
                            let cause =
                                Cause::FromRead { reads_from: reader.literal, coherence: literal, write };
                            forced.force(stamp, reader.literal, reader.node, later, cause);
                        }
                    }
                }
            }
        }
        self.forced = forced;
    }

    /// Queues the open literals whose edges would close a cycle through a new edge, which connects nodes that were not.
    pub(super) fn find_forced_edges(&mut self, edge: Edge) {
        let mut forced = std::mem::take(&mut self.forced);
        self.statistics.visited += forced.collect_new(&self.order, edge) as u64;
        let stamp = edge.stamp;
        for place in 0..forced.after.nodes.len() {
            let from = forced.after.nodes[place];
            for at in 0..forced.candidates[from as usize].len() {
                let Candidate { to, literal } = forced.candidates[from as usize][at];
                if forced.before.contains(to) && self.value(literal) == 0 {
                    forced.force(stamp, literal, from, to, Cause::Literal(literal));
                }
            }
            for at in 0..forced.reads[from as usize].len() {
                let Read { write, literal: reads_from } = forced.reads[from as usize][at];
                let entry = &self.writes[write as usize];
                match self.value(reads_from) {
                    // All later writes follow the read.
                    1 => {
                        for later in &entry.later {
                            if later.node != from
                                && forced.before.contains(later.node)
                                && self.value(later.literal) == 0
                            {
                                let cause = Cause::FromRead { reads_from, coherence: later.literal, write };
                                forced.force(stamp, later.literal, from, later.node, cause);
                            }
                        }
                    }
                    // The write is overwritten before the read.
                    0 => {
                        let hidden = entry
                            .true_later
                            .iter()
                            .find(|later| later.node != from && forced.before.contains(later.node));
                        if let Some(later) = hidden {
                            let cause = Cause::FromRead { reads_from, coherence: later.literal, write };
                            forced.force(stamp, reads_from, from, later.node, cause);
                        }
                    }
                    _ => {}
                }
            }
        }
        self.forced = forced;
    }
}
