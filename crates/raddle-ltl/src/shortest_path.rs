//! Breadth-first search for a path that gathers marks.
//!
//! The search runs over pairs of a node and the marks gathered on the way to it, so that the first pair that is wanted
//! ends a shortest path. With nothing to gather it is the usual search over nodes.

use crate::emptiness::Graph;
use rustc_hash::FxHashSet;

/// A path; `marks` has one entry an edge, so one less than there are nodes.
pub(crate) struct Path<Node> {
    pub nodes: Vec<Node>,
    pub marks: Vec<u64>,
}

pub(crate) enum Found<Node> {
    Path(Path<Node>),
    /// More pairs than allowed.
    TooMany,
}

/// Where to search and what for.
pub(crate) struct PathSearch<'s, Node, Within, Wanted> {
    pub from: &'s [Node],
    /// The marks that are gathered; the others are ignored.
    pub gather: u64,
    /// The path keeps to these nodes.
    pub within: Within,
    /// Whether a path of at least one edge may end at this node with these marks.
    pub wanted: Wanted,
    /// How many pairs may be visited.
    pub limit: usize,
}

/// A pair that was reached.
struct Reached<Node> {
    node: Node,
    gathered: u64,
    /// The place of the pair before it, or `START`, and the marks of the edge between.
    before: usize,
    marks: u64,
}

const START: usize = usize::MAX;

impl<Node, Within, Wanted> PathSearch<'_, Node, Within, Wanted>
where
    Node: Copy + Eq + std::hash::Hash,
    Within: Fn(&Node) -> bool,
    Wanted: Fn(Node, u64) -> bool,
{
    /// # Panics
    /// When there is no such path. The caller knows that there is one, unless the graph contradicts itself.
    pub fn run<G: Graph<Node = Node>>(&self, graph: &mut G) -> Result<Found<Node>, G::Stop> {
        // In the order of discovery: both the queue and the record of how each pair was reached.
        let mut reached: Vec<Reached<Node>> = Vec::new();
        let mut seen: FxHashSet<(Node, u64)> = FxHashSet::default();
        for &node in self.from {
            if seen.insert((node, 0)) {
                reached.push(Reached { node, gathered: 0, before: START, marks: 0 });
            }
        }
        let mut edges = Vec::new();
        let mut next = 0;
        while next < reached.len() {
            graph.successors(reached[next].node, &mut edges)?;
            for (node, marks) in edges.drain(..).filter(|(node, _)| (self.within)(node)) {
                let gathered = reached[next].gathered | marks & self.gather;
                let pair = Reached { node, gathered, before: next, marks };
                if (self.wanted)(node, gathered) {
                    return Ok(Found::Path(path_to(&reached, pair)));
                }
                if seen.insert((node, gathered)) {
                    reached.push(pair);
                }
            }
            if reached.len() > self.limit {
                return Ok(Found::TooMany);
            }
            next += 1;
        }
        panic!("the graph gave other successors when it was asked again");
    }
}

fn path_to<Node: Copy>(reached: &[Reached<Node>], last: Reached<Node>) -> Path<Node> {
    let mut path = Path { nodes: Vec::new(), marks: Vec::new() };
    let mut at = &last;
    loop {
        path.nodes.push(at.node);
        if at.before == START {
            break;
        }
        path.marks.push(at.marks);
        at = &reached[at.before];
    }
    path.nodes.reverse();
    path.marks.reverse();
    path
}
