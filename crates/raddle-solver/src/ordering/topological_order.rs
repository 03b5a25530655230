//! Incremental cycle detection: a graph that grows and shrinks by its last edges, with a topological order kept up to date.
//!
//! Pearce and Kelly, *A dynamic topological sort algorithm for directed acyclic graphs* (2006): an edge against the order
//! is searched for, forwards from its target and backwards from its source, only between the positions of the two, and
//! what was found shares its positions anew. Edges are removed in the reverse order of their insertion; the order stays,
//! because it is one of every subgraph.
//!
//! Two-way search by levels (Bender, Fineman, Gilbert and Tarjan 2016) has the better bound for sparse graphs. Levels only
//! rise, though, and would have to be restored when edges go; positions need not be.

/// Why an edge is there. Literals are those of the SAT solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    Fixed,
    Literal(i32),
    /// From-read: a read of the write, and a later write.
    FromRead {
        reads_from: i32,
        coherence: i32,
        write: u32,
    },
}

impl Cause {
    pub(crate) fn literals(self) -> impl Iterator<Item = i32> {
        let (first, second) = match self {
            Cause::Fixed => (None, None),
            Cause::Literal(literal) => (Some(literal), None),
            Cause::FromRead { reads_from, coherence, .. } => (Some(reads_from), Some(coherence)),
        };
        first.into_iter().chain(second)
    }

