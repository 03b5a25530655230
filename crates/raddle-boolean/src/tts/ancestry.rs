//! The tree of a forward search: which nodes are ancestors of a node, and below a vector?
//!
//! Walking to the root at every new node costs the square of the depth, and a stretch of local code makes deep trees.
//! So candidates come from an index instead: each node watches one of its local states, the one with the fewest
//! watchers when it came, and only watchers of the local states of the vector are compared. Whether a node is an
//! ancestor is decided by jump pointers in logarithmic time (Myers, *An applicative random-access stack*, 1983).

use super::vector::{Entries, is_below, signature};
use rustc_hash::FxHashMap;

/// The nodes of a search, by number.
#[derive(Debug, Default)]
pub struct Ancestry {
    nodes: Vec<Node>,
    /// Nodes by shared state and the local state that they watch; those without threads watch nothing.
    watchers: FxHashMap<(u32, Option<u32>), Vec<u32>>,
    /// Vectors that were compared.
    pub compared: u64,
}

#[derive(Debug)]
struct Node {
    depth: u32,
    /// The parent; itself at the root.
    parent: u32,
    /// Some ancestor, far away.
    jump: u32,
    entries: Entries,
    signature: u64,
}

impl Ancestry {
    /// Adds the next node.
    pub fn push(&mut self, parent: Option<u32>, shared: u32, entries: Entries) {
        let number = self.nodes.len() as u32;
        let (depth, parent, jump) = match parent {
            None => (0, number, number),
            Some(parent) => {
                let up = &self.nodes[parent as usize];
                let far = &self.nodes[up.jump as usize];
                let farther = &self.nodes[far.jump as usize];
                let even = up.depth - far.depth == far.depth - farther.depth;
                (up.depth + 1, parent, if even { far.jump } else { parent })
            }
        };
        let watchers = |local: u32| self.watchers.get(&(shared, Some(local))).map_or(0, Vec::len);
        let watched = entries.iter().map(|(local, _)| *local).min_by_key(|local| watchers(*local));
        self.watchers.entry((shared, watched)).or_default().push(number);
        let signature = signature(&entries);
        self.nodes.push(Node { depth, parent, jump, entries, signature });
    }

    /// How many steps a node is away from the root.
    pub fn depth(&self, node: u32) -> u32 {
        self.nodes[node as usize].depth
    }

    /// Whether `ancestor` is on the way from the root to `node`, itself included.
    pub fn is_ancestor(&self, ancestor: u32, node: u32) -> bool {
        let depth = self.nodes[ancestor as usize].depth;
        let mut at = node;
        while self.nodes[at as usize].depth > depth {
            let here = &self.nodes[at as usize];
            at = if self.nodes[here.jump as usize].depth >= depth { here.jump } else { here.parent };
        }
        at == ancestor
    }

    /// The ancestors of `node`, itself included, with this shared state that are below `entries`; the nearest first.
    pub fn below(&mut self, node: u32, shared: u32, entries: &[(u32, u32)], bitset: bool) -> Vec<u32> {
        let bits = signature(entries);
        let mut found = Vec::new();
        for local in entries.iter().map(|(local, _)| Some(*local)).chain([None]) {
            for candidate in self.watchers.get(&(shared, local)).into_iter().flatten() {
                let known = &self.nodes[*candidate as usize];
                if bitset && known.signature & !bits != 0 {
                    continue;
                }
                self.compared += 1;
                if is_below(&known.entries, entries) && self.is_ancestor(*candidate, node) {
                    found.push(*candidate);
                }
            }
        }
        // A later one of them is nearer.
        found.sort_unstable_by(|a, b| b.cmp(a));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_are_those_on_the_way() {
        // Node n hangs below node n / 3.
        let mut tree = Ancestry::default();
        tree.push(None, 0, Entries::from([]));
        for n in 1..400u32 {
            tree.push(Some(n / 3), 0, Entries::from([(n, 1)]));
        }
        for node in 0..400u32 {
            let mut way = vec![node];
            while let Some(last) = way.last().filter(|n| **n > 0) {
                way.push(last / 3);
            }
            for other in 0..400 {
                assert_eq!(tree.is_ancestor(other, node), way.contains(&other), "{other} above {node}");
            }
        }
    }

    #[test]
    fn only_ancestors_below_with_the_same_shared_state() {
        let mut tree = Ancestry::default();
        tree.push(None, 0, Entries::from([]));
        tree.push(Some(0), 1, Entries::from([(1, 1)]));
        tree.push(Some(1), 0, Entries::from([(1, 1), (2, 2)]));
        tree.push(Some(0), 0, Entries::from([(1, 1)]));
        for bitset in [true, false] {
            assert_eq!(tree.below(2, 0, &[(1, 1), (2, 3)], bitset), [2, 0]);
            assert_eq!(tree.below(2, 0, &[(1, 1), (2, 1)], bitset), [0]);
            assert_eq!(tree.below(3, 0, &[(1, 5), (2, 3)], bitset), [3, 0]);
            assert_eq!(tree.below(2, 1, &[(1, 5), (2, 3)], bitset), [1]);
        }
    }
}
