//! lock-order-cycle: the graph of locks that are taken while others are held, by threads that may run in parallel.
//!
//! Nodes are locks with one instance, and classes of others (the member of a structure, the elements of an array). An edge of a class to itself
//! counts unless two values were compared by order before: then the order is taken to be that of the comparison. A cycle needs threads that may run at the same time, and no lock that two
//! of its edges hold in common.

use std::collections::BTreeMap;

use raddle_ir::Hold;
use raddle_trace::{LintLevel, LintRule};

use super::Rules;
use crate::lint::events::Acquire;
use crate::lint::state::Held;
use crate::lint::symbols::Symbol;

/// The longest cycle.
const LONGEST: usize = 4;
const MOST_STEPS: usize = 20_000;

#[derive(Clone)]
struct Edge {
    from: Symbol,
    to: Symbol,
    held: Held,
    acquire: Acquire,
}

impl Rules<'_, '_> {
    pub fn lock_order(&mut self) {
        let mut edges: BTreeMap<(Symbol, Symbol), Vec<Edge>> = BTreeMap::new();
        for acquire in self.interpreter.events.acquires.clone() {
            if acquire.tried || !self.is_reached(&acquire.place) {
                continue;
            }
            for held in
                acquire.place.held.iter().filter(|held| held.lock != acquire.lock && held.kind != u32::MAX)
            {
                let (from, to) = (self.node(held.lock), self.node(acquire.lock));
                if from == to && acquire.ordered {
                    continue;
                }
                let all = edges.entry((from, to)).or_default();
                let known = all.iter().any(|e| {
                    e.acquire.place.at == acquire.place.at && e.acquire.place.root == acquire.place.root
                });
                if !known && all.len() < 12 {
                    all.push(Edge { from, to, held: *held, acquire: acquire.clone() });
                }
            }
        }
        let mut cycles: Vec<Vec<Edge>> = Vec::new();
        let mut steps = 0;
        for (nodes, all) in &edges {
            if nodes.0 == nodes.1 {
                self.self_edge(all, &mut cycles);
                continue;
            }
            for edge in all {
                let mut path = vec![edge.clone()];
                self.extend(&edges, &mut path, &mut cycles, &mut steps);
            }
        }
        let mut reported: Vec<Vec<Symbol>> = Vec::new();
        for cycle in cycles {
            let mut nodes: Vec<Symbol> = cycle.iter().map(|e| e.from).collect();
            nodes.sort();
            if !reported.contains(&nodes) {
                reported.push(nodes);
                self.report_cycle(&cycle);
            }
        }
    }

    fn node(&mut self, lock: Symbol) -> Symbol {
        match self.facts.is_single(self.interpreter, lock) {
            true => lock,
            false => self.interpreter.class(lock),
        }
    }

    /// Two locks of one class, without an order.
    fn self_edge(&mut self, all: &[Edge], cycles: &mut Vec<Vec<Edge>>) {
        for a in all {
            for b in all {
                if self.in_parallel(a, b) && self.excludes(a, b) && !self.is_gated(a, b) {
                    // Elements that one loop takes one after the other are in the order of the loop.
                    let by_loop = a.acquire.place.at == a.held.at && b.acquire.place.at == b.held.at;
                    if !by_loop {
                        cycles.push(if a.acquire.place.at == b.acquire.place.at {
                            vec![a.clone()]
                        } else {
                            vec![a.clone(), b.clone()]
                        });
                        return;
                    }
                }
            }
        }
    }

    fn extend(
        &mut self,
        edges: &BTreeMap<(Symbol, Symbol), Vec<Edge>>,
        path: &mut Vec<Edge>,
        cycles: &mut Vec<Vec<Edge>>,
        steps: &mut usize,
    ) {
        *steps += 1;
        if *steps > MOST_STEPS || path.len() >= LONGEST {
            return;
        }
        let (first, last) = (path[0].from, path[path.len() - 1].to);
        let next: Vec<Edge> = edges
            .range((last, Symbol(0))..=(last, Symbol(u32::MAX)))
            .flat_map(|(_, all)| all.clone())
            .collect();
        for edge in next {
            // Each cycle begins with its least lock.
            if edge.to < first || edge.from == edge.to || path.iter().any(|e| e.from == edge.from) {
                continue;
            }
            let fits =
                path.iter().all(|other| self.in_parallel(other, &edge) && !self.is_gated(other, &edge));
            if !fits || !self.excludes(&path[path.len() - 1], &edge) {
                continue;
            }
            path.push(edge.clone());
            if edge.to == first {
                if self.excludes(&edge, &path[0].clone()) {
                    cycles.push(path.clone());
                }
            } else {
                self.extend(edges, path, cycles, steps);
            }
            path.pop();
        }
    }

    fn in_parallel(&self, a: &Edge, b: &Edge) -> bool {
        let (x, y) = (&a.acquire, &b.acquire);
        self.facts.may_overlap_at((x.place.root, &x.live), (y.place.root, &y.live))
    }

    /// What one wants is what the other holds, and not both only to read.
    fn excludes(&self, wants: &Edge, holds: &Edge) -> bool {
        !(wants.acquire.shared && holds.held.hold == Hold::Shared)
    }

    fn is_gated(&mut self, a: &Edge, b: &Edge) -> bool {
        let ends = [a.from, a.to, b.from, b.to];
        let mut others = |edge: &Edge| -> Vec<Held> {
            let held = edge.acquire.place.held.iter().copied();
            held.filter(|held| {
                let node = match self.facts.is_single(self.interpreter, held.lock) {
                    true => held.lock,
                    false => self.interpreter.class(held.lock),
                };
                !ends.contains(&node)
            })
            .collect()
        };
        let (x, y) = (others(a), others(b));
        self.facts.common_lock(self.interpreter, &x, &y)
    }

    fn report_cycle(&mut self, cycle: &[Edge]) {
        let mut spots = Vec::new();
        for edge in cycle {
            let role = format!(
                "takes `{}` while holding `{}`",
                self.text(edge.acquire.lock),
                self.text(edge.held.lock)
            );
            spots.push(self.spot(&edge.acquire.place, role));
            spots.push(
                self.bare_spot(edge.held.at, format!("`{}` was taken here", self.text(edge.held.lock))),
            );
        }
        let names: Vec<String> = cycle.iter().map(|e| format!("`{}`", self.text(e.held.lock))).collect();
        let message = match cycle {
            [edge] => format!(
                "`{}` is taken while `{}` is held, and threads that may run in parallel can do so the other way round: the order \
                 of two locks of one kind depends on the arguments",
                self.text(edge.acquire.lock),
                self.text(edge.held.lock)
            ),
            _ => format!(
                "{} are taken in a cyclic order by threads that may run in parallel",
                names.join(" and ")
            ),
        };
        let exported = cycle.iter().any(|edge| self.is_exported(&edge.acquire.place));
        self.report(LintRule::LockOrderCycle, message, spots);
        if exported && let Some(last) = self.found.last_mut() {
            last.level = LintLevel::Warning;
        }
    }
}
