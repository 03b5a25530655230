//! The search for accepting cycles against brute force on random explicit graphs.

mod support;

use raddle_ltl::{Graph, Lasso, find_lasso};
use support::random::Random;

/// A graph with all its edges, and a count of the questions asked.
struct Explicit {
    initial: Vec<u32>,
    edges: Vec<Vec<(u32, u64)>>,
    asked: usize,
    /// The search is stopped at this question.
    patience: usize,
}

#[derive(PartialEq, Eq, Debug)]
struct OutOfPatience;

impl Graph for Explicit {
    type Node = u32;
    type Stop = OutOfPatience;

    fn initial(&mut self, out: &mut Vec<u32>) {
        out.extend(&self.initial);
    }

    fn successors(&mut self, node: u32, out: &mut Vec<(u32, u64)>) -> Result<(), OutOfPatience> {
        assert!(out.is_empty());
        self.asked += 1;
        if self.asked > self.patience {
            return Err(OutOfPatience);
        }
        out.extend(&self.edges[node as usize]);
        Ok(())
    }
}

fn explicit(initial: &[u32], size: usize, edges: &[(u32, u32, u64)]) -> Explicit {
    let mut graph =
        Explicit { initial: initial.to_vec(), edges: vec![vec![]; size], asked: 0, patience: usize::MAX };
    for &(source, target, marks) in edges {
        graph.edges[source as usize].push((target, marks));
    }
    graph
}

fn random_graph(random: &mut Random, largest: u64, marks: u64) -> Explicit {
    let size = 1 + random.below(largest);
    let count = size + random.below(size * 2 + 2);
    let edges: Vec<(u32, u32, u64)> = (0..count)
        .map(|_| {
            // Most edges carry little, so that the marks of a component are found in several places.
            let carried = if random.below(2) == 0 { 0 } else { random.next() & random.next() & marks };
            (random.below(size) as u32, random.below(size) as u32, carried)
        })
        .collect();
    let initial: Vec<u32> = (0..random.below(4)).map(|_| random.below(size) as u32).collect();
    explicit(&initial, size as usize, &edges)
}

/// By the definition: the transitive closure (Warshall 1962), then for each reachable node the marks of the edges that
/// lie on a common cycle with it.
fn has_accepting_cycle(graph: &Explicit, all_marks: u64) -> bool {
    let size = graph.edges.len();
    let mut reaches = vec![vec![false; size]; size];
    for (source, edges) in graph.edges.iter().enumerate() {
        for &(target, _) in edges {
            reaches[source][target as usize] = true;
        }
    }
    for middle in 0..size {
        let beyond = reaches[middle].clone();
        for row in reaches.iter_mut().filter(|row| row[middle]) {
            row.iter_mut().zip(&beyond).for_each(|(reached, more)| *reached |= more);
        }
    }
    (0..size).any(|node| {
        let reachable =
            graph.initial.iter().any(|&from| from as usize == node || reaches[from as usize][node]);
        let together = |other: usize| other == node || reaches[node][other] && reaches[other][node];
        let mut marks = 0;
        for (source, edges) in graph.edges.iter().enumerate().filter(|&(source, _)| together(source)) {
            for &(target, carried) in edges {
                // The edge closes a cycle only if its target leads back to its source.
                if together(target as usize)
                    && (target as usize == source || reaches[target as usize][source])
                {
                    marks |= carried;
                }
            }
        }
        reachable && reaches[node][node] && marks & all_marks == all_marks
    })
}

fn check_lasso(graph: &Explicit, all_marks: u64, lasso: &Lasso<u32>) {
    assert!(graph.initial.contains(&lasso.stem[0]), "{lasso:?} does not begin at an initial node");
    for pair in lasso.stem.windows(2) {
        assert!(graph.edges[pair[0] as usize].iter().any(|edge| edge.0 == pair[1]), "{lasso:?} is no path");
    }
    assert!(!lasso.cycle.is_empty());
    assert_eq!(lasso.cycle.len(), lasso.cycle_marks.len());
    assert_eq!(lasso.cycle.last(), lasso.stem.last(), "{lasso:?} does not close");
    let mut at = *lasso.stem.last().unwrap();
    let mut carried = 0;
    for (&target, &marks) in lasso.cycle.iter().zip(&lasso.cycle_marks) {
        assert!(graph.edges[at as usize].contains(&(target, marks)), "{lasso:?} is no cycle");
        carried |= marks;
        at = target;
    }
    assert_eq!(carried & all_marks, all_marks, "{lasso:?} lacks marks");
}

fn check_random_graphs(seed: u64, graphs: u64, largest: u64) {
    let mut random = Random::new(seed);
    let (mut found, mut absent) = (0, 0);
    for _ in 0..graphs {
        let sets = random.below(5);
        let all_marks = (1 << sets) - 1;
        let mut graph = random_graph(&mut random, largest, all_marks);
        let lasso = find_lasso(&mut graph, all_marks).unwrap();
        assert_eq!(lasso.is_some(), has_accepting_cycle(&graph, all_marks));
        match &lasso {
            Some(lasso) => {
                check_lasso(&graph, all_marks, lasso);
                // A simple stem, and at most one pass of the component for each mark and one back.
                assert!(lasso.stem.len() <= graph.edges.len());
                assert!(lasso.cycle.len() <= graph.edges.len() * (sets as usize + 1));
                let inner: Vec<&u32> = lasso.stem[..lasso.stem.len() - 1].iter().collect();
                assert!(
                    lasso.cycle.iter().all(|node| !inner.contains(&node)),
                    "the stem passes through the cycle"
                );
                found += 1;
            }
            None => {
                assert!(graph.asked <= graph.edges.len(), "without a lasso every node is expanded once");
                absent += 1;
            }
        }
        assert_eq!(find_lasso(&mut graph, all_marks).unwrap(), lasso, "the same graph, another lasso");
    }
    assert!(found * 5 > absent && absent * 5 > found, "{found} with, {absent} without a lasso");
}

