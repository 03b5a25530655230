//! Skips: local states that a thread leaves in one way only, whatever the shared state is, without effect on other
//! threads. (The skip removal of Basler 2010, chapter 10, and part of what bfc does to its input.)
//!
//! A thread in such a state may as well be where it goes to: it can go there at any time, and there it can do what it
//! could have done later. So the state is replaced by the next one everywhere. A run of the smaller system becomes one
//! of the given system by inserting the steps that were left out as soon as a thread arrives.
//!
//! What stays: states of the target, states with a choice, and states that passive moves start from; also states that
//! lead to one of the latter, for a thread may wait there until the broadcast is over. (The first version lacked that;
//! the comparison on random systems found it.)

use super::net::{Edge, Net};
use super::thread_states::ThreadStates;
use super::vector::Entries;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What was left out, and how to put it back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skips {
    /// Where each local state leads; itself if it stays.
    next: Vec<u32>,
    /// What represents it in the smaller system.
    last: Vec<u32>,
    /// The steps that were left out: transitions by shared and local state.
    steps: FxHashMap<(u32, u32), usize>,
    /// The threads of the given system at the start.
    pub exactly: Entries,
    pub any: Vec<u32>,
    /// Where the passive moves of a transition lead, before anything was left out.
    passive: FxHashMap<usize, Vec<(u32, u32)>>,
    /// Where the threads of a transition arrive, before anything was left out.
    gives: FxHashMap<usize, Vec<u32>>,
}

impl Skips {
    /// What represents a local state.
    pub fn last(&self, local: u32) -> u32 {
        self.last[local as usize]
    }

    /// Where the threads arrive that take a transition, in the given system.
    pub fn gives(&self, transition: usize) -> &[u32] {
        self.gives.get(&transition).map_or(&[], Vec::as_slice)
    }

    /// A passive move of the given system, for one of the smaller system.
    pub fn passive_target(&self, transition: usize, from: u32, to: u32) -> Option<u32> {
        let moves = self.passive.get(&transition)?;
        moves.iter().find(|(a, b)| *a == from && self.last(*b) == to).map(|(_, b)| *b)
    }

    /// The steps that a thread takes which arrived at `local`. `None` if one is missing, which would be an internal
    /// error.
    pub fn steps_from(&self, shared: u32, local: u32) -> Option<Vec<usize>> {
        let mut steps = Vec::new();
        let mut at = local;
        while at != self.last(local) {
            steps.push(*self.steps.get(&(shared, at))?);
            at = self.next[at as usize];
        }
        Some(steps)
    }
}

/// The smaller system. The given one, if nothing can be left out.
pub fn without_skips(net: &Net, reachable: &ThreadStates) -> Net {
    if reachable.is_everything() {
        return net.clone();
    }
    let next = next(net, reachable);
    let last = last(&next);
    if (0..net.local as u32).all(|local| last[local as usize] == local) {
        return net.clone();
    }
    let mut skips = Skips {
        next,
        last,
        steps: FxHashMap::default(),
        exactly: net.exactly.clone(),
        any: net.any.clone(),
        passive: FxHashMap::default(),
        gives: FxHashMap::default(),
    };
    let mut edges: Vec<Edge> = Vec::new();
    let mut known = FxHashSet::default();
    for edge in &net.edges {
        let Some(origin) = edge.origin else {
            edges.push(edge.clone());
            continue;
        };
        if let Some(local) = edge.needs.filter(|local| skips.last(*local) != *local) {
            skips.steps.insert((edge.from, local), origin);
            continue;
        }
        let smaller = mapped(edge, &skips.last);
        let unchanged = smaller.from == smaller.to
            && smaller.passive.is_empty()
            && smaller.needs.into_iter().eq(smaller.gives.iter().copied());
        let key = (smaller.from, smaller.to, smaller.needs, smaller.gives.clone());
        // What became a repetition of another edge is left out too.
        if unchanged || (smaller.passive.is_empty() && !known.insert(key)) {
            continue;
        }
        skips.gives.insert(origin, edge.gives.clone());
        skips.passive.insert(origin, edge.passive.clone());
        edges.push(smaller);
    }
    let mut exactly: BTreeMap<u32, u32> = BTreeMap::new();
    for (local, count) in net.exactly.iter() {
        let sum = exactly.entry(skips.last(*local)).or_insert(0);
        *sum = sum.saturating_add(*count);
    }
    let mut any: Vec<u32> = net.any.iter().map(|local| skips.last(*local)).collect();
    any.sort_unstable();
    any.dedup();
    let mut smaller = net.clone().with_skips(skips);
    smaller.has_passive_moves = edges.iter().any(|e| !e.passive.is_empty());
    smaller.edges = edges;
    smaller.exactly = exactly.into_iter().collect();
    smaller.any = any;
    smaller
}

