//! Races along one interleaving, by rule 6: the happens-before relation in one forward pass, with guards as terms.
//!
//! Of each access that may still race with a later one it is known to which threads it happens before all that they do from
//! now on, and what carries it: an object and channel that was released, bytes that were written atomically, fences. The rules
//! are those of `races.rs` and `release_sequences.rs`, where a solver looks for the least set that is closed under them;
//! here the points of a node are executed in order, as by the machine.
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
    /// By thread and point: the pieces of bytes whose release sequences it reads or writes.
    pieces: FxHashMap<(usize, usize), Vec<usize>>,
    /// By thread and piece: until which index it is read and written so, by the thread or one that it creates.
    reads: Vec<FxHashMap<usize, i64>>,
    writes: Vec<FxHashMap<usize, i64>>,
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
    /// By thread: at its last release fence.
    fenced: Vec<Known>,
    /// By thread: what its relaxed reads have read from.
    unfenced: Vec<Known>,
    released: BTreeMap<Channel, Known>,
    /// By piece.
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
        let pieces = pieces(threads);
        let created = |thread: &Thread| {
            let node = thread.created?;
            Some((steps.unrolling.nodes[node.0 as usize].0 as usize, index_of(node)))
        };
        let created: Vec<_> = threads.iter().map(created).collect();
        let none: Vec<FxHashMap<Channel, i64>> = vec![FxHashMap::default(); threads.len()];
        let (mut releases, mut acquires) = (none.clone(), none);
        let none: Vec<FxHashMap<usize, i64>> = vec![FxHashMap::default(); threads.len()];
        let (mut reads, mut writes) = (none.clone(), none);
        for t in (0..threads.len()).rev() {
            for (p, point) in threads[t].points.iter().enumerate() {
                let index = index_of(point.node) as i64;
                for piece in pieces.get(&(t, p)).into_iter().flatten() {
                    let is_read = matches!(point.what, PointKind::AtomicRead { .. });
                    extend(if is_read { &mut reads[t] } else { &mut writes[t] }, *piece, index);
                }
                match &point.what {
                    PointKind::Release(channel) => extend(&mut releases[t], *channel, index),
                    PointKind::Acquire(channel) => extend(&mut acquires[t], *channel, index),
                    _ => {}
                }
            }
            if let Some((parent, index)) = created[t] {
                for list in [&mut releases, &mut acquires] {
                    for channel in list[t].keys().copied().collect::<Vec<_>>() {
                        extend(&mut list[parent], channel, index as i64);
                    }
                }
                for list in [&mut reads, &mut writes] {
                    for piece in list[t].keys().copied().collect::<Vec<_>>() {
                        extend(&mut list[parent], piece, index as i64);
                    }
                }
            }
        }
        HappensBefore {
            table: Rc::new(Table { accesses, numbers, pieces, reads, writes, created, releases, acquires }),
            known: vec![Known::new(); threads.len()],
            fenced: vec![Known::new(); threads.len()],
            unfenced: vec![Known::new(); threads.len()],
            released: BTreeMap::new(),
            written: BTreeMap::new(),
            done: Known::new(),
            unknown: Term::FALSE,
        }
    }

    /// The points of a node happen, each under a guard; when one of its accesses races with an earlier one.
    pub fn execute(&mut self, steps: &Steps, terms: &mut Terms, node: Node, guards: &[Term]) -> Term {
        let table = self.table.clone();
        let step = &steps.steps[node.0 as usize];
        let t = step.thread;
        let mut races = Term::FALSE;
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
                PointKind::AtomicRead { acquires, .. } => {
                    for piece in table.pieces.get(&(t, *point)).into_iter().flatten() {
                        if let Some(written) = self.written.get(piece) {
                            let into = if *acquires { &mut self.known[t] } else { &mut self.unfenced[t] };
                            join(terms, into, written, *guard);
                        }
                    }
                }
                PointKind::AtomicWrite { releases, update, .. } => {
                    let shown = if *releases { self.known[t].clone() } else { self.fenced[t].clone() };
                    self.write(terms, &table, (t, *point), *guard, &shown, *update);
                }
                PointKind::Fence { acquires, releases } => {
                    if *acquires {
                        join(terms, &mut self.known[t], &self.unfenced[t], *guard);
                    }
                    if *releases {
                        join(terms, &mut self.fenced[t], &self.known[t], *guard);
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
                    // A plain write ends release sequences; other accesses have no pieces.
                    self.write(terms, &table, (t, *point), *guard, &Known::new(), false);
                }
            }
        }
        races
    }

    /// Pieces are written by a point: what they carry is replaced or, by a read-modify-write, added to.
    fn write(
        &mut self,
        terms: &mut Terms,
        table: &Table,
        point: (usize, usize),
        guard: Term,
        shown: &Known,
        update: bool,
    ) {
        let stays = if update { Term::TRUE } else { terms.not(guard) };
        for piece in table.pieces.get(&point).into_iter().flatten() {
            let old = self.written.remove(piece).unwrap_or_default();
            let mut new = Known::new();
            join(terms, &mut new, shown, guard);
            join(terms, &mut new, &old, stays);
            if !new.is_empty() {
                self.written.insert(*piece, new);
            }
        }
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
            for known in self.carriers() {
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
        let read_later = |piece: &usize| {
            positions.iter().zip(&table.reads).any(|(position, list)| {
                *position != ABSENT && list.get(piece).is_some_and(|last| *last >= i64::from(*position))
            })
        };
        self.written.retain(|piece, known| !known.is_empty() && read_later(piece));
        for (t, position) in positions.iter().enumerate() {
            if *position != ABSENT && *position as usize == steps.unrolling.threads[t].nodes.len() {
                for known in [&mut self.known[t], &mut self.fenced[t], &mut self.unfenced[t]] {
                    known.clear();
                }
            }
        }
    }

    /// All that carries accesses to later ones.
    fn carriers(&mut self) -> impl Iterator<Item = &mut Known> {
        let of_threads = self.known.iter_mut().chain(&mut self.fenced).chain(&mut self.unfenced);
        of_threads.chain(self.released.values_mut()).chain(self.written.values_mut())
    }

    /// Whether a node and what another thread does later make an edge in one order only.
    pub fn orders(&self, steps: &Steps, node: Node, other: usize, position: u32) -> bool {
        let step = &steps.steps[node.0 as usize];
        let later = |list: &[FxHashMap<Channel, i64>], channel: &Channel| {
            list[other].get(channel).is_some_and(|last| *last >= i64::from(position))
        };
        let later_piece = |list: &[FxHashMap<usize, i64>], piece: &usize| {
            list[other].get(piece).is_some_and(|last| *last >= i64::from(position))
        };
        step.points.iter().any(|p| match &steps.unrolling.threads[step.thread].points[*p].what {
            PointKind::Acquire(channel) => later(&self.table.releases, channel),
            PointKind::Release(channel) => later(&self.table.acquires, channel),
            what => self.table.pieces.get(&(step.thread, *p)).into_iter().flatten().any(|piece| {
                let reads = matches!(what, PointKind::AtomicRead { .. });
                later_piece(&self.table.writes, piece) || !reads && later_piece(&self.table.reads, piece)
            }),
        })
    }

    pub fn rewrite(&mut self, terms: &mut Terms, new: &FxHashMap<Term, Term>) {
        let mut done = std::mem::take(&mut self.done);
        for known in self.carriers().chain([&mut done]) {
            for term in known.values_mut() {
                *term = terms.substitute(&[*term], new)[0];
            }
            known.retain(|_, term| *term != Term::FALSE);
        }
        self.done = done;
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
        self.known.iter().chain(&self.fenced).chain(&self.unfenced).for_each(&mut add);
        self.released.values().for_each(&mut add);
        self.written.values().for_each(&mut add);
        numbers.push(self.released.len() as u32);
        for (object, offset, channel) in self.released.keys() {
            numbers.extend([(object.0 >> 32) as u32, object.0 as u32, *offset, *channel as u32]);
        }
        numbers.extend(self.written.keys().map(|place| *place as u32));
    }
}

