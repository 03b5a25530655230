//! Races along one interleaving, by rule 6: the happens-before relation in one forward pass, with guards as terms.
//!
//! Of each access that may still race with a later one it is known to which threads it happens before all that they do from
//! now on, and what carries it: an object and channel that was released, a location that was written atomically. The rules
//! are those of `races.rs`, where a solver looks for the least set that is closed under them.
//!
//! This is part of the state, so states that are equal but for it are explored again. Accesses that are known to every
//! thread that could still conflict with them are forgotten.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_machine::ObjectId;
use raddle_solver::{Term, Terms};
use rustc_hash::FxHashMap;

use super::state::ABSENT;
use super::steps::Steps;
use crate::unrolling::*;

/// An object, an offset in it, and a channel.
type Channel = (ObjectId, u32, i32);
/// By access: whether it happens before. What is absent is false.
type Known = BTreeMap<u32, Term>;

struct Access {
    thread: usize,
    /// Of its node in the thread.
    index: usize,
    range: Range,
    writes: bool,
    atomic: bool,
    conflicts: Vec<u32>,
}

/// What is known before any execution.
struct Table {
    accesses: Vec<Access>,
    /// By thread and point.
    numbers: FxHashMap<(usize, usize), u32>,
    places: FxHashMap<usize, Vec<usize>>,
    /// By thread, the creator, and the index of the creating node there.
    created: Vec<Option<(usize, usize)>>,
    /// By thread and channel: until which index it is released and acquired, by the thread or one that it creates.
    releases: Vec<FxHashMap<Channel, i64>>,
    acquires: Vec<FxHashMap<Channel, i64>>,
}

#[derive(Clone)]
pub struct HappensBefore {
    table: Rc<Table>,
    /// By thread.
    known: Vec<Known>,
    released: BTreeMap<Channel, Known>,
    written: BTreeMap<usize, Known>,
    /// Accesses that were made, and when.
    done: Known,
    /// An order was made that is not followed here: what races from now on may be ordered.
    pub unknown: Term,
}

impl HappensBefore {
    pub fn new(steps: &Steps) -> HappensBefore {
        let threads = &steps.unrolling.threads;
        let mut accesses: Vec<Access> = Vec::new();
        let mut numbers = FxHashMap::default();
        let index_of = |node: Node| steps.steps[node.0 as usize].index;
        for (t, thread) in threads.iter().enumerate() {
            for (p, point) in thread.points.iter().enumerate() {
                if let PointKind::Access { range, writes, atomic } = &point.what {
                    numbers.insert((t, p), accesses.len() as u32);
                    accesses.push(Access {
                        thread: t,
                        index: index_of(point.node),
                        range: *range,
                        writes: *writes,
                        atomic: *atomic,
                        conflicts: Vec::new(),
                    });
                }
            }
        }
        for a in 0..accesses.len() {
            let conflicts = (0..accesses.len()).filter(|b| conflict(&accesses[a], &accesses[*b]));
            accesses[a].conflicts = conflicts.map(|b| b as u32).collect();
        }
        let mut places = FxHashMap::default();
        for step in &steps.steps {
            places.extend(step.reads.iter().map(|read| (read.event, read.places.clone())));
            let parts = |write: &super::steps::Write| write.parts.iter().map(|(place, _)| *place).collect();
            places.extend(step.writes.iter().map(|write| (write.event, parts(write))));
        }
        let created = |thread: &Thread| {
            let node = thread.created?;
            Some((steps.unrolling.nodes[node.0 as usize].0 as usize, index_of(node)))
        };
        let created: Vec<_> = threads.iter().map(created).collect();
        let none: Vec<FxHashMap<Channel, i64>> = vec![FxHashMap::default(); threads.len()];
        let (mut releases, mut acquires) = (none.clone(), none);
        for t in (0..threads.len()).rev() {
            for point in &threads[t].points {
                let (list, channel) = match &point.what {
                    PointKind::Release(channel) => (&mut releases, channel),
                    PointKind::Acquire(channel) => (&mut acquires, channel),
                    _ => continue,
                };
                let last = list[t].entry(*channel).or_insert(-1);
                *last = (*last).max(index_of(point.node) as i64);
            }
            if let Some((parent, index)) = created[t] {
                for list in [&mut releases, &mut acquires] {
                    for channel in list[t].keys().copied().collect::<Vec<_>>() {
                        let last = list[parent].entry(channel).or_insert(-1);
                        *last = (*last).max(index as i64);
                    }
                }
            }
        }
        HappensBefore {
            table: Rc::new(Table { accesses, numbers, places, created, releases, acquires }),
            known: vec![Known::new(); threads.len()],
            released: BTreeMap::new(),
            written: BTreeMap::new(),
            done: Known::new(),
            unknown: Term::FALSE,
        }
    }

