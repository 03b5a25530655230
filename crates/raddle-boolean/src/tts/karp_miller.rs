//! Forward coverability by a tree of Karp and Miller (*Parallel program schemata*, 1969), on vectors with volatile
//! counters (Basler 2010, chapter 8).
//!
//! * A counter that grew since an ancestor with the same shared state, while none shrank, becomes ω. Algorithm 8.1 of
//!   the thesis tests the vector with ω and stores the one without; here the one with ω is stored.
//! * Vectors below a known one are discarded, and vectors that were not expanded yet are discarded when a larger one
//!   comes. Nothing else is: subtrees stay, so the incompleteness of Finkel's minimal tree does not arise.
//! * *Re-take*: a step that does not change the shared state, by a thread of which there are arbitrarily many, can be
//!   taken arbitrarily often: its result is ω at once, without a comparison with the ancestors. (There is no atomic
//!   flag here that would have to be the same too.) The thesis does so for the step that was taken. Or every vector is
//!   closed under such steps at once ([`Retake::Closed`]): a stretch of local code is then one vector and not one for
//!   each place in it, but vectors become large. Each is far better than the other on some systems, and they go with
//!   different orders.
//!
//! Refused where passive threads move: a broadcast may undo what a repetition of steps gained, and ω would be unsound.
//!
//! The run that is reported has finitely many threads. It is found backwards along the path to the vector that covers
//! the target, as what must be there before each step; where a counter became ω, the steps since that ancestor are
//! repeated until what is required is no more than what was there without ω.

use super::ancestry::Ancestry;
use super::antichain::{Antichain, Comparisons, Pruning};
use super::net::Net;
use super::vector::{Entries, OMEGA, add_one, count_of, is_below, take_one};
use super::{Limits, Outcome, Stop};
use raddle_bp::tts::System;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// Vectors between two checks of the budget.
const LOOK: u64 = 64;
/// Ancestors that are compared always.
const NEAR: usize = 8;
/// At every depth that is a multiple of this, all ancestors are.
const ALL: u32 = 16;
/// Steps of a run that is still shown.
const MOST_STEPS: usize = 1_000_000;

/// What can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub pruning: Pruning,
    pub retake: Retake,
    /// The newest vector first, instead of the oldest: vectors with much ω come soon, and make others superfluous.
    pub depth_first: bool,
}

/// What arbitrarily many threads do that can step without changing the shared state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retake {
    /// One of them steps.
    Never,
    /// Arbitrarily many take the step that was taken.
    Taken,
    /// Arbitrarily many take each such step, and all that follow.
    Closed,
}

impl Options {
    /// Small vectors, the oldest first: short runs are found where they exist.
    pub fn broad() -> Options {
        Options { retake: Retake::Taken, depth_first: false, ..Options::default() }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options { pruning: Pruning::default(), retake: Retake::Closed, depth_first: true }
    }
}

/// Counts of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Vectors of the tree.
    pub vectors: u64,
    /// Vectors whose successors were computed.
    pub expanded: u64,
    /// Maximal vectors at the end.
    pub maximal: u64,
    /// Counters that became ω by an ancestor.
    pub accelerated: u64,
    /// Counters that became ω because the step can be taken again.
    pub retaken: u64,
    /// Ancestors that were compared.
    pub ancestors: u64,
    pub comparisons: Comparisons,
}

/// Decides whether the target can be covered.
pub fn karp_miller(net: &Net, system: &System, options: Options, limits: &Limits) -> (Outcome, Counts) {
    if net.has_passive_moves {
        let why = "with passive moves acceleration is unsound";
        return (Outcome::NotApplicable(why.into()), Counts::default());
    }
    let mut search = Search {
        net,
        options,
        by_source: FxHashMap::default(),
        without_thread: vec![Vec::new(); net.shared],
        known: (0..net.shared).map(|_| Antichain::default()).collect(),
        nodes: Vec::new(),
        tree: Ancestry::default(),
        queue: VecDeque::new(),
        counts: Counts::default(),
    };
    for (number, edge) in net.edges.iter().enumerate() {
        match edge.needs {
            Some(local) => search.by_source.entry((edge.from, local)).or_default().push(number as u32),
            None => search.without_thread[edge.from as usize].push(number as u32),
        }
    }
    let outcome = search.run(system, limits);
    search.counts.ancestors += search.tree.compared;
    search.counts.maximal = search.known.iter().map(|chain| chain.len() as u64).sum();
    (outcome, search.counts)
}