/// Where each local state leads that can be left out; itself for the others.
fn next(net: &Net, reachable: &ThreadStates) -> Vec<u32> {
    let mut next: Vec<u32> = (0..net.local as u32).collect();
    // How many shared states a local state has to be left in, and in how many it is.
    let mut occurs = vec![0u32; net.local];
    for shared in 0..net.shared as u32 {
        for local in reachable.locals(shared) {
            occurs[local as usize] += 1;
        }
    }
    let mut leads: Vec<Option<u32>> = vec![None; net.local];
    let mut kept = vec![false; net.local];
    let mut moved = vec![false; net.local];
    let mut left: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut leaving = vec![0u32; net.local];
    for (local, _) in net.goal.iter() {
        kept[*local as usize] = true;
    }
    for edge in &net.edges {
        for (from, _) in &edge.passive {
            moved[*from as usize] = true;
        }
        let Some(local) = edge.needs else { continue };
        let to = match edge.gives[..] {
            [to] if edge.is_plain_and_local() && edge.origin.is_some() => to,
            _ => {
                kept[local as usize] = true;
                continue;
            }
        };
        let at = local as usize;
        kept[at] |= leads[at].is_some_and(|known| known != to);
        leads[at] = Some(to);
        leaving[at] += u32::from(left.insert((edge.from, local)));
    }
    for local in 0..net.local {
        let may = !kept[local] && !moved[local] && leaving[local] == occurs[local];
        if let Some(to) = leads[local].filter(|to| may && !moved[*to as usize]) {
            next[local] = to;
        }
    }
    next
}

/// The end of each chain. Of a cycle, the state where it was first met stays.
fn last(next: &[u32]) -> Vec<u32> {
    let mut last: Vec<Option<u32>> = vec![None; next.len()];
    for start in 0..next.len() as u32 {
        let mut chain = Vec::new();
        let mut on_chain = FxHashSet::default();
        let mut at = start;
        let end = loop {
            if let Some(known) = last[at as usize] {
                break known;
            }
            if next[at as usize] == at || !on_chain.insert(at) {
                break at;
            }
            chain.push(at);
            at = next[at as usize];
        };
        last[end as usize] = Some(end);
        for local in chain {
            last[local as usize] = Some(end);
        }
    }
    last.into_iter().enumerate().map(|(local, end)| end.unwrap_or(local as u32)).collect()
}

fn mapped(edge: &Edge, last: &[u32]) -> Edge {
    let to = |local: &u32| last[*local as usize];
    let mut passive: Vec<(u32, u32)> = edge.passive.iter().map(|(a, b)| (*a, to(b))).collect();
    passive.sort_unstable();
    passive.dedup();
    let mut inverse: Vec<(u32, u32)> = passive.iter().map(|(a, b)| (*b, *a)).collect();
    inverse.sort_unstable();
    Edge { gives: edge.gives.iter().map(to).collect(), passive, inverse, ..edge.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_end_and_cycles_have_a_place_to_stay() {
        assert_eq!(last(&[1, 2, 2]), [2, 2, 2]);
        assert_eq!(last(&[1, 2, 0, 3, 0]), [0, 0, 0, 3, 0]);
        assert_eq!(last(&[4, 2, 1, 1, 4]), [4, 1, 1, 1, 4]);
    }
}
