//! The strongly connected components of an automaton and what kind each is.
//!
//! Tarjan's algorithm (SIAM J. Comput. 1972) with its own stack instead of recursion. It knows the whole automaton;
//! `emptiness.rs` is the search for graphs that are built on the way.

use crate::automaton::Edge;

/// What the cycles inside a component can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// One state without a loop.
    Transient,
    /// Has cycles, and none carries all marks.
    Rejecting,
    /// Has a cycle with all marks.
    Accepting,
}

pub(crate) struct Components {
    /// By state. A component's number is higher than those of the components that it leads to.
    pub of_state: Vec<u32>,
    pub kinds: Vec<Kind>,
}

impl Components {
    pub fn of(states: &[Vec<Edge>], all_marks: u64) -> Components {
        let of_state = number(states);
        let count = of_state.iter().map(|&component| component as usize + 1).max().unwrap_or(0);
        // The marks on inner edges, or none if there is no inner edge.
        let mut inner: Vec<Option<u64>> = vec![None; count];
        for (state, edges) in states.iter().enumerate() {
            let component = of_state[state];
            for edge in edges.iter().filter(|edge| of_state[edge.target as usize] == component) {
                *inner[component as usize].get_or_insert(0) |= edge.marks;
            }
        }
        let kinds = inner
            .into_iter()
            .map(|marks| match marks {
                None => Kind::Transient,
                Some(marks) if marks & all_marks == all_marks => Kind::Accepting,
                Some(_) => Kind::Rejecting,
            })
            .collect();
        Components { of_state, kinds }
    }

    pub fn is_inner(&self, source: usize, edge: &Edge) -> bool {
        self.of_state[source] == self.of_state[edge.target as usize]
    }
}

/// The component of each state.
fn number(states: &[Vec<Edge>]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut component = vec![UNSEEN; states.len()];
    let mut components = 0;
    // The order of discovery, and the earliest state known to be reachable.
    let mut order = vec![UNSEEN; states.len()];
    let mut earliest = vec![UNSEEN; states.len()];
    let mut discovered = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    for start in 0..states.len() {
        if order[start] != UNSEEN {
            continue;
        }
        path.push((start, 0));
        while let Some((state, next_edge)) = path.last_mut() {
            let state = *state;
            if *next_edge == 0 {
                order[state] = discovered;
                earliest[state] = discovered;
                discovered += 1;
                open.push(state);
            }
            if let Some(edge) = states[state].get(*next_edge) {
                *next_edge += 1;
                let target = edge.target as usize;
                if order[target] == UNSEEN {
                    path.push((target, 0));
                } else if component[target] == UNSEEN {
                    earliest[state] = earliest[state].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                earliest[parent] = earliest[parent].min(earliest[state]);
            }
            if earliest[state] == order[state] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == state {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}
