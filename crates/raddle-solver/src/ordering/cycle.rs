//! Explanations: a path with few literals between two nodes.
//!
//! Breadth-first by the number of literals that a path needs (Dial 1969): a fixed edge has none, a conditional edge one, a
//! from-read edge two. Literals that several edges share are counted each time. Only edges that came with a trail up to some
//! length are used, so that the reason of a propagation, which is built when it is needed, contains only literals that
//! were true before it. The search stays between the positions of the two nodes.

use super::topological_order::{Edge, TopologicalOrder};

#[derive(Default)]
pub(crate) struct PathSearch {
    /// By node: the search that reached it, the weight there, and the edge by which.
    reached: Vec<(u32, u32, u32)>,
    searches: u32,
    /// Nodes by weight modulo 3.
    buckets: [Vec<u32>; 3],
}

impl PathSearch {
    /// The edges of a path with the fewest literals, from the last to the first.
    pub(crate) fn shortest(
        &mut self,
        order: &TopologicalOrder,
        from: u32,
        to: u32,
        trail: u32,
    ) -> Option<Vec<Edge>> {
        if order.position(from) >= order.position(to) {
            return (from == to).then(Vec::new);
        }
        self.reached.resize(order.len(), (0, 0, 0));
        self.searches += 1;
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        self.reached[from as usize] = (self.searches, 0, u32::MAX);
        self.buckets[0].push(from);
        let (last, mut weight, mut empty) = (order.position(to), 0u32, 0);
        while empty < 3 {
            let Some(node) = self.buckets[weight as usize % 3].pop() else {
                weight += 1;
                empty += 1;
                continue;
            };
            empty = 0;
            if self.reached[node as usize].1 != weight {
                continue;
            }
            if node == to {
                return Some(self.path(order, from, to));
            }
            for neighbour in order.successors(node) {
                let edge = order.edge(neighbour.edge);
                if edge.stamp > trail || order.position(neighbour.node) > last {
                    continue;
                }
                let there = weight + edge.cause.weight() as u32;
                let reached = &mut self.reached[neighbour.node as usize];
                if reached.0 != self.searches || reached.1 > there {
                    *reached = (self.searches, there, neighbour.edge);
                    self.buckets[there as usize % 3].push(neighbour.node);
                }
            }
        }
        None
    }

    fn path(&self, order: &TopologicalOrder, from: u32, to: u32) -> Vec<Edge> {
        let mut path = Vec::new();
        let mut node = to;
        while node != from {
            let edge = order.edge(self.reached[node as usize].2);
            path.push(edge);
            node = edge.from;
        }
        path
    }
}
