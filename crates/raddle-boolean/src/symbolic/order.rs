//! In which order places are followed, so that as many ways as possible meet: a weak topological order.
//!
//! After Bourdoncle, *Efficient chaotic iteration strategies with widenings* (1993): strongly connected components in
//! topological order, each with its head first and then the order of what is left without the head. If always the
//! first waiting place is followed, a loop is finished before what comes behind it. Every cycle goes through a head.
//! This is the purpose of the thesis' priorities (Basler 2010, algorithm 10.1) for any graph.

use raddle_bp::flow::{Flow, Operation, Procedure};

/// The order of the places of a procedure.
pub(crate) struct Order {
    /// By node, its rank; unreachable nodes come last.
    pub rank: Vec<u32>,
    /// By node, whether it is a head.
    pub head: Vec<bool>,
}

impl Order {
    pub(crate) fn of_procedure(procedure: &Procedure) -> Order {
        let edges: Vec<Vec<usize>> = procedure
            .nodes
            .iter()
            .map(|node| node.next.iter().map(|next| next.0 as usize).collect())
            .collect();
        let mut order = Order { rank: vec![u32::MAX; edges.len()], head: vec![false; edges.len()] };
        let mut next = 0;
        // Subgraphs that wait, the first on top; a place alone is one that has been judged.
        let mut waiting = vec![(0..edges.len()).collect::<Vec<usize>>()];
        while let Some(part) = waiting.pop() {
            // Successors first: the last one is followed first.
            let mut components = components(&edges, &part);
            if components.len() == 1 {
                let component = components.pop().expect("one");
                let first = component[0];
                let is_loop = component.len() > 1 || edges[first].contains(&first);
                order.rank[first] = next;
                next += 1;
                order.head[first] = is_loop;
                if component.len() > 1 {
                    // As in the text: then outer loops have the heads that one expects.
                    let mut rest = component[1..].to_vec();
                    rest.sort_unstable();
                    waiting.push(rest);
                }
            } else {
                waiting.extend(components);
            }
        }
        order
    }
}

/// Procedures that call each other, those that are called first; of the reachable ones.
pub(crate) fn calls_bottom_up(flow: &Flow) -> Vec<Vec<usize>> {
    let edges: Vec<Vec<usize>> = flow
        .procedures
        .iter()
        .map(|procedure| {
            let nodes = procedure.nodes.iter();
            nodes
                .filter_map(|node| match &node.operation {
                    Operation::Call { procedure, .. } => Some(procedure.0 as usize),
                    _ => None,
                })
                .collect()
        })
        .collect();
    let mut reached = vec![false; edges.len()];
    let mut stack = vec![flow.main.0 as usize];
    while let Some(index) = stack.pop() {
        if !std::mem::replace(&mut reached[index], true) {
            stack.extend(&edges[index]);
        }
    }
    let part: Vec<usize> = (0..edges.len()).filter(|index| reached[*index]).collect();
    components(&edges, &part)
}

/// By procedure, whether some procedure calls it.
pub(crate) fn called(flow: &Flow) -> Vec<bool> {
    let mut called = vec![false; flow.procedures.len()];
    for node in flow.procedures.iter().flat_map(|procedure| &procedure.nodes) {
        if let Operation::Call { procedure, .. } = &node.operation {
            called[procedure.0 as usize] = true;
        }
    }
    called
}

/// Whether a component calls itself.
pub(crate) fn is_recursive(flow: &Flow, component: &[usize]) -> bool {
    component.iter().any(|index| {
        flow.procedures[*index].nodes.iter().any(|node| match &node.operation {
            Operation::Call { procedure, .. } => component.contains(&(procedure.0 as usize)),
            _ => false,
        })
    })
}

/// The strongly connected components of a part of a graph, successors first (Tarjan 1972). Each begins with the node by
/// which it was found, which is the smallest where nothing leads into it from the part.
fn components(edges: &[Vec<usize>], part: &[usize]) -> Vec<Vec<usize>> {
    const NEW: u32 = u32::MAX;
    let mut inside = vec![false; edges.len()];
    part.iter().for_each(|index| inside[*index] = true);
    let mut number = vec![NEW; edges.len()];
    let mut low = vec![NEW; edges.len()];
    let mut open = Vec::new();
    let mut is_open = vec![false; edges.len()];
    let mut found = Vec::new();
    let mut count = 0;
    for root in part {
        if number[*root] != NEW {
            continue;
        }
        let mut stack = vec![(*root, 0)];
        while let Some((index, edge)) = stack.pop() {
            if edge == 0 {
                number[index] = count;
                low[index] = count;
                count += 1;
                open.push(index);
                is_open[index] = true;
            }
            if let Some(next) = edges[index].get(edge) {
                stack.push((index, edge + 1));
                if inside[*next] && number[*next] == NEW {
                    stack.push((*next, 0));
                } else if inside[*next] && is_open[*next] {
                    low[index] = low[index].min(number[*next]);
                }
                continue;
            }
            if let Some((above, _)) = stack.last() {
                low[*above] = low[*above].min(low[index]);
            }
            if low[index] == number[index] {
                let at = open.iter().position(|other| *other == index).expect("it is open");
                let component = open.split_off(at);
                component.iter().for_each(|index| is_open[*index] = false);
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 -> 1 -> 2 -> 3 -> 2, 3 -> 1, 1 -> 4: two loops, one in the other, and an exit.
    #[test]
    fn a_loop_is_followed_before_its_exit() {
        let edges = vec![vec![1], vec![4, 2], vec![3], vec![2, 1], vec![]];
        let all: Vec<usize> = (0..5).collect();
        let found = components(&edges, &all);
        assert_eq!(found, [vec![4], vec![1, 2, 3], vec![0]]);
    }
}
