//! The transitive closure of the active edges: for each node the sets of its successors and of its predecessors, as bits.
//!
//! Kept up to date while edges are added (Italiano 1986): a new edge changes the rows of nodes that it connects anew, and only
//! these. Rows are saved before they change, so that edges can go in the reverse order of their insertion. Most edges of
//! a program repeat a path, so a query that is one load pays for the updates. Rows of vector clocks (the earliest successor in
//! every thread) would be shorter for few long threads, but not for many short ones.
//!
//! The closure is quadratic in space: beyond [`MOST_NODES`] nodes there is none, and paths are searched for.

/// More nodes have no closure.
const MOST_NODES: usize = 4096;

#[derive(Clone, Copy)]
struct Saved {
    stamp: u32,
    row: u32,
}

#[derive(Default)]
pub(crate) struct Reachability {
    nodes: usize,
    words: usize,
    /// A row of successors a node, then a row of predecessors a node. None contains its own node.
    rows: Vec<u64>,
    /// Rows that were changed, and below what they were.
    saved: Vec<Saved>,
    contents: Vec<u64>,
    /// Of the last edge: its target with all that follows it, its source with all that precedes it.
    targets: Vec<u64>,
    sources: Vec<u64>,
}

impl Reachability {
    /// Without edges. False: there are too many nodes.
    pub(super) fn reset(&mut self, nodes: usize) -> bool {
        self.saved.clear();
        self.contents.clear();
        self.nodes = if nodes <= MOST_NODES { nodes } else { 0 };
        self.words = self.nodes.div_ceil(64);
        self.rows.clear();
        self.rows.resize(2 * self.nodes * self.words, 0);
        self.nodes == nodes
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.rows[row * self.words..][..self.words]
    }

    /// Whether there is a path of at least one edge.
    pub(super) fn contains(&self, from: u32, to: u32) -> bool {
        self.row(from as usize)[to as usize / 64] >> (to % 64) & 1 == 1
    }

    /// Adds an edge between nodes without a path in either direction. What is connected anew is in the two lists: what follows
    /// the target and did not follow the source, what precedes the source and did not precede the target.
    pub(super) fn insert(
        &mut self,
        from: u32,
        to: u32,
        stamp: u32,
        after: &mut Vec<u32>,
        before: &mut Vec<u32>,
    ) {
        let (source, target) = (from as usize, self.nodes + to as usize);
        let (mut targets, mut sources) =
            (std::mem::take(&mut self.targets), std::mem::take(&mut self.sources));
        targets.clear();
        targets.extend_from_slice(self.row(to as usize));
        targets[to as usize / 64] |= 1 << (to % 64);
        sources.clear();
        sources.extend_from_slice(self.row(self.nodes + source));
        sources[source / 64] |= 1 << (from % 64);
        collect(&targets, self.row(source), after);
        collect(&sources, self.row(target), before);
        for node in &*before {
            self.change(*node as usize, stamp, &targets);
        }
        for node in &*after {
            self.change(self.nodes + *node as usize, stamp, &sources);
        }
        (self.targets, self.sources) = (targets, sources);
    }

    fn change(&mut self, row: usize, stamp: u32, more: &[u64]) {
        let words = &mut self.rows[row * self.words..][..self.words];
        if stamp > 0 {
            self.saved.push(Saved { stamp, row: row as u32 });
            self.contents.extend_from_slice(words);
        }
        for (word, more) in words.iter_mut().zip(more) {
            *word |= more;
        }
    }

    /// Removes all edges that came with a longer trail.
    pub(super) fn undo(&mut self, trail: u32) {
        while let Some(saved) = self.saved.last()
            && saved.stamp > trail
        {
            let at = self.contents.len() - self.words;
            self.rows[saved.row as usize * self.words..][..self.words].copy_from_slice(&self.contents[at..]);
            self.contents.truncate(at);
            self.saved.pop();
        }
    }

    pub(super) fn capacity_bytes(&self) -> usize {
        (self.rows.capacity() + self.contents.capacity() + self.saved.capacity()) * 8
    }
}

/// The members of one set that are not in another.
fn collect(set: &[u64], without: &[u64], members: &mut Vec<u32>) {
    members.clear();
    for (place, (word, without)) in set.iter().zip(without).enumerate() {
        let mut left = word & !without;
        while left != 0 {
            members.push(place as u32 * 64 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_and_go_with_edges() {
        let mut reachability = Reachability::default();
        assert!(reachability.reset(70));
        let (mut after, mut before) = (Vec::new(), Vec::new());
        reachability.insert(0, 1, 0, &mut after, &mut before);
        reachability.insert(65, 69, 1, &mut after, &mut before);
        assert_eq!((&after[..], &before[..]), (&[69][..], &[65][..]));
        reachability.insert(1, 65, 2, &mut after, &mut before);
        assert_eq!((&after[..], &before[..]), (&[65, 69][..], &[0, 1][..]));
        assert!(reachability.contains(0, 69) && !reachability.contains(69, 0));
        reachability.undo(1);
        assert!(
            reachability.contains(0, 1) && reachability.contains(65, 69) && !reachability.contains(0, 65)
        );
        assert!(!reachability.reset(MOST_NODES + 1));
    }
}
