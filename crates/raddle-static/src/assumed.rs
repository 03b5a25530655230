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
//! - *names of locks*: where in an object the locks are, if all uses of locks there have a name.

use std::collections::BTreeSet;

use raddle_analysis::{ObjectIndex, Targets};
use raddle_ir::FunctionId;

use crate::threads::ThreadId;
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
    /// Objects in which locks are used that have no such name.
    pub unnamed_locks: BTreeSet<ObjectIndex>,
}

/// A lock at an offset, or one in each element of an array: offset + scale * index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NamedLock {
    pub object: ObjectIndex,
    pub offset: i64,
    pub scale: Option<i64>,
    pub length: i64,
}

impl NamedLock {
    /// Whether bytes at an offset, or at that offset of each element, may be bytes of the lock: both lie within their element
    /// or may be anywhere.
    pub fn touches(&self, offset: i64, scale: Option<i64>, length: i64) -> bool {
        let apart = |x: i64, y: i64| x + self.length <= y || y + length <= x;
        let scale = match (self.scale, scale) {
            (None, None) => return !apart(self.offset, offset),
            (Some(a), Some(b)) if a != b => return true,
            (Some(scale), _) | (_, Some(scale)) => scale,
        };
        let (x, y) = (self.offset.rem_euclid(scale), offset.rem_euclid(scale));
        x + self.length > scale || y.saturating_add(length) > scale || !apart(x, y)
    }
}

impl Assumed {
    /// Whether a write by this name may touch a lock in an object with one instance.
    pub fn is_lock_touched(&self, object: ObjectIndex, offset: i64, scale: Option<i64>, length: i64) -> bool {
        self.unnamed_locks.contains(&object)
            || self.named_locks.iter().any(|l| l.object == object && l.touches(offset, scale, length))
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
        let lock = NamedLock { object: ObjectIndex(1), offset: 8, scale: Some(48), length: 24 };
        // Of any element: the bytes before the lock, behind it, into it, and of the next element's lock.
        assert!(!lock.touches(0, Some(48), 8));
        assert!(!lock.touches(32, Some(48), 16));
        assert!(lock.touches(4, Some(48), 8));
        assert!(lock.touches(56, Some(48), 4));
        // Beyond the element, or by steps of another size.
        assert!(lock.touches(40, Some(48), 16));
        assert!(lock.touches(0, Some(16), 4));
        // At a known place.
        assert!(!lock.touches(48, None, 8));
        assert!(lock.touches(72, None, 4));
        assert!(lock.touches(0, None, 1 << 32));
        let one = NamedLock { scale: None, ..lock };
        assert!(!one.touches(32, None, 8) && one.touches(31, None, 8));
    }
}
