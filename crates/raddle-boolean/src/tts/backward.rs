//! Backward coverability: from the target to what must be there one step before, two steps, ..., until nothing new
//! comes or an initial state is met.
//!
//! Abdulla, Čerāns, Jonsson, Tsay (*General decidability theorems for infinite-state systems*, LICS 1996): sets of
//! configurations that contain with each one all larger ones are given by their finitely many least elements, and an
//! ascending chain of such sets ends. It needs monotonicity only, which broadcasts and passive moves have; so it
//! decides every system here.
//!
//! What makes it fast:
//! * least elements by shared state, with an index ([`super::antichain`]);
//! * horizontal steps (same shared state, no other thread moves) are looked up by the local state they lead to: others
//!   only add threads to what is known;
//! * steps that change the shared state come in groups by where they come from: if what an element requires is already
//!   known to lead to the target *there*, without the thread that steps, only those steps matter that use up a thread
//!   of it;
//! * elements with a thread where no thread can be are dropped ([`super::thread_states`]);
//! * small elements first: they make others superfluous, and are nearer to the start. So an element is expanded twice,
//!   first by the steps of threads that it requires; the steps that need one thread more than it has wait until its
//!   size plus one has its turn, when most often they have become superfluous all at once.

use super::antichain::{Antichain, Comparisons, Pruning};
use super::net::{Edge, Net};
use super::thread_states::ThreadStates;
use super::vector::{Entries, add_one, take_one};
use super::{Limits, Outcome, Stop};
use raddle_bp::tts::System;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ways in which passive threads may have come to be where an element requires them, of one step.
const MOST_WAYS: usize = 1_000_000;
/// What a thread weighs in the order of the search, beside one of which there are any number at the start.
const THREAD: u64 = 4;
/// Elements between two checks of the budget.
const LOOK: u64 = 64;

/// Counts of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Elements that were least when they were found.
    pub elements: u64,
    /// Elements whose predecessors were computed.
    pub expanded: u64,
    /// Least elements at the end.
    pub least: u64,
    /// Elements that were dropped because of a thread where none can be.
    pub unreachable: u64,
    pub comparisons: Comparisons,
}

/// Decides whether the target can be covered.
pub fn backward(
    net: &Net,
    system: &System,
    reachable: &ThreadStates,
    pruning: Pruning,
    limits: &Limits,
) -> (Outcome, Counts) {
    let mut search = Search {
        net,
        reachable,
        pruning,
        index: Index::new(net),
        known: (0..net.shared).map(|_| Antichain::default()).collect(),
        elements: Vec::new(),
        queue: BinaryHeap::new(),
        counts: Counts::default(),
    };
    let outcome = search.run(system, limits);
    search.counts.least = search.known.iter().map(|chain| chain.len() as u64).sum();
    (outcome, search.counts)
}

/// Something from which the target can be covered, with whatever more.
struct Element {
    shared: u32,
    entries: Entries,
    /// The element that one step leads to, and the edge; none for the target.
    next: Option<(u32, u32)>,
    /// Another one makes it superfluous.
    superfluous: bool,
}

struct Search<'n> {
    net: &'n Net,
    reachable: &'n ThreadStates,
    pruning: Pruning,
    index: Index,
    known: Vec<Antichain>,
    elements: Vec<Element>,
    /// By number of threads of what will come of it, then how it is expanded, then age.
    queue: BinaryHeap<Reverse<(u64, Phase, u32)>>,
    counts: Counts,
}

/// Which edges lead somewhere.
struct Index {
    /// Horizontal edges, by shared state and the local state where there is one more thread.
    horizontal: FxHashMap<(u32, u32), Vec<u32>>,
    /// Edges without passive moves that change the shared state, by where they lead; one group for each origin.
    changing: Vec<Vec<Group>>,
    /// Edges with passive moves, by where they lead.
    passive: Vec<Vec<u32>>,
}

struct Group {
    from: u32,
    /// One edge for each local state from which a thread may step.
    by_needs: FxHashMap<u32, u32>,
    /// In the order in which they came.
    needing: Vec<u32>,
    /// Edges that no thread takes.
    without_thread: Vec<u32>,
    by_given: FxHashMap<u32, Vec<u32>>,
}

