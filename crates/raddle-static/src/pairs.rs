//! Race-freedom types, inferred: for every two conflicting accesses, what keeps them apart.
//!
//! Flanagan and Freund (2000) give each field the lock that guards it, as an expression over the object that the field is
//! in, and check that every access holds it. Here the guard is not declared: two accesses are compared, and are kept apart by
//! - *order*: they are not of threads that may run beside each other (`threads.rs`);
//! - *atomicity*: both are atomic;
//! - a *common lock*, of which one hold is exclusive, or the user's atomic sections, which count as one lock.
//!
//! # When two locks are the same
//!
//! The accesses overlap, so they are to the same instance of an object. Two locks are the same if
//! - both are at the same place of an object that has one instance; or
//! - each is named by the same base as its access, whose place in the object is known: then the lock lies in the same
//!   instance at a known place, and both places are equal (`p->lock` guards `p->count`); or
//! - both accesses are to elements of one array, at `scale * i` and `scale * j`, each within its element, and the locks are
//!   the same function of the element: overlapping means `i = j` ("arrays of locks need the same index").
//!
//! A damaged lock keeps nothing apart (`locks.rs`).
//!
//! It misses: publication through atomics (the accesses after it need a lock or an order), barriers, semaphores, locks that
//! are not in the object that they guard and have many instances.

use raddle_analysis::{ANYWHERE, ObjectIndex, Target, Targets};

use crate::interpret::Interpreter;
use crate::record::{Access, Point};
use crate::state::{HeldLock, LockPlace};
use crate::step::WHOLE;
use crate::value::{Address, Base, meet};

/// Comparisons, at most.
const MOST_COMPARISONS: usize = 20_000_000;

/// Two accesses that nothing is known to keep apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenPair {
    pub first: Point,
    pub second: Point,
    pub writes: (bool, bool),
    pub atomic: (bool, bool),
    pub object: ObjectIndex,
    /// Each holds some lock.
    pub locked: (bool, bool),
}

impl Interpreter<'_> {
    /// The pairs of places that are not kept apart, each once; `None`: there are too many accesses.
    pub fn open_pairs(&self) -> Option<Vec<OpenPair>> {
        let list = &self.accesses.list;
        let by_object = self.accesses_by_object();
        let mut out: Vec<OpenPair> = Vec::new();
        let mut compared = 0;
        for (object, accesses) in by_object.iter().enumerate() {
            for (i, a) in accesses.iter().enumerate() {
                for b in &accesses[i..] {
                    let (a, b) = (&list[*a], &list[*b]);
                    compared += 1;
                    if compared > MOST_COMPARISONS {
                        return None;
                    }
                    if self.is_open(ObjectIndex(object as u32), a, b) {
                        let pair = OpenPair {
                            first: a.user,
                            second: b.user,
                            writes: (a.write, b.write),
                            atomic: (a.atomic, b.atomic),
                            object: ObjectIndex(object as u32),
                            locked: (!a.locks.is_empty() || a.sections, !b.locks.is_empty() || b.sections),
                        };
                        if !out.iter().any(|o| (o.first, o.second) == (pair.first, pair.second)) {
                            out.push(pair);
                        }
                    }
                }
            }
        }
        Some(out)
    }

    /// The accesses of the pass to each object, by their places in the list.
    fn accesses_by_object(&self) -> Vec<Vec<usize>> {
        let mut by_object: Vec<Vec<usize>> = vec![Vec::new(); self.objects.count()];
        for (index, access) in self.accesses.list.iter().enumerate() {
            let mut objects: Vec<u32> = access.places.iter().map(|(object, _)| *object).collect();
            objects.dedup();
            objects.into_iter().for_each(|object| by_object[object as usize].push(index));
        }
        by_object
    }

    /// Gives every two accesses to one object, with the question whether nothing keeps them apart; `None`: there are more
    /// than `most`.
    pub fn for_each_pair(
        &self,
        most: usize,
        mut found: impl FnMut(&Access, &Access, &dyn Fn() -> bool),
    ) -> Option<()> {
        let list = &self.accesses.list;
        let mut compared = 0;
        for (object, accesses) in self.accesses_by_object().iter().enumerate() {
            compared += accesses.len() * (accesses.len() + 1) / 2;
            if compared > most {
                return None;
            }
            for (i, a) in accesses.iter().enumerate() {
                for b in &accesses[i..] {
                    let (a, b) = (&list[*a], &list[*b]);
                    found(a, b, &|| self.is_open(ObjectIndex(object as u32), a, b));
                }
            }
        }
        Some(())
    }

    fn is_open(&self, object: ObjectIndex, a: &Access, b: &Access) -> bool {
        if !(a.write || b.write) || a.atomic && b.atomic || a.sections && b.sections {
            return false;
        }
        let conflicts = self.conflicting_places(object, a, b);
        !conflicts.is_empty()
            && self.threads.may_be_unordered((a.thread, &a.children), (b.thread, &b.children))
            && !conflicts.iter().all(|(x, y)| self.has_common_lock((a, *x), (b, *y)))
    }

    /// Whether two accesses may conflict, neither of them kept apart from the other by a lock or the order of threads. Atomic
    /// accesses conflict, too, and the user's atomic sections are not locks here.
    pub fn may_conflict(&self, object: ObjectIndex, a: &Access, b: &Access) -> bool {
        if !(a.write || b.write) {
            return false;
        }
        let conflicts = self.conflicting_places(object, a, b);
        !conflicts.is_empty()
            && self.threads.may_be_unordered((a.thread, &a.children), (b.thread, &b.children))
            && !conflicts.iter().all(|(x, y)| self.has_common_lock((a, *x), (b, *y)))
    }

    /// The places of one object in which they may overlap.
    fn conflicting_places(&self, object: ObjectIndex, a: &Access, b: &Access) -> Vec<(Target, Target)> {
        let of = |access: &Access| -> Vec<Target> {
            let here = access.places.iter().filter(|(o, _)| *o == object.0);
            here.map(|(_, offset)| Target { object, offset: *offset }).collect()
        };
        let (x_length, y_length) = (a.length.unwrap_or(WHOLE), b.length.unwrap_or(WHOLE));
        let mut out = Vec::new();
        for x in of(a) {
            for y in of(b) {
                if meet(x, x_length, y, y_length) {
                    out.push((x, y));
                }
            }
        }
        out
    }

    fn has_common_lock(&self, a: (&Access, Target), b: (&Access, Target)) -> bool {
        a.0.locks
            .iter()
            .any(|x| b.0.locks.iter().any(|y| !(x.shared && y.shared) && self.is_same_lock(a, x, b, y)))
    }

    fn is_same_lock(&self, a: (&Access, Target), x: &HeldLock, b: (&Access, Target), y: &HeldLock) -> bool {
        if let (LockPlace::At(..), LockPlace::At(..)) = (x.place, y.place) {
            return x.place == y.place && self.is_sound(self.places_of_lock(x.place));
        }
        let places = [x, y].map(|lock| self.places_of_lock(lock.place));
        if !places.into_iter().all(|places| self.is_sound(places)) {
            return false;
        }
        // In the same instance.
        if let (Some(x), Some(y)) = (place_in_instance(a, x), place_in_instance(b, y))
            && x == y
        {
            return true;
        }
        match (element_lock(a, x), element_lock(b, y)) {
            (Some(x), Some(y)) => x == y,
            (Some(of), None) => is_lock_of_element(&of, b, y),
            (None, Some(of)) => is_lock_of_element(&of, a, x),
            (None, None) => false,
        }
    }

    /// Whether no place that the lock may be at is damaged.
    fn is_sound(&self, places: Targets) -> bool {
        !places.is_empty()
            && !places.has_shared()
            && !self.assumed.is_damaged(&places, self.locks.length_at(&places))
    }
}

