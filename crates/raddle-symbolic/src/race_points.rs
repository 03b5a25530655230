//! What the race monitor of the machine (`monitors/race.rs`) is told of an instruction, as points of the thread.
//!
//! An atomic access is three points: what it reads is acquired before the access itself, what it writes is released after it.
//! An exchange that fails is a read with the second order. An access inside a kernel section is none; the section of an atomic
//! of unusual size is marked as one access to all its bytes.

use raddle_ir::{MemoryOrder, Operand};
use raddle_semantics::{MemoryAccess, MemoryUse};
use raddle_solver::Term;

use crate::access::Place;
use crate::executor::{Executor, Path};
use crate::unrolling::*;

/// An atomic access: whether it reads and writes, and what its order does.
#[derive(Clone, Copy)]
struct Atomic {
    reads: bool,
    writes: bool,
    acquires: bool,
    releases: bool,
}

fn acquires(order: MemoryOrder) -> bool {
    use MemoryOrder::{Acquire, AcquireRelease, SequentiallyConsistent};
    matches!(order, Acquire | AcquireRelease | SequentiallyConsistent)
}

fn releases(order: MemoryOrder) -> bool {
    use MemoryOrder::{AcquireRelease, Release, SequentiallyConsistent};
    matches!(order, Release | AcquireRelease | SequentiallyConsistent)
}

fn under(executor: &Executor, places: &[Place], when: Term) -> Vec<Place> {
    let and = |place: &Place| Place { condition: executor.d.and(place.condition, when), ..*place };
    places.iter().map(and).collect()
}

impl Executor<'_> {
    /// The points of an access of a width; `exchanges`: when an exchange writes.
    pub(crate) fn race_points(
        &mut self,
        path: &Path,
        node: Option<Node>,
        access: &MemoryAccess,
        places: &[Place],
        length: u32,
        exchanges: Option<Term>,
    ) {
        let writes = access.usage.writes();
        if access.order == MemoryOrder::NotAtomic {
            self.race_accesses(path, node, places, length, writes, MemoryOrder::NotAtomic);
            return;
        }
        let of = |order: MemoryOrder, reads: bool, writes: bool| Atomic {
            reads,
            writes,
            acquires: acquires(order),
            releases: releases(order),
        };
        let cases = match (access.usage, exchanges) {
            (MemoryUse::Exchange { failure, .. }, Some(swaps)) => {
                vec![(swaps, of(access.order, true, true)), (self.d.not(swaps), of(failure, true, false))]
            }
            (usage, _) => {
                let reads = !matches!(usage, MemoryUse::Write(_));
                vec![(Term::TRUE, of(access.order, reads, writes))]
            }
        };
        for (when, atomic) in cases {
            let places = under(self, places, when);
            self.atomic_points(path, node, &places, length, atomic);
        }
    }

    fn atomic_points(
        &mut self,
        path: &Path,
        node: Option<Node>,
        places: &[Place],
        length: u32,
        atomic: Atomic,
    ) {
        let Some(node) = node else { return };
        let Atomic { reads, writes, acquires, releases } = atomic;
        let range = |place: &Place| Range { object: place.object, offset: place.offset, length };
        let contended = |place: &&Place| self.is_contended(range(place));
        let contended: Vec<Place> = places.iter().filter(contended).copied().collect();
        for place in contended.iter().filter(|_| reads) {
            let what = PointKind::AtomicRead { range: range(place), acquires };
            self.point(path, node, place.condition, what);
        }
        self.race_accesses(path, Some(node), places, length, writes, MemoryOrder::Relaxed);
        for place in contended.iter().filter(|_| writes) {
            let what = PointKind::AtomicWrite { range: range(place), releases, update: reads };
            self.point(path, node, place.condition, what);
        }
    }

    /// The mark of an atomic of unusual size: the address, the size, what it does (0 and 3 read, 1 writes, 2 updates), and its order.
    pub(crate) fn atomic_marker(&mut self, pointer: Term, size: u32, arguments: &[Operand], path: &mut Path) {
        if size == 0 {
            return;
        }
        let (access, order) = (self.get(path, arguments[2]).bits, self.get(path, arguments[3]).bits);
        let is = |executor: &Self, term: Term, number: u64| {
            let number = executor.d.constant(64, number);
            executor.d.equal(term, number)
        };
        let (writes, updates) = (is(self, access, 1), is(self, access, 2));
        let may_write = writes != Term::FALSE || updates != Term::FALSE;
        let places = self.places(path, pointer, size, may_write);
        for Place { object, offset, .. } in places.iter().copied() {
            // In pieces, as `Touch`.
            for at in (0..size).step_by(4) {
                let length = (size - at).min(4);
                self.note(Range { object, offset: offset + at, length }, may_write);
            }
        }
        let node = path.state.section_node();
        let only_acquires = self.d.or(is(self, order, 1), is(self, order, 2));
        let (relaxed, only_releases) = (is(self, order, 0), is(self, order, 3));
        let either = self.d.or(only_acquires, only_releases);
        let both = self.d.not(self.d.or(relaxed, either));
        let reads = self.d.not(self.d.or(writes, updates));
        let kinds = [(reads, true, false), (writes, false, true), (updates, true, true)];
        let orders = [
            (relaxed, false, false),
            (only_acquires, true, false),
            (only_releases, false, true),
            (both, true, true),
        ];
        for (kind, reads, writes) in kinds {
            for (order, acquires, releases) in orders {
                let when = self.d.and(kind, order);
                if when != Term::FALSE {
                    let places = under(self, &places, when);
                    let atomic = Atomic { reads, writes, acquires, releases };
                    self.atomic_points(path, node, &places, size, atomic);
                }
            }
        }
    }

    /// A fence is local: a point of the last step.
    pub(crate) fn fence(&mut self, order: MemoryOrder, path: &mut Path) {
        if !self.races || self.probing {
            return;
        }
        let what = PointKind::Fence { acquires: acquires(order), releases: releases(order) };
        // Only the place among the thread's points matters to `order`; the tree has one case.
        if let Some((_, node)) = self.last_nodes(path).first().copied() {
            self.point(path, node, Term::TRUE, what);
        }
    }

    /// Accesses that can race: those to contended bytes.
    pub fn race_accesses(
        &mut self,
        path: &Path,
        node: Option<Node>,
        places: &[Place],
        length: u32,
        writes: bool,
        order: MemoryOrder,
    ) {
        let Some(node) = node else { return };
        for Place { condition, object, offset } in places.iter().copied() {
            let range = Range { object, offset, length };
            if self.is_contended(range) {
                let atomic = order != MemoryOrder::NotAtomic;
                self.point(path, node, condition, PointKind::Access { range, writes, atomic });
            }
        }
    }
}