    /// The points of a node happen, each under a guard; when one of its accesses races with an earlier one.
    pub fn execute(
        &mut self,
        steps: &Steps,
        terms: &mut Terms,
        node: Node,
        guards: &[Term],
        write_guards: &[Term],
    ) -> Term {
        let table = self.table.clone();
        let step = &steps.steps[node.0 as usize];
        let t = step.thread;
        let mut races = Term::FALSE;
        let mut carried: FxHashMap<usize, Known> = FxHashMap::default();
        for (point, guard) in step.points.iter().zip(guards) {
            if *guard == Term::FALSE {
                continue;
            }
            match &steps.unrolling.threads[t].points[*point].what {
                PointKind::Acquire(channel) => {
                    if let Some(released) = self.released.get(channel) {
                        join(terms, &mut self.known[t], released, *guard);
                    }
                }
                PointKind::Release(channel) => {
                    let released = self.released.entry(*channel).or_default();
                    join(terms, released, &self.known[t], *guard);
                }
                PointKind::Spawn(child) => {
                    let known = self.known[t].clone();
                    join(terms, &mut self.known[child.0 as usize], &known, *guard);
                }
                PointKind::Atomic { reads, writes } => {
                    for place in reads.iter().filter_map(|event| table.places.get(event)).flatten() {
                        if let Some(written) = self.written.get(place) {
                            join(terms, &mut self.known[t], written, *guard);
                        }
                    }
                    for event in writes {
                        let mut known = Known::new();
                        join(terms, &mut known, &self.known[t], *guard);
                        carried.insert(*event, known);
                    }
                }
                PointKind::Access { .. } => {
                    let number = table.numbers[&(t, *point)];
                    for other in &table.accesses[number as usize].conflicts {
                        let Some(earlier) = self.done.get(other) else { continue };
                        let ordered = self.known[t].get(other).copied().unwrap_or(Term::FALSE);
                        let unordered = terms.not(ordered);
                        let both = terms.and(*earlier, *guard);
                        let here = terms.and(both, unordered);
                        races = terms.or(races, here);
                    }
                    if !table.accesses[number as usize].conflicts.is_empty() {
                        self.done.insert(number, *guard);
                        self.known[t].insert(number, *guard);
                    }
                }
            }
        }
        // What a location carries is what its last write published.
        for (write, guard) in step.writes.iter().zip(write_guards) {
            if *guard == Term::FALSE {
                continue;
            }
            let none = Known::new();
            let published = carried.get(&write.event).unwrap_or(&none);
            let stays = terms.not(*guard);
            for (place, _) in &write.parts {
                let old = self.written.remove(place).unwrap_or_default();
                let mut new = Known::new();
                join(terms, &mut new, published, *guard);
                join(terms, &mut new, &old, stays);
                if !new.is_empty() {
                    self.written.insert(*place, new);
                }
            }
        }
        races
    }

