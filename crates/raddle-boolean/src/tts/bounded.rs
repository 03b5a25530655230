//! Forward search with a bounded number of threads: every vector of counters once, level by level, without reduction.
//!
//! For `--max-threads`, and as what the cut-off search repeats with more and more threads. A spawn that would make too
//! many threads is not taken, and counted as a cut. Where no threads are spawned, it is enough to start with as many as
//! are allowed: fewer can do nothing that more cannot.

use super::net::{Edge, Net};
use super::thread_states::ThreadStates;
use super::vector::{Entries, is_below, take_one, total};
use super::{Limits, Outcome, Stop};
use raddle_bp::tts::System;
use rustc_hash::FxHashMap;

/// Vectors between two checks of the budget.
const LOOK: usize = 256;
/// Ways of passive threads in one step.
const MOST_WAYS: usize = 1_000_000;

/// What a search with so many threads found.
#[derive(Clone, Debug)]
pub struct Bounded {
    pub outcome: Outcome,
    /// The thread states that were visited; all of them if the search does not stop at the target.
    pub seen: ThreadStates,
    /// Threads that could not be: at the start, or by spawns.
    pub cut: bool,
    pub states: u64,
    pub transitions: u64,
}

/// Searches with at most so many threads. With `whole`, it goes on behind the target.
pub fn bounded(net: &Net, system: &System, threads: u64, whole: bool, limits: &Limits) -> Bounded {
    let mut search = Search {
        net,
        numbers: FxHashMap::default(),
        states: Vec::new(),
        found: None,
        seen: ThreadStates::none(net),
        cut: !net.any.is_empty() || total(&net.exactly) > threads,
        transitions: 0,
    };
    let stopped = search.run(threads, whole, limits);
    let outcome = match (search.found, stopped) {
        (Some(last), _) => search.trace(system, last),
        (None, Some(stop)) => Outcome::Stopped(stop),
        (None, None) => Outcome::Uncoverable,
    };
    let states = search.states.len() as u64;
    Bounded { outcome, seen: search.seen, cut: search.cut, states, transitions: search.transitions }
}

/// A step: from which state, by which edge, and what passive threads did (from, to, how many).
type Origin = (u32, u32, Box<[(u32, u32, u32)]>);

struct State {
    shared: u32,
    entries: Entries,
    origin: Option<Origin>,
}

struct Search<'n> {
    net: &'n Net,
    numbers: FxHashMap<(u32, Entries), u32>,
    states: Vec<State>,
    found: Option<u32>,
    seen: ThreadStates,
    cut: bool,
    transitions: u64,
}