/// Which predecessors of an element are computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Phase {
    /// Those that have no more threads than it.
    Using,
    /// Those with one thread more: it steps, and the element does not require it.
    Adding,
}

impl Index {
    fn new(net: &Net) -> Index {
        let mut horizontal: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        let mut changing: Vec<Vec<Group>> = (0..net.shared).map(|_| Vec::new()).collect();
        let mut passive = vec![Vec::new(); net.shared];
        for (number, edge) in net.edges.iter().enumerate() {
            let number = number as u32;
            if !edge.passive.is_empty() {
                passive[edge.to as usize].push(number);
            } else if edge.from == edge.to {
                let mut given = edge.gives.clone();
                // The parent of a spawn is there before and after.
                if given.len() > 1
                    && let Some(at) = given.iter().position(|l| Some(*l) == edge.needs)
                {
                    given.remove(at);
                }
                for local in given {
                    horizontal.entry((edge.to, local)).or_default().push(number);
                }
            } else {
                let groups = &mut changing[edge.to as usize];
                let at = groups.iter().position(|g| g.from == edge.from).unwrap_or_else(|| {
                    groups.push(Group {
                        from: edge.from,
                        by_needs: FxHashMap::default(),
                        needing: Vec::new(),
                        without_thread: Vec::new(),
                        by_given: FxHashMap::default(),
                    });
                    groups.len() - 1
                });
                match edge.needs {
                    None => groups[at].without_thread.push(number),
                    Some(local) => {
                        if groups[at].by_needs.insert(local, number).is_none() {
                            groups[at].needing.push(local);
                        }
                    }
                }
                let mut given = edge.gives.clone();
                given.dedup();
                for local in given {
                    groups[at].by_given.entry(local).or_default().push(number);
                }
            }
        }
        Index { horizontal, changing, passive }
    }
}

