//! Partial-order constraints of concurrent programs: events, conditional edges between them, from-read.
//!
//! A problem in the form of Alglave, Kroening and Tautschnig, *Partial orders for efficient bounded model checking of
//! concurrent software* (CAV 2013), section 3: events are nodes, program order is fixed edges, and Boolean formulas say
//! which write a read takes its value from (*reads-from*) and how two writes of one location are ordered (*write
//! serialisation*, *coherence order*). From-read follows: a read precedes all that overwrites what it has read. A valuation
//! is consistent if the edges that it enables, with the fixed and the derived ones, have no cycle.
//!
//! Here a node may contain several reads and writes (an atomic section), so writes have numbers of their own, and an edge
//! that reads-from, coherence or from-read gives between two accesses of one node is dropped. The order of accesses inside
//! a node is not known here: which of its own writes a section may read is the caller's to encode.
//!
//! The description is plain data that only grows; [`crate::Solver`] takes what is new since it was last given. It is decided
//! by a theory ([`theory`]) or by clauses ([`clauses`]).

pub(crate) mod clauses;
pub(crate) mod cycle;
pub(crate) mod decisions;
pub(crate) mod forced_edges;
pub(crate) mod linearisation;
pub(crate) mod order_literals;
pub(crate) mod propagator;
pub(crate) mod reachability;
pub(crate) mod theory;
pub(crate) mod topological_order;

use crate::gates::Formula;
use std::fmt;

/// An event, or several that are atomic together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// A write of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WriteId(pub(crate) u32);

impl NodeId {
    /// The one with this number, for reading what was written.
    pub fn new(index: u32) -> NodeId {
        NodeId(index)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl WriteId {
    /// The one with this number, for reading what was written.
    pub fn new(index: u32) -> WriteId {
        WriteId(index)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

impl fmt::Debug for WriteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "w{}", self.0)
    }
}

/// One constraint of an [`Ordering`], over conditions of some kind: formulas in a problem, literals in a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constraint<Condition> {
    /// `from` precedes `to` in every consistent valuation.
    Fixed { from: NodeId, to: NodeId },
    /// `from` precedes `to` where the condition holds.
    Edge { when: Condition, from: NodeId, to: NodeId },
    /// The reader takes the value of the write, and follows it, where the condition holds.
    ReadsFrom { when: Condition, write: WriteId, reader: NodeId },
    /// A later write of the same location is in the node `later`, where the condition holds.
    Coherence { when: Condition, write: WriteId, later: NodeId },
}

/// How an ordering is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OrderingEncoding {
    /// A theory beside the SAT solver.
    #[default]
    Theory,
    /// The same, with literals and clauses for from-read.
    TheoryWithOrderLiterals,
    /// Clauses only: vertex elimination, or clocks where that is much larger.
    Clauses,
    /// Clauses only, by clocks.
    Clocks,
}

/// Nodes, and what orders them. It only grows.
#[derive(Clone, Default, Debug)]
pub struct Ordering {
    nodes: u32,
    /// By write, its node.
    writes: Vec<NodeId>,
    constraints: Vec<Constraint<Formula>>,
}

impl Ordering {
    pub fn new() -> Ordering {
        Ordering::default()
    }

    /// A new node.
    pub fn node(&mut self) -> NodeId {
        self.nodes += 1;
        NodeId(self.nodes - 1)
    }

    /// A new write in a node.
    pub fn write(&mut self, node: NodeId) -> WriteId {
        assert!(node.0 < self.nodes, "a node of this ordering");
        self.writes.push(node);
        WriteId((self.writes.len() - 1) as u32)
    }

    /// `from` precedes `to`: program order, creation and join of threads.
    pub fn fixed(&mut self, from: NodeId, to: NodeId) {
        self.add(Constraint::Fixed { from, to });
    }

    /// `from` precedes `to` where the formula holds. Two edges may have the same formula, or opposite ones. The formula
    /// of an edge from a node to itself holds nowhere.
    pub fn edge(&mut self, when: Formula, from: NodeId, to: NodeId) {
        self.add(Constraint::Edge { when, from, to });
    }

    /// Reads-from: where the formula holds, the node contains a read that takes its value from the write.
    pub fn reads_from(&mut self, when: Formula, write: WriteId, reader: NodeId) {
        self.add(Constraint::ReadsFrom { when, write, reader });
    }

    /// Write serialisation: where the formula holds, the node `later` contains a write of the same location that follows
    /// the write. Every read of the write precedes that node then (from-read).
    pub fn coherence(&mut self, when: Formula, write: WriteId, later: NodeId) {
        self.add(Constraint::Coherence { when, write, later });
    }

    fn add(&mut self, constraint: Constraint<Formula>) {
        let (nodes, write) = match constraint {
            Constraint::Fixed { from, to } | Constraint::Edge { from, to, .. } => ([from, to], None),
            Constraint::ReadsFrom { write, reader: node, .. }
            | Constraint::Coherence { write, later: node, .. } => ([node, node], Some(write)),
        };
        assert!(nodes.iter().all(|node| node.0 < self.nodes), "nodes of this ordering");
        assert!(write.is_none_or(|write| write.index() < self.writes.len()), "a write of this ordering");
        self.constraints.push(constraint);
    }

    pub fn node_count(&self) -> usize {
        self.nodes as usize
    }

    /// By write, its node.
    pub fn writes(&self) -> &[NodeId] {
        &self.writes
    }

    pub fn constraints(&self) -> &[Constraint<Formula>] {
        &self.constraints
    }
}

impl<Condition: Copy> Constraint<Condition> {
    pub(crate) fn condition(&self) -> Option<Condition> {
        match *self {
            Constraint::Fixed { .. } => None,
            Constraint::Edge { when, .. }
            | Constraint::ReadsFrom { when, .. }
            | Constraint::Coherence { when, .. } => Some(when),
        }
    }

    pub(crate) fn map<Other>(self, mut condition: impl FnMut(Condition) -> Other) -> Constraint<Other> {
        match self {
            Constraint::Fixed { from, to } => Constraint::Fixed { from, to },
            Constraint::Edge { when, from, to } => Constraint::Edge { when: condition(when), from, to },
            Constraint::ReadsFrom { when, write, reader } => {
                Constraint::ReadsFrom { when: condition(when), write, reader }
            }
            Constraint::Coherence { when, write, later } => {
                Constraint::Coherence { when: condition(when), write, later }
            }
        }
    }
}