impl Search<'_> {
    fn run(&mut self, threads: u64, whole: bool, limits: &Limits) -> Option<Stop> {
        let net = self.net;
        let least = total(&net.exactly);
        if least > threads {
            return None;
        }
        let sizes = if net.any.is_empty() {
            0..=0
        } else if net.spawns() {
            0..=threads - least
        } else {
            threads - least..=threads - least
        };
        for more in sizes {
            let Some(starts) = self.starts(more, limits) else { return Some(Stop::Elements) };
            for start in starts {
                self.add(net.start, start, None);
            }
        }
        let mut by_source: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        let mut without_thread = vec![Vec::new(); net.shared];
        for (number, edge) in net.edges.iter().enumerate() {
            match edge.needs {
                Some(local) => by_source.entry((edge.from, local)).or_default().push(number as u32),
                None => without_thread[edge.from as usize].push(number as u32),
            }
        }
        let mut next = 0;
        while next < self.states.len() && (whole || self.found.is_none()) {
            if next.is_multiple_of(LOOK)
                && let Some(reason) = limits.budget.stop_reason()
            {
                return Some(Stop::Budget(reason));
            }
            if self.states.len() as u64 > limits.elements {
                return Some(Stop::Elements);
            }
            let (shared, entries) = (self.states[next].shared, self.states[next].entries.clone());
            let mut edges: Vec<u32> = without_thread[shared as usize].clone();
            for (local, _) in entries.iter() {
                edges.extend(by_source.get(&(shared, *local)).into_iter().flatten());
            }
            let full = total(&entries) >= threads;
            for number in edges {
                let edge = &net.edges[number as usize];
                if full && edge.gives.len() > usize::from(edge.needs.is_some()) {
                    self.cut = true;
                    continue;
                }
                let Some(ways) = after(edge, &entries) else { return Some(Stop::Ways) };
                for (result, moves) in ways {
                    self.transitions += 1;
                    self.add(edge.to, result, Some((next as u32, number, moves.into())));
                }
            }
            next += 1;
        }
        None
    }

    /// All ways to put `more` threads where any number may be. `None` when there are too many.
    fn starts(&self, more: u64, limits: &Limits) -> Option<Vec<Vec<(u32, u32)>>> {
        let mut ways = vec![(self.net.exactly.to_vec(), more)];
        for (position, local) in self.net.any.iter().enumerate() {
            let last = position + 1 == self.net.any.len();
            let mut longer = Vec::new();
            for (entries, left) in ways {
                for here in if last { left..=left } else { 0..=left } {
                    let mut entries = entries.clone();
                    let count = u32::try_from(here).ok()?;
                    match entries.binary_search_by_key(local, |(l, _)| *l) {
                        _ if count == 0 => {}
                        Ok(at) => entries[at].1 = entries[at].1.checked_add(count)?,
                        Err(at) => entries.insert(at, (*local, count)),
                    }
                    longer.push((entries, left - here));
                    if longer.len() as u64 > limits.elements {
                        return None;
                    }
                }
            }
            ways = longer;
        }
        Some(ways.into_iter().map(|(entries, _)| entries).collect())
    }

    fn add(&mut self, shared: u32, entries: Vec<(u32, u32)>, origin: Option<Origin>) {
        let number = self.states.len() as u32;
        let entries: Entries = entries.into();
        match self.numbers.entry((shared, entries.clone())) {
            std::collections::hash_map::Entry::Occupied(_) => return,
            std::collections::hash_map::Entry::Vacant(place) => place.insert(number),
        };
        self.seen.insert_shared(shared);
        for (local, _) in entries.iter() {
            self.seen.insert(shared, *local);
        }
        if self.found.is_none() && shared == self.net.goal_shared && is_below(&self.net.goal, &entries) {
            self.found = Some(number);
        }
        self.states.push(State { shared, entries, origin });
    }

    fn trace(&self, system: &System, last: u32) -> Outcome {
        let mut plan = Vec::new();
        let mut at = &self.states[last as usize];
        while let Some((before, edge, moves)) = &at.origin {
            plan.push((*edge, moves.to_vec()));
            at = &self.states[*before as usize];
        }
        plan.reverse();
        match self.net.run(system, &at.entries, plan) {
            Some(run) => Outcome::Covered(run),
            None => Outcome::Stopped(Stop::Trace),
        }
    }
}

/// Threads, and the passive moves that brought them there.
type Way = (Vec<(u32, u32)>, Vec<(u32, u32, u32)>);

/// What a step leads to. `None` when there are too many ways.
fn after(edge: &Edge, entries: &[(u32, u32)]) -> Option<Vec<Way>> {
    let mut others = entries.to_vec();
    if let Some(local) = edge.needs {
        take_one(&mut others, local);
    }
    let mut ways: Vec<Way> =
        if edge.passive.is_empty() { vec![(others, Vec::new())] } else { passive_ways(edge, &others)? };
    for (threads, _) in &mut ways {
        for given in &edge.gives {
            if !super::vector::add_one(threads, *given) {
                return None;
            }
        }
    }
    Some(ways)
}

fn passive_ways(edge: &Edge, others: &[(u32, u32)]) -> Option<Vec<Way>> {
    let mut ways: Vec<Way> = vec![(Vec::new(), Vec::new())];
    for (local, count) in others {
        let targets: Vec<u32> = edge.passive_targets(*local).collect();
        let moved = edge.passive.binary_search_by_key(local, |(a, _)| *a).is_ok();
        let mut longer = Vec::new();
        for split in super::backward::splits(*count, &targets, MOST_WAYS)? {
            for (threads, moves) in &ways {
                if longer.len() >= MOST_WAYS {
                    return None;
                }
                let (mut threads, mut moves) = (threads.clone(), moves.clone());
                for (to, part) in &split {
                    if moved {
                        moves.push((*local, *to, *part));
                    }
                    match threads.binary_search_by_key(to, |(l, _)| *l) {
                        Ok(at) => threads[at].1 = threads[at].1.checked_add(*part)?,
                        Err(at) => threads.insert(at, (*to, *part)),
                    }
                }
                longer.push((threads, moves));
            }
        }
        ways = longer;
    }
    Some(ways)
}
