//! Cycles of the constraint graph: nodes on a cycle of edges that keep offsets have one set and become one node (Fähndrich, Foster, Su and
//! Aiken, *Partial online cycle elimination in inclusion constraint graphs*, PLDI 1998). Here all cycles are looked for at once, by
//! Tarjan's algorithm.

use super::{MAX_TARGETS, Node, NodeState, Solver, Use, shifted};
use crate::points_to::{Target, Targets};

impl Solver {
    /// Nodes on cycles of edges that keep offsets become one node each.
    pub(super) fn collapse_cycles(&mut self) {
        for cycle in self.cycles() {
            self.merge(&cycle);
        }
        self.edges = 0;
        for index in 0..self.nodes.len() {
            let mut edges = std::mem::take(&mut self.nodes[index].edges);
            for (to, _) in &mut edges {
                *to = self.find(*to);
            }
            edges.retain(|(to, by)| !(to.0 as usize == index && *by == 0));
            edges.sort_unstable();
            edges.dedup();
            self.edges += edges.iter().filter(|(_, by)| *by == 0).count();
            self.nodes[index].edges = edges;
        }
        self.searched = self.edges;
    }

    fn merge(&mut self, cycle: &[u32]) {
        let first = cycle[0];
        let members: Vec<NodeState> =
            cycle.iter().map(|member| std::mem::take(&mut self.nodes[*member as usize])).collect();
        cycle.iter().for_each(|member| self.parents[*member as usize] = first);
        let mut merged = NodeState {
            limited: members.iter().any(|state| state.limited),
            full: members.iter().any(|state| state.full),
            queued: members[0].queued,
            waiting: members[0].waiting,
            ..NodeState::default()
        };
        members.iter().for_each(|state| {
            merged.set.add(&state.set);
        });
        merged.full |= merged.limited && merged.set.len() > MAX_TARGETS;
        if merged.full {
            merged.set.iter().for_each(|target| self.lost[target.object.index()] = true);
            merged.set = Targets::shared();
        }
        // What each has not passed on, or did not have, goes to where it leads.
        let mut late: Vec<(Vec<Use>, Vec<Target>)> = Vec::new();
        for state in members {
            let mut missing: Vec<Target> =
                merged.set.iter().filter(|target| !state.set.contains(*target)).collect();
            missing.extend(&state.fresh);
            missing.sort_unstable();
            for (to, by) in state.edges {
                let to = self.find(to);
                if to.0 != first {
                    let more = self.nodes[to.0 as usize].set.missing(&missing, |t| shifted(t, by));
                    self.insert_all(to, more);
                } else if by != 0 {
                    merged.fresh.extend(&missing);
                }
                if to.0 != first || by != 0 {
                    merged.edges.push((to, by));
                }
            }
            missing.extend(&state.unused);
            if !state.uses.is_empty() && !missing.is_empty() {
                late.push((state.uses.clone(), missing));
            }
            merged.uses.extend(state.uses);
        }
        let is_open = !merged.fresh.is_empty() && !std::mem::replace(&mut merged.queued, true);
        self.nodes[first as usize] = merged;
        if is_open {
            self.queue.push_back(Node(first));
        }
        for (uses, missing) in late {
            uses.iter().for_each(|what| self.constrain(*what, &missing));
        }
    }

    /// The cycles of edges that keep offsets, each with its least node first (Tarjan 1972).
    fn cycles(&mut self) -> Vec<Vec<u32>> {
        const NEVER: u32 = u32::MAX;
        let count = self.nodes.len();
        let (mut number, mut low) = (vec![NEVER; count], vec![0u32; count]);
        let mut on_stack = vec![false; count];
        let (mut stack, mut out) = (Vec::new(), Vec::new());
        let mut next = 0;
        for root in 0..count as u32 {
            if number[root as usize] != NEVER || self.parents[root as usize] != root {
                continue;
            }
            let mut open: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some((node, position)) = open.pop() {
                let at = node as usize;
                if position == 0 {
                    number[at] = next;
                    low[at] = next;
                    next += 1;
                    stack.push(node);
                    on_stack[at] = true;
                }
                let mut position = position;
                let mut descended = false;
                while position < self.nodes[at].edges.len() {
                    let (to, by) = self.nodes[at].edges[position];
                    position += 1;
                    if by != 0 {
                        continue;
                    }
                    let to = self.find(to).0 as usize;
                    if number[to] == NEVER {
                        open.push((node, position));
                        open.push((to as u32, 0));
                        descended = true;
                        break;
                    }
                    if on_stack[to] {
                        low[at] = low[at].min(number[to]);
                    }
                }
                if descended {
                    continue;
                }
                if low[at] == number[at] {
                    let start = stack.iter().rposition(|other| *other == node).unwrap_or(0);
                    let mut cycle = stack.split_off(start);
                    cycle.iter().for_each(|member| on_stack[*member as usize] = false);
                    if cycle.len() > 1 {
                        cycle.sort_unstable();
                        out.push(cycle);
                    }
                }
                if let Some((above, _)) = open.last() {
                    let above = *above as usize;
                    low[above] = low[above].min(low[at]);
                }
            }
        }
        out
    }
}
