//! Facts about a whole program that one pass of the abstract interpretation assumes and the next one verifies.
//!
//! What a thread can rely on (a cell is final, a lock undamaged, a joined thread leaves no other behind, joins succeed)
//! depends on what all threads do, which is known only when all were interpreted. So a pass assumes the best that was not
//! refuted yet and notes what refutes it; if that is new, there is another pass. Everything only grows, and a pass that
//! refutes nothing new has interpreted the program under facts that hold of all its runs: by induction over the steps of a
//! run, the first step that broke an assumed fact would have been noted.
//!
//! - *final cells*: not written while another thread may run, unless in an instance that no other thread can reach;
//! - *damaged locks*: see `locks.rs`;
//! - *children left*: threads that were not joined by the thread that created them when that one ends;
//! - *joins*: a join of a known child may fail, or return early, if some function that ends joins early is linked, or if
//!   another thread may have joined the child;
//! - *kinds of threads that create their own kind*;
//! - *names of locks*: where in an object the locks are, and of which kind; locks that may overlap otherwise than by being
//!   the same are damaged.

use std::collections::BTreeSet;

use raddle_analysis::{ObjectIndex, Target, Targets};
use raddle_ir::FunctionId;

use crate::threads::{Child, ThreadId};
use crate::value::overlap;

#[derive(Clone, Default, PartialEq)]
pub struct Assumed {
    /// Writes, with lengths, after which a cell is not final.
    pub late_writes: Vec<(Targets, i64)>,
    pub damaged: Vec<(Targets, i64)>,
    /// Threads that leave others behind.
    pub leaving: BTreeSet<ThreadId>,
    /// Threads that join others than their own children, or may.
    pub joining: BTreeSet<ThreadId>,
    /// Start functions of threads that create their own kind.
    pub recursive: BTreeSet<FunctionId>,
    /// Locks in objects with one instance, as they are named where they are used.
    pub named_locks: BTreeSet<NamedLock>,
}

/// A lock at an offset, or one in each element of an array: offset + scale * index, for any index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NamedLock {
    pub object: ObjectIndex,
    pub offset: i64,
    pub scale: Option<i64>,
    pub length: i64,
    /// By `LockFunctions`.
    pub kind: u32,
}

impl NamedLock {
    /// Whether bytes at an offset, or at that offset of each element, may be bytes of the lock.
    pub fn touches(&self, offset: i64, scale: Option<i64>, length: i64) -> bool {
        elements_meet((self.offset, self.scale, self.length), (offset, scale, length))
    }

    /// Whether the two, wherever they share a byte, are the same lock.
    pub fn agrees_with(&self, other: &NamedLock) -> bool {
        let same = match (self.scale, other.scale) {
            (None, None) => self.offset == other.offset,
            (Some(a), Some(b)) if a != b => false,
            (Some(scale), _) | (_, Some(scale)) => {
                let long = self.length.max(other.length);
                (self.offset - other.offset).rem_euclid(scale) == 0 && long <= scale
            }
        };
        self.object != other.object
            || !self.touches(other.offset, other.scale, other.length)
            || same && self.kind == other.kind
    }

    fn places(&self) -> Targets {
        let place = Target { object: self.object, offset: 0 };
        match self.scale {
            None => Targets::of(place.moved(self.offset)),
            Some(_) => Targets::of(place).anywhere(),
        }
    }
}

/// Whether bytes at an offset, or at that offset of each element of an array, may be among others that are given so: offset,
/// size of the elements, length.
pub fn elements_meet(a: (i64, Option<i64>, i64), b: (i64, Option<i64>, i64)) -> bool {
    let scale = match (a.1, b.1) {
        (None, None) => {
            return a.0 < b.0.saturating_add(b.2) && b.0 < a.0.saturating_add(a.2);
        }
        (Some(x), Some(y)) if x != y => return true,
        (Some(scale), _) | (_, Some(scale)) => scale,
    };
    // All differences of the two places are this one and multiples of the scale.
    let distance = b.0.saturating_sub(a.0).rem_euclid(scale);
    distance < a.2 || scale - distance < b.2
}