/// By point that reads or writes release sequences: the coarsest pieces of bytes that no such point divides. Bytes that
/// no atomic reads are left out.
fn pieces(threads: &[Thread]) -> FxHashMap<(usize, usize), Vec<usize>> {
    /// Whether it reads, and the thread with its point.
    type Touch = (Range, bool, (usize, usize));
    let mut by_object: BTreeMap<ObjectId, Vec<Touch>> = BTreeMap::new();
    for (t, thread) in threads.iter().enumerate() {
        for (p, point) in thread.points.iter().enumerate() {
            match &point.what {
                PointKind::AtomicRead { range, .. } => {
                    by_object.entry(range.object).or_default().push((*range, true, (t, p)));
                }
                PointKind::AtomicWrite { range, .. }
                | PointKind::Access { range, writes: true, atomic: false } => {
                    by_object.entry(range.object).or_default().push((*range, false, (t, p)));
                }
                _ => {}
            }
        }
    }
    let mut pieces: FxHashMap<(usize, usize), Vec<usize>> = FxHashMap::default();
    let mut number = 0;
    for points in by_object.into_values() {
        let mut bounds: Vec<u32> =
            points.iter().flat_map(|(range, ..)| [range.offset, range.end()]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        for pair in bounds.windows(2) {
            let covers = |range: &Range| range.offset <= pair[0] && pair[1] <= range.end();
            let here = points.iter().filter(|(range, ..)| covers(range));
            if here.clone().any(|(_, reads, _)| *reads) {
                here.for_each(|(.., point)| pieces.entry(*point).or_default().push(number));
                number += 1;
            }
        }
    }
    pieces
}

fn extend<K: Eq + std::hash::Hash>(list: &mut FxHashMap<K, i64>, key: K, index: i64) {
    let last = list.entry(key).or_insert(-1);
    *last = (*last).max(index);
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