/// Where the lock is in the instance that is accessed at `at`, if it is named by the same base.
fn place_in_instance((access, at): (&Access, Target), lock: &HeldLock) -> Option<i64> {
    let (LockPlace::Named(lock), Some(address)) = (lock.place, access.address) else { return None };
    let plain = lock.index.is_none() && address.index.is_none();
    (plain && lock.base == address.base && at.offset != ANYWHERE)
        .then(|| at.offset as i64 - address.offset + lock.offset)
}

/// An array, the size of its elements, and where a lock is as a function of the element: base, bytes an element, first.
type ElementLock = (Base, i64, LockBase, i64, i64);

#[derive(PartialEq, Eq)]
enum LockBase {
    /// In the array itself.
    Array,
    Object(ObjectIndex),
}

/// Whether a lock at a known place is the one that the function gives for the element at a known place.
fn is_lock_of_element(of: &ElementLock, (access, _): (&Access, Target), lock: &HeldLock) -> bool {
    let (base, scale, lock_base, step, first) = of;
    let (LockPlace::At(object, at), Some(Address { base: array, offset, index: None })) =
        (lock.place, access.address)
    else {
        return false;
    };
    let within = access.length.is_some_and(|length| offset.rem_euclid(*scale) + length <= *scale);
    let expected = match lock_base {
        LockBase::Array => *base,
        LockBase::Object(object) => Base::Object(*object),
    };
    let element = offset.div_euclid(*scale);
    array == *base && within && expected == Base::Object(object) && at as i64 == first + step * element
}

/// The lock as a function of the element that is accessed. The array is an object with one instance.
fn element_lock((access, _): (&Access, Target), lock: &HeldLock) -> Option<ElementLock> {
    let Address { base, offset, index: Some((scale, symbol)) } = access.address? else { return None };
    let LockPlace::Named(Address { base: lock_base, offset: first, index: Some((step, of)) }) = lock.place
    else {
        return None;
    };
    if symbol != of || !matches!(base, Base::Object(_)) {
        return None;
    }
    let rest = offset.rem_euclid(scale);
    if rest + access.length? > scale {
        return None;
    }
    // The element is the index plus these.
    let more = offset.div_euclid(scale);
    let lock_base = match lock_base {
        _ if lock_base == base => LockBase::Array,
        Base::Object(object) => LockBase::Object(object),
        _ => return None,
    };
    Some((base, scale, lock_base, step, first - step * more))
}