struct Node {
    shared: u32,
    entries: Entries,
    /// The parent and the edge; none for the root.
    origin: Option<(u32, u32)>,
    /// What became ω here, in that order.
    repeats: Vec<Repeat>,
    superfluous: bool,
}

/// Steps that may be repeated here.
struct Repeat {
    steps: Repeated,
    /// What the counters were that became ω.
    before: Vec<(u32, u32)>,
}

enum Repeated {
    /// Those on the way from this ancestor.
    Since(u32),
    /// This edge.
    Edge(u32),
}

struct Search<'n> {
    net: &'n Net,
    options: Options,
    by_source: FxHashMap<(u32, u32), Vec<u32>>,
    without_thread: Vec<Vec<u32>>,
    known: Vec<Antichain>,
    nodes: Vec<Node>,
    tree: Ancestry,
    queue: VecDeque<u32>,
    counts: Counts,
}

impl Search<'_> {
    fn run(&mut self, system: &System, limits: &Limits) -> Outcome {
        let mut entries = self.net.exactly.to_vec();
        for local in &self.net.any {
            entries.retain(|(l, _)| l != local);
            entries.push((*local, OMEGA));
        }
        entries.sort_unstable();
        let mut repeats = Vec::new();
        self.close(self.net.start, &mut entries, &mut repeats);
        if let Some(outcome) = self.add(system, self.net.start, entries, None, repeats) {
            return outcome;
        }
        loop {
            let next = if self.options.depth_first { self.queue.pop_back() } else { self.queue.pop_front() };
            let Some(number) = next else { return Outcome::Uncoverable };
            if self.nodes[number as usize].superfluous {
                continue;
            }
            if self.counts.expanded.is_multiple_of(LOOK)
                && let Some(reason) = limits.budget.stop_reason()
            {
                return Outcome::Stopped(Stop::Budget(reason));
            }
            if self.nodes.len() as u64 > limits.elements {
                return Outcome::Stopped(Stop::Elements);
            }
            self.counts.expanded += 1;
            if let Some(outcome) = self.expand(system, number, limits) {
                return outcome;
            }
        }
    }

    fn expand(&mut self, system: &System, number: u32, limits: &Limits) -> Option<Outcome> {
        let (shared, entries) = {
            let node = &self.nodes[number as usize];
            (node.shared, node.entries.clone())
        };
        let mut edges = self.without_thread[shared as usize].clone();
        for (local, _) in entries.iter() {
            edges.extend(self.by_source.get(&(shared, *local)).into_iter().flatten());
        }
        for (position, edge) in edges.into_iter().enumerate() {
            if let Some(outcome) = self.step(system, number, &entries, edge) {
                return Some(outcome);
            }
            // A vector with much ω has many successors, and each may be compared with many.
            if position % 64 == 63
                && let Some(stop) = limits.stop(self.nodes.len())
            {
                return Some(Outcome::Stopped(stop));
            }
        }
        None
    }

    fn step(&mut self, system: &System, number: u32, from: &[(u32, u32)], edge: u32) -> Option<Outcome> {
        let net = self.net;
        let taken = &net.edges[edge as usize];
        let mut entries = from.to_vec();
        if let Some(local) = taken.needs {
            take_one(&mut entries, local);
        }
        for given in &taken.gives {
            if !add_one(&mut entries, *given) {
                return Some(Outcome::Stopped(Stop::Counters));
            }
        }
        let mut repeats = Vec::new();
        let unlimited = taken.needs.is_some_and(|local| count_of(from, local) == OMEGA);
        if taken.from != taken.to {
            self.close(taken.to, &mut entries, &mut repeats);
        } else if self.options.retake == Retake::Taken && unlimited {
            let before = raise(&mut entries, |local, _| taken.gives.contains(&local));
            self.counts.retaken += before.len() as u64;
            if !before.is_empty() {
                repeats.push(Repeat { steps: Repeated::Edge(edge), before });
            }
        }
        let known = &self.known[taken.to as usize];
        if known.above(&entries, self.options.pruning, &mut self.counts.comparisons).is_some() {
            return None;
        }
        if self.accelerate(number, taken.to, &mut entries, &mut repeats) {
            self.close(taken.to, &mut entries, &mut repeats);
        }
        self.add(system, taken.to, entries, Some((number, edge)), repeats)
    }

    /// What arbitrarily many threads can do without changing the shared state, arbitrarily many do.
    fn close(&mut self, shared: u32, entries: &mut Vec<(u32, u32)>, repeats: &mut Vec<Repeat>) {
        if self.options.retake != Retake::Closed {
            return;
        }
        let unlimited = entries.iter().filter(|(_, count)| *count == OMEGA).map(|(local, _)| *local);
        let mut work: Vec<u32> = unlimited.collect();
        while let Some(local) = work.pop() {
            for edge in self.by_source.get(&(shared, local)).into_iter().flatten() {
                let taken = &self.net.edges[*edge as usize];
                if taken.to != shared {
                    continue;
                }
                for given in &taken.gives {
                    let count = match entries.binary_search_by_key(given, |(l, _)| *l) {
                        Ok(at) if entries[at].1 == OMEGA => continue,
                        Ok(at) => std::mem::replace(&mut entries[at].1, OMEGA),
                        Err(at) => {
                            entries.insert(at, (*given, OMEGA));
                            0
                        }
                    };
                    self.counts.retaken += 1;
                    repeats.push(Repeat { steps: Repeated::Edge(*edge), before: vec![(*given, count)] });
                    work.push(*given);
                }
            }
        }
    }

    /// Counters that grew since an ancestor become ω. Whether there are any.
    fn accelerate(
        &mut self,
        parent: u32,
        shared: u32,
        entries: &mut [(u32, u32)],
        repeats: &mut Vec<Repeat>,
    ) -> bool {
        let before_it = repeats.len();
        // Most often one of the nearest is enough.
        let mut near = Some(parent);
        for _ in 0..NEAR {
            let Some(ancestor) = near else { break };
            near = self.nodes[ancestor as usize].origin.map(|(before, _)| before);
            if is_unlimited(entries) {
                break;
            }
            let node = &self.nodes[ancestor as usize];
            self.counts.ancestors += 1;
            if node.shared == shared && is_below(&node.entries, entries) {
                self.repeat_since(ancestor, entries, repeats);
            }
        }
        // All of them are compared at some depths only: an endless branch has endlessly many of these, and two of those
        // are comparable. With more ω, more ancestors may be below.
        let all = self.tree.depth(parent).is_multiple_of(ALL);
        while all && near.is_some() && !is_unlimited(entries) {
            let known = repeats.len();
            for ancestor in self.tree.below(parent, shared, entries, self.options.pruning.bitset) {
                self.repeat_since(ancestor, entries, repeats);
            }
            if repeats.len() == known {
                break;
            }
        }
        repeats.len() > before_it
    }

    /// An ancestor is below: what grew becomes ω.
    fn repeat_since(&mut self, ancestor: u32, entries: &mut [(u32, u32)], repeats: &mut Vec<Repeat>) {
        let then = self.nodes[ancestor as usize].entries.clone();
        let before = raise(entries, |local, now| count_of(&then, local) < now);
        if !before.is_empty() {
            self.counts.accelerated += before.len() as u64;
            repeats.push(Repeat { steps: Repeated::Since(ancestor), before });
        }
    }

    /// Adds a vector unless a known one makes it superfluous. One that covers the target ends the search.
    fn add(
        &mut self,
        system: &System,
        shared: u32,
        entries: Vec<(u32, u32)>,
        origin: Option<(u32, u32)>,
        repeats: Vec<Repeat>,
    ) -> Option<Outcome> {
        let seen = &mut self.counts.comparisons;
        let known = &mut self.known[shared as usize];
        if known.above(&entries, self.options.pruning, seen).is_some() {
            return None;
        }
        for dropped in known.drop_below(&entries, self.options.pruning, seen) {
            self.nodes[dropped as usize].superfluous = true;
        }
        let entries: Entries = entries.into();
        let number = self.nodes.len() as u32;
        self.counts.vectors += 1;
        known.insert(number, entries.clone(), self.options.pruning);
        self.queue.push_back(number);
        let covers = shared == self.net.goal_shared && is_below(&self.net.goal, &entries);
        self.tree.push(origin.map(|(parent, _)| parent), shared, entries.clone());
        self.nodes.push(Node { shared, entries, origin, repeats, superfluous: false });
        covers.then(|| self.trace(system, number))
    }

    fn trace(&self, system: &System, last: u32) -> Outcome {
        let mut demand: BTreeMap<u32, u64> =
            self.net.goal.iter().map(|(local, count)| (*local, u64::from(*count))).collect();
        let mut backwards: Vec<u32> = Vec::new();
        let mut at = last;
        loop {
            for repeat in self.nodes[at as usize].repeats.iter().rev() {
                let round = match repeat.steps {
                    Repeated::Edge(edge) => vec![edge],
                    Repeated::Since(ancestor) => self.edges_between(ancestor, at),
                };
                let too_much = |demand: &BTreeMap<u32, u64>| {
                    let asked = |local: &u32| demand.get(local).copied().unwrap_or(0);
                    repeat.before.iter().any(|(local, count)| asked(local) > u64::from(*count))
                };
                while too_much(&demand) {
                    for edge in &round {
                        self.ask_before(&mut demand, *edge);
                        backwards.push(*edge);
                    }
                    if backwards.len() > MOST_STEPS {
                        return Outcome::Stopped(Stop::LongRun);
                    }
                }
            }
            let Some((parent, edge)) = self.nodes[at as usize].origin else { break };
            self.ask_before(&mut demand, edge);
            backwards.push(edge);
            at = parent;
        }
        let Ok(start) = demand
            .into_iter()
            .map(|(local, count)| u32::try_from(count).map(|count| (local, count)))
            .collect::<Result<Vec<(u32, u32)>, _>>()
        else {
            return Outcome::Stopped(Stop::LongRun);
        };
        if !self.net.starts_above(self.net.start, &start) {
            return Outcome::Stopped(Stop::Trace);
        }
        let plan = backwards.into_iter().rev().map(|edge| (edge, Vec::new()));
        match self.net.run(system, &start, plan) {
            Some(run) => Outcome::Covered(run),
            None => Outcome::Stopped(Stop::Trace),
        }
    }

    /// The edges from an ancestor to a node, last one first.
    fn edges_between(&self, ancestor: u32, node: u32) -> Vec<u32> {
        let mut edges = Vec::new();
        let mut at = node;
        while at != ancestor
            && let Some((parent, edge)) = self.nodes[at as usize].origin
        {
            edges.push(edge);
            at = parent;
        }
        edges
    }

    /// What must be there before a step so that afterwards there is what is required.
    fn ask_before(&self, demand: &mut BTreeMap<u32, u64>, edge: u32) {
        let taken = &self.net.edges[edge as usize];
        for given in &taken.gives {
            if let Some(count) = demand.get_mut(given) {
                *count -= 1;
                if *count == 0 {
                    demand.remove(given);
                }
            }
        }
        if let Some(local) = taken.needs {
            *demand.entry(local).or_insert(0) += 1;
        }
    }
}

fn is_unlimited(entries: &[(u32, u32)]) -> bool {
    entries.iter().all(|(_, count)| *count == OMEGA)
}

/// Makes counters ω, and says what they were.
fn raise(entries: &mut [(u32, u32)], mut which: impl FnMut(u32, u32) -> bool) -> Vec<(u32, u32)> {
    let mut before = Vec::new();
    for (local, count) in entries {
        if *count != OMEGA && which(*local, *count) {
            before.push((*local, *count));
            *count = OMEGA;
        }
    }
    before
}
