//! Emptiness check of generalised Büchi automata, on the fly: the search for a reachable cycle that carries every mark.
//!
//! The search is one depth-first walk that keeps the strongly connected components of the part seen so far, each with
//! the union of the marks of its inner edges: Couvreur, "On-the-fly verification of linear temporal logic" (FM 1999,
//! section 3), and Geldenhuys & Valmari, "More efficient on-the-fly LTL verification with Tarjan's algorithm" (TCS
//! 345, 2005). It stops at the very edge that completes a component with all marks, which a nested search with
//! generalised acceptance does not, and its cost does not grow with the number of marks.
//!
//! Deviations: the position of a node on the stack of live nodes is its number, so numbers are reused when a
//! component dies and four billion *live* nodes are the limit. The lasso is not read off the search stack, which is
//! long; it is searched again, breadth-first: the stem through nodes that were seen, to the nearest node of the
//! component, then a shortest cycle from there inside the component. A cycle with many marks in a large component may
//! have too many combinations for that; then it is put together from mark to mark, always by the nearest edge that
//! carries something still missing (on random graphs a fifth longer). This second search computes successors again, so
//! a graph must give the same answer twice.
//!
//! Memory: one hash-table entry a node: the node and four bytes, rounded up to the node's alignment, and one control
//! byte, over a load of at most 7/8 (10 to 21 bytes for a `u32` node). Live nodes (not yet in a finished component)
//! take the node once more; nodes on the current path 16 bytes, 24 more while they head a component, and 16 for each
//! untried successor (for `u32` nodes). No recursion.

use crate::shortest_path::{Found, Path, PathSearch};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Pairs of a node and gathered marks that the search for a shortest cycle may visit.
const MAXIMUM_PAIRS: usize = 50_000;

/// A graph with marks on its edges, given by its successor function.
///
/// Only infinite paths count. A system that may end must be given a loop where it ends, or its finite runs are passed
/// over in silence.
pub trait Graph {
    type Node: Copy + Eq + Hash;
    /// Why the graph would not go on: a limit, an interruption. Passed through untouched.
    type Stop;

    /// Appends the nodes where a path may begin.
    fn initial(&mut self, out: &mut Vec<Self::Node>);

    /// Appends the edges of `node`, each as its target and its marks; `out` is empty on entry. The same node must have
    /// the same edges in the same order at every call.
    fn successors(&mut self, node: Self::Node, out: &mut Vec<(Self::Node, u64)>) -> Result<(), Self::Stop>;
}

/// An infinite path: the stem, then the cycle again and again. `stem` followed by `cycle` is a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso<Node> {
    /// From an initial node to the node where the cycle closes; never empty.
    pub stem: Vec<Node>,
    /// The nodes after the last of the stem, up to and including that node again; never empty.
    pub cycle: Vec<Node>,
    /// The marks of the edge *into* each node of `cycle`; their union is all marks that are required. Needed because a
    /// pair of nodes may have several edges.
    pub cycle_marks: Vec<u64>,
}

/// Finds a reachable cycle whose edges together carry `all_marks`; with no marks, any reachable cycle.
///
/// The same graph gives the same lasso.
pub fn find_lasso<G: Graph>(graph: &mut G, all_marks: u64) -> Result<Option<Lasso<G::Node>>, G::Stop> {
    let mut search =
        Search { graph, all_marks, places: FxHashMap::default(), live: Vec::new(), roots: Vec::new() };
    let mut initial = Vec::new();
    search.graph.initial(&mut initial);
    for &start in &initial {
        if search.places.contains_key(&start) {
            continue;
        }
        if let Some(root) = search.walk_from(start)? {
            return search.lasso(&initial, root).map(Some);
        }
    }
    Ok(None)
}

/// The place of a node whose component is finished and has no accepting cycle.
const DEAD: u32 = u32::MAX;

/// A strongly connected component of the part seen so far that the current path runs through.
#[derive(Clone, Copy)]
struct Root {
    /// Its first node's place in `live`; the nodes from there to the next root's are the component.
    place: u32,
    /// The marks of the path's edge into it.
    entry: u64,
    /// The marks of the edges inside.
    inner: u64,
}

/// A node of the current path.
struct Frame {
    place: u32,
    /// Where its untried successors begin in the shared stack; they are kept in reverse, to be popped.
    first_successor: usize,
}

struct Search<'g, G: Graph> {
    graph: &'g mut G,
    all_marks: u64,
    /// Each node seen: its place in `live`, or `DEAD`.
    places: FxHashMap<G::Node, u32>,
    live: Vec<G::Node>,
    roots: Vec<Root>,
}

