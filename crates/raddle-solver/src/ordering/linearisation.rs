//! A sequence of all nodes that respects the edges of a model: an interleaving.
//!
//! Topological sort by counting predecessors (Kahn 1962). Which of the nodes that could come next does, is the caller's
//! choice, for instance the one with the fewest context switches.

use super::NodeId;
use super::{Constraint, Ordering};
use crate::gates::Formula;

/// All nodes, each after its predecessors in the model. `pick` chooses among the nodes that are ready, in increasing order,
/// by index.
pub(crate) fn linearise(
    ordering: &Ordering,
    mut holds: impl FnMut(Formula) -> bool,
    mut pick: impl FnMut(&[NodeId]) -> usize,
) -> Vec<NodeId> {
    let edges = edges_of(ordering, &mut holds);
    let mut successors = vec![Vec::new(); ordering.node_count()];
    let mut missing = vec![0usize; ordering.node_count()];
    for (from, to) in edges {
        successors[from.index()].push(to);
        missing[to.index()] += 1;
    }
    let mut ready: Vec<NodeId> =
        (0..ordering.node_count() as u32).map(NodeId).filter(|node| missing[node.index()] == 0).collect();
    let mut sequence = Vec::with_capacity(ordering.node_count());
    while !ready.is_empty() {
        let node = ready.remove(pick(&ready));
        sequence.push(node);
        for to in &successors[node.index()] {
            missing[to.index()] -= 1;
            if missing[to.index()] == 0 {
                let at = ready.partition_point(|other| other < to);
                ready.insert(at, *to);
            }
        }
    }
    assert_eq!(sequence.len(), ordering.node_count(), "the edges of a model have no cycle");
    sequence
}

/// The fixed, true and derived edges between different nodes.
fn edges_of(ordering: &Ordering, holds: &mut impl FnMut(Formula) -> bool) -> Vec<(NodeId, NodeId)> {
    let writes = ordering.writes();
    let mut readers = vec![Vec::new(); writes.len()];
    let mut later_nodes = vec![Vec::new(); writes.len()];
    let mut edges = Vec::new();
    for constraint in ordering.constraints() {
        match *constraint {
            Constraint::Fixed { from, to } => edges.push((from, to)),
            Constraint::Edge { when, from, to } => {
                if holds(when) {
                    edges.push((from, to));
                }
            }
            Constraint::ReadsFrom { when, write, reader } => {
                if holds(when) {
                    edges.push((writes[write.index()], reader));
                    readers[write.index()].push(reader);
                }
            }
            Constraint::Coherence { when, write, later } => {
                if holds(when) {
                    edges.push((writes[write.index()], later));
                    later_nodes[write.index()].push(later);
                }
            }
        }
    }
    for (readers, later_nodes) in readers.iter().zip(&later_nodes) {
        edges.extend(readers.iter().flat_map(|reader| later_nodes.iter().map(|later| (*reader, *later))));
    }
    edges.retain(|(from, to)| from != to);
    edges.sort_unstable();
    edges.dedup();
    edges
}