impl Assumed {
    /// Whether a child, or what it has left, may still run.
    pub fn may_run(&self, child: &Child) -> bool {
        match child {
            Child::Running(_) => true,
            Child::Joined(thread) => self.leaving.contains(thread),
        }
    }

    /// Whether a write by this name may touch a lock in an object with one instance.
    pub fn is_lock_touched(&self, object: ObjectIndex, offset: i64, scale: Option<i64>, length: i64) -> bool {
        self.named_locks.iter().any(|l| l.object == object && l.touches(offset, scale, length))
    }

    pub fn is_final(&self, cell: &Targets, length: i64) -> bool {
        !self.late_writes.iter().any(|(written, bytes)| overlap(cell, length, written, *bytes))
    }

    pub fn is_damaged(&self, lock: &Targets, length: i64) -> bool {
        self.damaged.iter().any(|(damage, bytes)| overlap(lock, length, damage, *bytes))
    }

    pub fn write_late(&mut self, written: &Targets, length: i64) {
        add(&mut self.late_writes, written, length);
    }

    /// A lock is used by this name. Where it may overlap another one, both are damaged.
    pub fn name_lock(&mut self, lock: NamedLock) {
        if !self.named_locks.insert(lock) {
            return;
        }
        let others = self.named_locks.iter().filter(|other| !lock.agrees_with(other));
        let damaged: Vec<NamedLock> = others.copied().collect();
        if !damaged.is_empty() || !lock.agrees_with(&lock) {
            for lock in damaged.iter().chain([&lock]) {
                self.damage(&lock.places(), lock.length);
            }
        }
    }

    pub fn damage(&mut self, lock: &Targets, length: i64) {
        add(&mut self.damaged, lock, length);
    }
}

fn add(list: &mut Vec<(Targets, i64)>, targets: &Targets, length: i64) {
    let entry = (targets.clone(), length);
    if !targets.is_empty() && !list.contains(&entry) {
        list.push(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_and_their_locks() {
        let lock = NamedLock { object: ObjectIndex(1), offset: 8, scale: Some(48), length: 24, kind: 0 };
        // Of any element: the bytes before the lock, behind it, into it, and of the next element's lock.
        assert!(!lock.touches(0, Some(48), 8));
        assert!(!lock.touches(32, Some(48), 16));
        assert!(lock.touches(4, Some(48), 8));
        assert!(lock.touches(56, Some(48), 4));
        // Up to the lock of the next element and into it, or by steps of another size.
        assert!(!lock.touches(40, Some(48), 16));
        assert!(lock.touches(40, Some(48), 17));
        assert!(lock.touches(0, Some(16), 4));
        // At a known place.
        assert!(!lock.touches(48, None, 8));
        assert!(lock.touches(72, None, 4));
        assert!(lock.touches(0, None, 1 << 32));
        let one = NamedLock { scale: None, ..lock };
        assert!(!one.touches(32, None, 8) && one.touches(31, None, 8));
        assert!(!one.touches(0, Some(48), 8) && one.touches(4, Some(48), 8));
    }

    #[test]
    fn locks_that_overlap_otherwise_than_by_being_the_same() {
        let lock = NamedLock { object: ObjectIndex(1), offset: 8, scale: Some(48), length: 24, kind: 0 };
        let one = NamedLock { offset: 56, scale: None, ..lock };
        assert!(lock.agrees_with(&lock) && lock.agrees_with(&one) && one.agrees_with(&lock));
        assert!(!lock.agrees_with(&NamedLock { kind: 1, ..one }));
        assert!(!lock.agrees_with(&NamedLock { offset: 60, ..one }));
        assert!(!lock.agrees_with(&NamedLock { scale: Some(24), ..lock }));
        assert!(lock.agrees_with(&NamedLock { offset: 32, kind: 1, ..one }));
        // Elements smaller than the lock.
        let dense = NamedLock { scale: Some(16), ..lock };
        assert!(!dense.agrees_with(&dense));
        let mut assumed = Assumed::default();
        assumed.name_lock(lock);
        assumed.name_lock(one);
        assert!(assumed.damaged.is_empty());
        assumed.name_lock(NamedLock { offset: 60, ..one });
        assert!(assumed.is_damaged(&lock.places(), 24) && assumed.is_damaged(&one.places(), 24));
    }
}