    /// Forgets accesses that cannot race any more.
    pub fn forget(&mut self, steps: &Steps, positions: &[u32]) {
        let table = self.table.clone();
        // The thread from which another one, if it is still to come, will know what it knows.
        let holder = |mut thread: usize, mut index: usize| loop {
            if positions[thread] != ABSENT {
                return (positions[thread] as usize <= index).then_some(thread);
            }
            (thread, index) = table.created[thread]?;
        };
        let known = &self.known;
        let matters = |access: u32| {
            table.accesses[access as usize].conflicts.iter().any(|other| {
                let other = &table.accesses[*other as usize];
                holder(other.thread, other.index)
                    .is_some_and(|holder| known[holder].get(&access) != Some(&Term::TRUE))
            })
        };
        let gone: Vec<u32> = self.done.keys().copied().filter(|access| !matters(*access)).collect();
        for access in gone {
            self.done.remove(&access);
            let carriers = self.known.iter_mut().chain(self.released.values_mut());
            for known in carriers.chain(self.written.values_mut()) {
                known.remove(&access);
            }
        }
        // What no thread will acquire any more carries nothing.
        let later = |lists: &[FxHashMap<Channel, i64>], channel: &Channel| {
            positions.iter().zip(lists).any(|(position, list)| {
                *position != ABSENT && list.get(channel).is_some_and(|last| *last >= i64::from(*position))
            })
        };
        self.released.retain(|channel, known| !known.is_empty() && later(&table.acquires, channel));
        self.written.retain(|_, known| !known.is_empty());
        for (t, known) in self.known.iter_mut().enumerate() {
            if positions[t] != ABSENT && positions[t] as usize == steps.unrolling.threads[t].nodes.len() {
                known.clear();
            }
        }
    }

    /// Whether a node and what another thread does later make an edge in one order only.
    pub fn orders(&self, steps: &Steps, node: Node, other: usize, position: u32) -> bool {
        let step = &steps.steps[node.0 as usize];
        let later = |list: &[FxHashMap<Channel, i64>], channel: &Channel| {
            list[other].get(channel).is_some_and(|last| *last >= i64::from(position))
        };
        step.points.iter().any(|p| match &steps.unrolling.threads[step.thread].points[*p].what {
            PointKind::Acquire(channel) => later(&self.table.releases, channel),
            PointKind::Release(channel) => later(&self.table.acquires, channel),
            _ => false,
        })
    }

    pub fn rewrite(&mut self, terms: &mut Terms, new: &FxHashMap<Term, Term>) {
        let all = self.known.iter_mut().chain(self.released.values_mut());
        for known in all.chain(self.written.values_mut()).chain([&mut self.done]) {
            for term in known.values_mut() {
                *term = terms.substitute(&[*term], new)[0];
            }
            known.retain(|_, term| *term != Term::FALSE);
        }
        self.unknown = terms.substitute(&[self.unknown], new)[0];
    }

    pub fn key(&self, numbers: &mut Vec<u32>, values: &mut Vec<Term>) {
        let mut add = |known: &Known| {
            numbers.push(known.len() as u32);
            numbers.extend(known.keys());
            values.extend(known.values());
        };
        add(&self.done);
        add(&Known::from([(0, self.unknown)]));
        self.known.iter().for_each(&mut add);
        self.released.values().for_each(&mut add);
        self.written.values().for_each(&mut add);
        numbers.push(self.released.len() as u32);
        for (object, offset, channel) in self.released.keys() {
            numbers.extend([(object.0 >> 32) as u32, object.0 as u32, *offset, *channel as u32]);
        }
        numbers.extend(self.written.keys().map(|place| *place as u32));
    }
}

fn conflict(a: &Access, b: &Access) -> bool {
    let overlap =
        a.range.object == b.range.object && a.range.offset < b.range.end() && b.range.offset < a.range.end();
    a.thread != b.thread && overlap && (a.writes || b.writes) && !(a.atomic && b.atomic)
}

/// Adds what another one knows, under a guard.
fn join(terms: &mut Terms, known: &mut Known, other: &Known, guard: Term) {
    for (access, when) in other {
        let when = terms.and(*when, guard);
        if when != Term::FALSE {
            let before = known.get(access).copied().unwrap_or(Term::FALSE);
            known.insert(*access, terms.or(before, when));
        }
    }
}
