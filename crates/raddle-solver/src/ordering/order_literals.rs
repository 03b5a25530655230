//! From-read with a literal for the order of a read and a later write.
//!
//! A reads-from literal and a coherence literal imply the literal of the from-read edge, as clauses, in place of an edge that
//! the theory composes (Alglave, Kroening and Tautschnig, CAV 2013). Two nodes are ordered one way or the other, so the
//! negation of the literal is the opposite edge. What is learnt about the order of a read and a write is then one
//! literal, whatever write the read takes its value from, and explanations are shorter; the price is a clause for each
//! read and each pair of writes.
//!
//! The literal is new and means the order of the two nodes in any linearisation, so adding it excludes nothing.

use super::{Constraint, NodeId};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub(crate) struct OrderLiterals {
    /// By write, its readers and the nodes of later writes, with their literals.
    readers: Vec<Vec<(i32, NodeId)>>,
    later: Vec<Vec<(i32, NodeId)>>,
    /// By two nodes, the smaller one first: the literal of that order.
    orders: FxHashMap<(NodeId, NodeId), i32>,
}

impl OrderLiterals {
    /// Turns reads-from and coherence into edges and clauses. New variables are from `next` on.
    pub(crate) fn replace(
        &mut self,
        writes: &[NodeId],
        constraints: &[Constraint<i32>],
        next: &mut i32,
    ) -> (Vec<Constraint<i32>>, Vec<[i32; 3]>) {
        self.readers.resize_with(writes.len(), Vec::new);
        self.later.resize_with(writes.len(), Vec::new);
        let (mut replaced, mut clauses) = (Vec::new(), Vec::new());
        for constraint in constraints {
            let (write, when, node, is_reader) = match *constraint {
                Constraint::Fixed { .. } | Constraint::Edge { .. } => {
                    replaced.push(*constraint);
                    continue;
                }
                Constraint::ReadsFrom { when, write, reader } => (write, when, reader, true),
                Constraint::Coherence { when, write, later } => (write, when, later, false),
            };
            let from = writes[write.index()];
            if from != node {
                replaced.push(Constraint::Edge { when, from, to: node });
            }
            let (own, others) =
                if is_reader { (&mut self.readers, &self.later) } else { (&mut self.later, &self.readers) };
            own[write.index()].push((when, node));
            for (other, other_node) in &others[write.index()] {
                let (reader, later) = if is_reader { (node, *other_node) } else { (*other_node, node) };
                if reader == later {
                    continue;
                }
                let (first, second) = (reader.min(later), reader.max(later));
                let order = *self.orders.entry((first, second)).or_insert_with(|| {
                    let order = *next;
                    *next += 1;
                    replaced.push(Constraint::Edge { when: order, from: first, to: second });
                    replaced.push(Constraint::Edge { when: -order, from: second, to: first });
                    order
                });
                let precedes = if reader == first { order } else { -order };
                clauses.push([-when, -*other, precedes]);
            }
        }
        (replaced, clauses)
    }
}