impl Search<'_> {
    fn run(&mut self, system: &System, limits: &Limits) -> Outcome {
        let (shared, goal) = (self.net.goal_shared, self.net.goal.clone());
        if let Some(outcome) = self.add(system, shared, goal.to_vec(), None) {
            return outcome;
        }
        let mut looks = 0u64;
        while let Some(Reverse((_, phase, number))) = self.queue.pop() {
            if self.elements[number as usize].superfluous {
                continue;
            }
            if looks.is_multiple_of(LOOK)
                && let Some(reason) = limits.budget.stop_reason()
            {
                return Outcome::Stopped(Stop::Budget(reason));
            }
            looks += 1;
            if self.elements.len() as u64 > limits.elements {
                return Outcome::Stopped(Stop::Elements);
            }
            self.counts.expanded += u64::from(phase == Phase::Using);
            if let Some(outcome) = self.expand(system, number, phase, limits) {
                return outcome;
            }
        }
        Outcome::Uncoverable
    }

    fn expand(&mut self, system: &System, number: u32, phase: Phase, limits: &Limits) -> Option<Outcome> {
        let net = self.net;
        let (shared, entries) = {
            let element = &self.elements[number as usize];
            (element.shared, element.entries.clone())
        };
        let mut edges: Vec<u32> = Vec::new();
        let mut passive: Vec<u32> = Vec::new();
        if phase == Phase::Using {
            for (local, _) in entries.iter() {
                edges.extend(self.index.horizontal.get(&(shared, *local)).into_iter().flatten());
            }
        }
        for group in &self.index.changing[shared as usize] {
            match phase {
                Phase::Using => {
                    edges.extend(&group.without_thread);
                    let useful = entries.iter().filter_map(|(local, _)| group.by_given.get(local));
                    edges.extend(useful.flatten());
                }
                Phase::Adding => {
                    let known = &self.known[group.from as usize];
                    let superfluous = !self.reachable.admits(group.from, &entries)
                        || known.below(&entries, self.pruning, &mut self.counts.comparisons).is_some();
                    if !superfluous {
                        edges.extend(group.needing.iter().map(|local| group.by_needs[local]));
                    }
                }
            }
        }
        for edge in &self.index.passive[shared as usize] {
            let taken = &net.edges[*edge as usize];
            let uses = |local: &u32| super::vector::count_of(&entries, *local) > 0;
            let using = taken.needs.is_none() || taken.gives.iter().any(uses);
            if using == (phase == Phase::Using) {
                passive.push(*edge);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        for (position, edge) in edges.into_iter().enumerate() {
            let Some(before) = before(&net.edges[edge as usize], &entries) else {
                return Some(Outcome::Stopped(Stop::Counters));
            };
            let from = net.edges[edge as usize].from;
            if let Some(outcome) = self.add(system, from, before, Some((number, edge))) {
                return Some(outcome);
            }
            // A single element may have very many predecessors.
            if position % 4096 == 4095
                && let Some(stop) = limits.stop(self.elements.len())
            {
                return Some(Outcome::Stopped(stop));
            }
        }
        for edge in passive {
            let from = net.edges[edge as usize].from;
            let Some(ways) = ways_before(&net.edges[edge as usize], &entries, self.reachable) else {
                return Some(Outcome::Stopped(Stop::Ways));
            };
            for way in ways {
                if let Some(outcome) = self.add(system, from, way.before, Some((number, edge))) {
                    return Some(outcome);
                }
            }
            if let Some(stop) = limits.stop(self.elements.len()) {
                return Some(Outcome::Stopped(stop));
            }
        }
        None
    }

    /// Adds an element unless a known one makes it superfluous. An initial element ends the search.
    fn add(
        &mut self,
        system: &System,
        shared: u32,
        entries: Vec<(u32, u32)>,
        next: Option<(u32, u32)>,
    ) -> Option<Outcome> {
        if !self.reachable.admits(shared, &entries) {
            self.counts.unreachable += 1;
            return None;
        }
        let seen = &mut self.counts.comparisons;
        let known = &mut self.known[shared as usize];
        if known.below(&entries, self.pruning, seen).is_some() {
            return None;
        }
        for dropped in known.drop_above(&entries, self.pruning, seen) {
            self.elements[dropped as usize].superfluous = true;
        }
        let entries: Entries = entries.into();
        let number = self.elements.len() as u32;
        self.counts.elements += 1;
        known.insert(number, entries.clone(), self.pruning);
        let size = self.weight(&entries);
        self.queue.push(Reverse((size, Phase::Using, number)));
        self.queue.push(Reverse((size + THREAD, Phase::Adding, number)));
        let starts = self.net.starts_above(shared, &entries);
        self.elements.push(Element { shared, entries, next, superfluous: false });
        starts.then(|| self.trace(system, number))
    }

    /// How far an element seems to be from the start: its threads, where those count little of which there are any
    /// number.
    fn weight(&self, entries: &[(u32, u32)]) -> u64 {
        let free = |local: &u32| self.net.any.binary_search(local).is_ok();
        entries.iter().map(|(l, count)| u64::from(*count) * if free(l) { 1 } else { THREAD }).sum()
    }

    fn trace(&self, system: &System, first: u32) -> Outcome {
        let mut plan = Vec::new();
        let mut at = &self.elements[first as usize];
        while let Some((next, edge)) = at.next {
            let after = &self.elements[next as usize];
            let taken = &self.net.edges[edge as usize];
            let passive = if taken.passive.is_empty() {
                Vec::new()
            } else {
                let ways = ways_before(taken, &after.entries, self.reachable).unwrap_or_default();
                match ways.into_iter().find(|way| way.before[..] == at.entries[..]) {
                    Some(way) => way.moves,
                    None => return Outcome::Stopped(Stop::Trace),
                }
            };
            plan.push((edge, passive));
            at = after;
        }
        match self.net.run(system, &self.elements[first as usize].entries, plan) {
            Some(run) => Outcome::Covered(run),
            None => Outcome::Stopped(Stop::Trace),
        }
    }
}

/// What must be there before a step without passive moves. `None` when it cannot be counted.
fn before(edge: &Edge, entries: &[(u32, u32)]) -> Option<Vec<(u32, u32)>> {
    let mut before = entries.to_vec();
    for given in &edge.gives {
        take_one(&mut before, *given);
    }
    match edge.needs {
        Some(local) if !add_one(&mut before, local) => None,
        _ => Some(before),
    }
}

/// How passive threads may have come to be where they are.
struct Way {
    before: Vec<(u32, u32)>,
    /// From, to, how many; only from local states with passive moves.
    moves: Vec<(u32, u32, u32)>,
}

/// All ways to be before a step with passive moves. `None` when there are too many.
///
/// Where an element requires a thread in which the step leaves one, it is that one: any other way requires more.
fn ways_before(edge: &Edge, entries: &[(u32, u32)], reachable: &ThreadStates) -> Option<Vec<Way>> {
    let mut bystanders = entries.to_vec();
    for given in &edge.gives {
        take_one(&mut bystanders, *given);
    }
    let mut ways = vec![Way { before: Vec::new(), moves: Vec::new() }];
    for (local, count) in bystanders {
        let sources: Vec<u32> =
            edge.passive_sources(local).filter(|from| reachable.contains(edge.from, *from)).collect();
        let mut longer = Vec::new();
        for split in splits(count, &sources, MOST_WAYS)? {
            for way in &ways {
                if longer.len() >= MOST_WAYS {
                    return None;
                }
                let mut way = Way { before: way.before.clone(), moves: way.moves.clone() };
                for (from, part) in &split {
                    if edge.passive.binary_search(&(*from, local)).is_ok() {
                        way.moves.push((*from, local, *part));
                    }
                    match way.before.binary_search_by_key(from, |(l, _)| *l) {
                        Ok(at) => way.before[at].1 = way.before[at].1.checked_add(*part)?,
                        Err(at) => way.before.insert(at, (*from, *part)),
                    }
                }
                longer.push(way);
            }
        }
        ways = longer;
    }
    for way in &mut ways {
        if let Some(local) = edge.needs
            && !add_one(&mut way.before, local)
        {
            return None;
        }
    }
    Some(ways)
}

/// All ways to share `count` threads among these places, as places with what each has. `None` when there are more than
/// `most`, or threads that would take as long to place one by one.
pub fn splits(count: u32, places: &[u32], most: usize) -> Option<Vec<Vec<(u32, u32)>>> {
    if count == 0 {
        return Some(vec![Vec::new()]);
    }
    match places {
        [] => return Some(Vec::new()),
        [only] => return Some(vec![vec![(*only, count)]]),
        _ if count as usize > most => return None,
        _ => {}
    }
    // Where each thread is; never before where the thread before it is.
    let mut at = vec![0usize; count as usize];
    let mut all = Vec::new();
    loop {
        if all.len() >= most {
            return None;
        }
        all.push(at.chunk_by(|a, b| a == b).map(|g| (places[g[0]], g.len() as u32)).collect());
        let Some(moving) = at.iter().rposition(|place| *place + 1 < places.len()) else { return Some(all) };
        let next = at[moving] + 1;
        at[moving..].fill(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_shared_out() {
        let two = splits(2, &[7, 9], 9).unwrap();
        assert_eq!(two, [vec![(7, 2)], vec![(7, 1), (9, 1)], vec![(9, 2)]]);
        assert_eq!(splits(3, &[5], 9), Some(vec![vec![(5, 3)]]));
        assert_eq!((splits(0, &[], 9), splits(1, &[], 9)), (Some(vec![vec![]]), Some(vec![])));
        // Twelve threads in four places: 15 over 3.
        assert_eq!(splits(12, &[1, 2, 3, 4], 1000).map(|s| s.len()), Some(455));
        assert_eq!(splits(12, &[1, 2, 3, 4], 454), None);
        // Many places are no deep recursion.
        let many: Vec<u32> = (0..200_000).collect();
        assert_eq!(splits(1, &many, 1_000_000).map(|s| s.len()), Some(200_000));
        assert_eq!(splits(2, &many, 1_000_000), None);
    }
}