#[test]
fn random_graphs() {
    check_random_graphs(1, 20_000, 8);
    check_random_graphs(2, 5_000, 20);
    check_random_graphs(3, 300, 80);
}

#[test]
#[ignore = "minutes; for a release build"]
fn many_random_graphs() {
    for seed in 10..20 {
        check_random_graphs(seed, 200_000, 9);
        check_random_graphs(seed, 20_000, 30);
    }
}

#[test]
fn the_lasso_is_short() {
    // A long detour 0 -> 1 -> ... -> 9 -> 20 is tried first; 0 -> 20 is an edge too. 20 -> 21 -> 20 carries both marks,
    // and 20 -> 22 -> 23 -> 20 only one of them.
    let mut edges: Vec<(u32, u32, u64)> = (0..9).map(|node| (node, node + 1, 0)).collect();
    edges.extend([(9, 20, 0), (0, 20, 0)]);
    edges.extend([(20, 22, 1), (22, 23, 0), (23, 20, 0), (20, 21, 1), (21, 20, 2)]);
    let lasso = find_lasso(&mut explicit(&[0], 24, &edges), 3).unwrap().unwrap();
    assert_eq!(lasso.stem, [0, 20]);
    assert_eq!((lasso.cycle, lasso.cycle_marks), (vec![21, 20], vec![1, 2]), "not by 22 and then by 21");
    let lasso = find_lasso(&mut explicit(&[0], 24, &edges), 2).unwrap().unwrap();
    assert_eq!((lasso.cycle, lasso.cycle_marks), (vec![21, 20], vec![1, 2]));
}

/// A ring of many nodes with chords and as many marks as there are bits: too many combinations for a shortest cycle.
#[test]
fn many_marks_in_a_large_component() {
    let size = 2_000;
    let mut random = Random::new(5);
    let mut edges: Vec<(u32, u32, u64)> = Vec::new();
    for node in 0..size {
        edges.push((node, random.below(u64::from(size)) as u32, 1 << random.below(64)));
        edges.push((node, (node + 1) % size, 0));
    }
    let mut graph = explicit(&[7], size as usize, &edges);
    let lasso = find_lasso(&mut graph, u64::MAX).unwrap().unwrap();
    check_lasso(&graph, u64::MAX, &lasso);
    assert!((64..1_000).contains(&lasso.cycle.len()), "{} nodes", lasso.cycle.len());
}

#[test]
fn parallel_edges_count_apart() {
    let mut graph = explicit(&[0], 1, &[(0, 0, 1), (0, 0, 2)]);
    let lasso = find_lasso(&mut graph, 3).unwrap().unwrap();
    assert_eq!(lasso, Lasso { stem: vec![0], cycle: vec![0, 0], cycle_marks: vec![1, 2] });
}

#[test]
fn no_marks_means_any_cycle() {
    assert_eq!(find_lasso(&mut explicit(&[0], 2, &[(0, 1, 0)]), 0), Ok(None));
    let lasso = find_lasso(&mut explicit(&[0], 2, &[(0, 1, 0), (1, 1, 0)]), 0).unwrap().unwrap();
    assert_eq!((lasso.stem, lasso.cycle), (vec![0, 1], vec![1]));
    assert_eq!(find_lasso(&mut explicit(&[], 1, &[(0, 0, 0)]), 0), Ok(None));
}

/// 64 sets, each on one edge of a ring: weak fairness over many threads looks like this.
#[test]
fn sixty_four_sets() {
    let ring: Vec<(u32, u32, u64)> = (0..64).map(|node| (node, (node + 1) % 64, 1 << node)).collect();
    let lasso = find_lasso(&mut explicit(&[5], 64, &ring), u64::MAX).unwrap().unwrap();
    assert_eq!((lasso.stem.len(), lasso.cycle.len()), (1, 64));
    assert_eq!(find_lasso(&mut explicit(&[5], 64, &ring[1..]), u64::MAX), Ok(None));
}

/// A path of a million nodes: nothing recurses.
#[test]
fn deep_graphs_need_no_stack() {
    let size = 1_000_000;
    let mut edges: Vec<(u32, u32, u64)> = (0..size - 1).map(|node| (node, node + 1, 0)).collect();
    let mut open = explicit(&[0], size as usize, &edges);
    assert_eq!(find_lasso(&mut open, 1), Ok(None));
    edges.push((size - 1, 0, 1));
    let lasso = find_lasso(&mut explicit(&[0], size as usize, &edges), 1).unwrap().unwrap();
    assert_eq!((lasso.stem.len(), lasso.cycle.len()), (1, size as usize));
}

#[test]
fn the_reason_to_stop_comes_through() {
    let ring = [(0, 1, 0), (1, 2, 0), (2, 3, 0), (3, 0, 1)];
    let mut graph = explicit(&[0], 4, &ring);
    assert!(find_lasso(&mut graph, 1).unwrap().is_some());
    for patience in 0..graph.asked {
        let mut impatient = explicit(&[0], 4, &ring);
        impatient.patience = patience;
        assert_eq!(find_lasso(&mut impatient, 1), Err(OutOfPatience));
    }
}