    /// How many literals it adds to an explanation.
    pub(crate) fn weight(self) -> usize {
        match self {
            Cause::Fixed => 0,
            Cause::Literal(_) => 1,
            Cause::FromRead { .. } => 2,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// The length of the trail with which it came; 0 for fixed edges.
    pub(crate) stamp: u32,
    pub(crate) cause: Cause,
}

/// The other end of an edge, and its number.
#[derive(Clone, Copy)]
pub(crate) struct Neighbour {
    pub(crate) node: u32,
    pub(crate) edge: u32,
}

/// An acyclic graph with a topological order of its nodes.
#[derive(Default)]
pub(crate) struct TopologicalOrder {
    /// By node, its position.
    position: Vec<u32>,
    /// By position, its node.
    sequence: Vec<u32>,
    successors: Vec<Vec<Neighbour>>,
    predecessors: Vec<Vec<Neighbour>>,
    edges: Vec<Edge>,
    /// By node, the search that visited it last.
    visited: Vec<u32>,
    searches: u32,
    forward: Vec<u32>,
    backward: Vec<u32>,
    pool: Vec<u32>,
}

/// The edge would have closed a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cyclic;

impl TopologicalOrder {
    pub(crate) fn grow(&mut self, nodes: usize) {
        while self.position.len() < nodes {
            self.sequence.push(self.position.len() as u32);
            self.position.push(self.position.len() as u32);
            self.successors.push(Vec::new());
            self.predecessors.push(Vec::new());
            self.visited.push(0);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.position.len()
    }

    pub(crate) fn edge(&self, number: u32) -> Edge {
        self.edges[number as usize]
    }

    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(crate) fn successors(&self, node: u32) -> &[Neighbour] {
        &self.successors[node as usize]
    }

    pub(crate) fn predecessors(&self, node: u32) -> &[Neighbour] {
        &self.predecessors[node as usize]
    }

    pub(crate) fn position(&self, node: u32) -> u32 {
        self.position[node as usize]
    }

    /// All nodes, in the order.
    pub(crate) fn sequence(&self) -> &[u32] {
        &self.sequence
    }

    pub(crate) fn capacity_bytes(&self) -> usize {
        let neighbours: usize =
            self.successors.iter().chain(&self.predecessors).map(|list| list.capacity() * 8 + 24).sum();
        neighbours + self.edges.capacity() * size_of::<Edge>() + self.position.len() * 8
    }

    /// Whether there is a path from the one node to the other.
    pub(crate) fn reaches(&mut self, from: u32, to: u32) -> bool {
        let last = self.position(to);
        if self.position(from) >= last {
            return from == to;
        }
        self.searches += 1;
        self.forward.clear();
        self.forward.push(from);
        self.visited[from as usize] = self.searches;
        while let Some(node) = self.forward.pop() {
            for neighbour in &self.successors[node as usize] {
                let at = neighbour.node as usize;
                if neighbour.node == to {
                    return true;
                }
                if self.position[at] < last && self.visited[at] != self.searches {
                    self.visited[at] = self.searches;
                    self.forward.push(neighbour.node);
                }
            }
        }
        false
    }

    /// Adds an edge unless it would close a cycle. One beside an edge that needs as few literals is left out: the other one
    /// stays longer.
    pub(crate) fn insert(&mut self, edge: Edge) -> Result<(), Cyclic> {
        let (from, to) = (edge.from as usize, edge.to as usize);
        if from == to {
            return Err(Cyclic);
        }
        if self.position[from] > self.position[to] {
            self.make_room(edge.from, edge.to)?;
        } else if self.has_edge(from, to, edge.cause.weight()) {
            return Ok(());
        }
        let number = self.edges.len() as u32;
        self.successors[from].push(Neighbour { node: edge.to, edge: number });
        self.predecessors[to].push(Neighbour { node: edge.from, edge: number });
        self.edges.push(edge);
        Ok(())
    }

    fn has_edge(&self, from: usize, to: usize, weight: usize) -> bool {
        let (successors, predecessors) = (&self.successors[from], &self.predecessors[to]);
        let (list, other) = if successors.len() <= predecessors.len() {
            (successors, to as u32)
        } else {
            (predecessors, from as u32)
        };
        list.iter().any(|neighbour| {
            neighbour.node == other && self.edges[neighbour.edge as usize].cause.weight() <= weight
        })
    }

    /// Removes all edges that came with a longer trail.
    pub(crate) fn undo(&mut self, trail: u32) {
        while let Some(edge) = self.edges.last()
            && edge.stamp > trail
        {
            self.successors[edge.from as usize].pop();
            self.predecessors[edge.to as usize].pop();
            self.edges.pop();
        }
    }

    /// Moves `to` and what follows it behind `from` and what precedes it.
    fn make_room(&mut self, from: u32, to: u32) -> Result<(), Cyclic> {
        let (low, high) = (self.position(to), self.position(from));
        self.searches += 1;
        self.forward.clear();
        self.forward.push(to);
        self.visited[to as usize] = self.searches;
        let mut next = 0;
        while let Some(node) = self.forward.get(next).copied() {
            next += 1;
            for neighbour in &self.successors[node as usize] {
                let at = neighbour.node as usize;
                if neighbour.node == from {
                    return Err(Cyclic);
                }
                if self.position[at] < high && self.visited[at] != self.searches {
                    self.visited[at] = self.searches;
                    self.forward.push(neighbour.node);
                }
            }
        }
        self.backward.clear();
        self.backward.push(from);
        self.visited[from as usize] = self.searches;
        next = 0;
        while let Some(node) = self.backward.get(next).copied() {
            next += 1;
            for neighbour in &self.predecessors[node as usize] {
                let at = neighbour.node as usize;
                if self.position[at] > low && self.visited[at] != self.searches {
                    self.visited[at] = self.searches;
                    self.backward.push(neighbour.node);
                }
            }
        }
        let position = &self.position;
        self.forward.sort_unstable_by_key(|node| position[*node as usize]);
        self.backward.sort_unstable_by_key(|node| position[*node as usize]);
        self.pool.clear();
        self.pool.extend(self.backward.iter().chain(&self.forward).map(|node| position[*node as usize]));
        self.pool.sort_unstable();
        for (node, position) in self.backward.iter().chain(&self.forward).zip(&self.pool) {
            self.position[*node as usize] = *position;
            self.sequence[*position as usize] = *node;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: u32, to: u32, stamp: u32) -> Edge {
        Edge { from, to, stamp, cause: Cause::Literal(1) }
    }

    #[test]
    fn edges_go_in_the_reverse_order_and_positions_stay_valid() {
        let mut order = TopologicalOrder::default();
        order.grow(4);
        assert_eq!(order.insert(edge(3, 2, 1)), Ok(()));
        assert_eq!(order.insert(edge(2, 1, 2)), Ok(()));
        assert_eq!(order.insert(edge(1, 3, 3)), Err(Cyclic));
        assert_eq!(order.insert(edge(1, 0, 3)), Ok(()));
        assert_eq!(order.insert(edge(0, 3, 4)), Err(Cyclic));
        order.undo(1);
        assert_eq!(order.insert(edge(1, 3, 2)), Ok(()));
        assert_eq!(order.insert(edge(2, 1, 3)), Err(Cyclic));
        assert!(order.position(1) < order.position(3) && order.position(3) < order.position(2));
    }
}