impl<G: Graph> Search<'_, G> {
    /// Walks everything reachable from `start` that was not seen; answers with the place of the root of an accepting
    /// component.
    fn walk_from(&mut self, start: G::Node) -> Result<Option<u32>, G::Stop> {
        let mut path: Vec<Frame> = Vec::new();
        let mut untried: Vec<(G::Node, u64)> = Vec::new();
        let mut fresh: Vec<(G::Node, u64)> = Vec::new();
        let mut entering = Some((start, 0));
        loop {
            if let Some((node, entry)) = entering.take() {
                let place = u32::try_from(self.live.len()).ok().filter(|&place| place != DEAD);
                let place = place.expect("fewer than 2^32 live nodes");
                self.places.insert(node, place);
                self.live.push(node);
                self.roots.push(Root { place, entry, inner: 0 });
                self.graph.successors(node, &mut fresh)?;
                path.push(Frame { place, first_successor: untried.len() });
                untried.extend(fresh.drain(..).rev());
            }
            let Some(frame) = path.last() else { return Ok(None) };
            if untried.len() > frame.first_successor {
                let (target, marks) = untried.pop().expect("there is one");
                match self.places.get(&target) {
                    None => entering = Some((target, marks)),
                    Some(&DEAD) => {}
                    Some(&place) => {
                        let root = self.merge_down_to(place, marks);
                        if root.inner & self.all_marks == self.all_marks {
                            return Ok(Some(root.place));
                        }
                    }
                }
                continue;
            }
            let finished = frame.place;
            path.pop();
            if self.roots.last().is_some_and(|root| root.place == finished) {
                self.roots.pop();
                for node in self.live.drain(finished as usize..) {
                    self.places.insert(node, DEAD);
                }
            }
        }
    }

    /// An edge goes back to the live node at `place`: all components above the one that holds it become one with it.
    fn merge_down_to(&mut self, place: u32, marks: u64) -> Root {
        let mut gathered = marks;
        while self.roots.last().is_some_and(|root| root.place > place) {
            let root = self.roots.pop().expect("there is one");
            gathered |= root.entry | root.inner;
        }
        let root = self.roots.last_mut().expect("a live node belongs to a component");
        root.inner |= gathered;
        *root
    }

    /// The accepting component is every live node from `root` on.
    fn lasso(&mut self, initial: &[G::Node], root: u32) -> Result<Lasso<G::Node>, G::Stop> {
        let places = &self.places;
        let all_marks = self.all_marks;
        let inside = |node: &G::Node| places.get(node).is_some_and(|&place| place != DEAD && place >= root);
        let stem = match initial.iter().find(|node| inside(node)) {
            Some(&node) => vec![node],
            None => {
                let search = PathSearch {
                    from: initial,
                    gather: 0,
                    within: |node: &G::Node| places.contains_key(node),
                    wanted: |node, _| inside(&node),
                    limit: usize::MAX,
                };
                search.run(self.graph)?.path().nodes
            }
        };
        let home = *stem.last().expect("a stem has an end");
        let shortest = PathSearch {
            from: &[home],
            gather: all_marks,
            within: inside,
            wanted: |node, gathered| node == home && gathered == all_marks,
            limit: MAXIMUM_PAIRS,
        };
        if let Found::Path(path) = shortest.run(self.graph)? {
            return Ok(Lasso { stem, cycle: path.nodes[1..].to_vec(), cycle_marks: path.marks });
        }
        let mut lasso = Lasso { stem, cycle: Vec::new(), cycle_marks: Vec::new() };
        let mut at = home;
        let mut missing = all_marks;
        loop {
            let nearest = PathSearch {
                from: &[at],
                gather: missing,
                within: inside,
                wanted: |node, gathered| if missing == 0 { node == home } else { gathered != 0 },
                limit: usize::MAX,
            };
            let path = nearest.run(self.graph)?.path();
            lasso.cycle.extend(&path.nodes[1..]);
            lasso.cycle_marks.extend(&path.marks);
            missing &= !path.marks.iter().fold(0, |sum, marks| sum | marks);
            at = *lasso.cycle.last().expect("the path has an edge");
            if missing == 0 && at == home {
                return Ok(lasso);
            }
        }
    }
}

impl<Node> Found<Node> {
    fn path(self) -> Path<Node> {
        match self {
            Found::Path(path) => path,
            Found::TooMany => unreachable!("the search had no limit"),
        }
    }
}
