//! Sets of abstract objects that a value may point into, and what abstract objects may contain.
//!
//! Offsets are kept while they are few and constant, so that the members of a local structure stay apart; a loop that
//! walks over an object, or too many offsets, make the offset unknown.

use std::collections::BTreeMap;

/// An abstract object: a stack or thread-local variable, a global, the variadic arguments of a function; or
/// [`ObjectIndex::SHARED`], everything that any thread may know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectIndex(pub u32);

impl ObjectIndex {
    pub const SHARED: ObjectIndex = ObjectIndex(0);
    /// In the analysis by allocation sites: every address of unknown origin.
    pub const UNKNOWN: ObjectIndex = ObjectIndex::SHARED;
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Some place inside the object.
pub const ANYWHERE: i32 = i32::MIN;
/// Offsets of one object that one set keeps apart.
const OFFSETS: usize = 8;
/// Offsets that the content of one object keeps apart.
pub(crate) const CONTENT_OFFSETS: usize = 256;
/// Offsets beyond this are not kept: the machine's largest object.
const LIMIT: i64 = 1 << 26;
/// The longest piece that one store writes.
const WORD: i64 = 8;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    pub object: ObjectIndex,
    /// In bytes, or [`ANYWHERE`], which represents every offset.
    pub offset: i32,
}

impl Target {
    pub const SHARED: Target = Target { object: ObjectIndex::SHARED, offset: ANYWHERE };
    pub fn start(object: ObjectIndex) -> Target {
        Target { object, offset: 0 }
    }
    /// The target so many bytes further.
    pub fn moved(self, bytes: i64) -> Target {
        Target { object: self.object, offset: moved(self.offset, bytes) }
    }
    pub fn anywhere(self) -> Target {
        Target { object: self.object, offset: ANYWHERE }
    }
}

pub(crate) fn moved(offset: i32, bytes: i64) -> i32 {
    if offset == ANYWHERE {
        return ANYWHERE;
    }
    let sum = (offset as i64).saturating_add(bytes);
    // The least number has no absolute value.
    if sum.unsigned_abs() < LIMIT as u64 { sum as i32 } else { ANYWHERE }
}

/// What a value may point into; empty: it is no pointer and no part of one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Targets {
    /// Ascending.
    list: Vec<Target>,
    /// There were too many: they all escaped, and so does what comes.
    full: bool,
}

impl Targets {
    pub fn shared() -> Targets {
        Targets::of(Target::SHARED)
    }
    pub fn of(target: Target) -> Targets {
        Targets { list: vec![target], full: false }
    }
    pub fn full() -> Targets {
        Targets { list: vec![Target::SHARED], full: true }
    }
    pub fn is_full(&self) -> bool {
        self.full
    }
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    pub fn len(&self) -> usize {
        self.list.len()
    }
    pub fn iter(&self) -> impl Iterator<Item = Target> + '_ {
        self.list.iter().copied()
    }
    pub fn has_shared(&self) -> bool {
        self.list.first().is_some_and(|t| t.object == ObjectIndex::SHARED)
    }
    /// There are some, and none is the shared one.
    pub fn are_of_known_objects(&self) -> bool {
        !self.is_empty() && !self.has_shared()
    }
    /// The one object that all targets lie in, unless that is the shared one.
    pub fn only_object(&self) -> Option<ObjectIndex> {
        let first = self.list.first()?.object;
        (first != ObjectIndex::SHARED && self.list.iter().all(|t| t.object == first)).then_some(first)
    }

    pub(crate) fn contains(&self, target: Target) -> bool {
        self.list.binary_search(&target).is_ok()
    }

    /// What of an ascending list is not in the set when changed by `f`, which keeps objects.
    pub(crate) fn missing(&self, list: &[Target], f: impl Fn(Target) -> Target) -> Vec<Target> {
        let mut out = Vec::new();
        let mut start = 0;
        for target in list {
            while self.list.get(start).is_some_and(|own| own.object < target.object) {
                start += 1;
            }
            let changed = f(*target);
            let own = self.list[start..].iter().take_while(|own| own.object == target.object);
            if !own.clone().any(|own| own.offset == ANYWHERE || *own == changed) {
                out.push(changed);
            }
        }
        out
    }

    /// Inserts many targets at once, and gives what the set grew by.
    pub(crate) fn grow_by(&mut self, mut more: Vec<Target>) -> Vec<Target> {
        const FEW: usize = 4;
        if more.len() <= FEW {
            return more.into_iter().filter_map(|target| self.grow(target)).collect();
        }
        for target in &mut more {
            *target = if target.object == ObjectIndex::SHARED { Target::SHARED } else { *target };
        }
        let before = std::mem::take(&mut self.list);
        let mut all = before.clone();
        all.append(&mut more);
        all.sort();
        all.dedup();
        for own in all.chunk_by(|a, b| a.object == b.object) {
            match own[0].offset == ANYWHERE || own.len() > OFFSETS {
                true => self.list.push(own[0].anywhere()),
                false => self.list.extend_from_slice(own),
            }
        }
        let mut old = before.into_iter().peekable();
        let is_new = |target: &&Target| {
            while old.next_if(|known| known < *target).is_some() {}
            old.peek() != Some(*target)
        };
        self.list.iter().filter(is_new).copied().collect()
    }

    pub(crate) fn as_slice(&self) -> &[Target] {
        &self.list
    }

    /// True if the set grew.
    pub fn insert(&mut self, target: Target) -> bool {
        self.grow(target).is_some()
    }

    /// What the set grew by: the target, or all offsets of its object where there are too many.
    pub(crate) fn grow(&mut self, target: Target) -> Option<Target> {
        let target = if target.object == ObjectIndex::SHARED { Target::SHARED } else { target };
        let start = self.list.partition_point(|t| t.object < target.object);
        let count = self.list[start..].iter().take_while(|t| t.object == target.object).count();
        let own = &self.list[start..start + count];
        if own.first().is_some_and(|t| t.offset == ANYWHERE) || own.contains(&target) {
            return None;
        }
        if target.offset == ANYWHERE || count >= OFFSETS {
            self.list.splice(start..start + count, [target.anywhere()]);
            return Some(target.anywhere());
        }
        let at = start + own.partition_point(|t| *t < target);
        self.list.insert(at, target);
        Some(target)
    }

    /// True if the set grew.
    pub fn add(&mut self, other: &Targets) -> bool {
        let mut grew = false;
        for target in other.iter() {
            grew |= self.insert(target);
        }
        grew
    }

    /// The same objects, at any offset.
    pub fn anywhere(&self) -> Targets {
        self.map(Target::anywhere)
    }
    pub fn map(&self, f: impl Fn(Target) -> Target) -> Targets {
        let mut out = Targets::default();
        for target in self.iter() {
            out.insert(f(target));
        }
        out
    }
}

/// The pointers that an abstract object may contain, by where they were stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Content(BTreeMap<i32, Targets>);

impl Content {
    /// True if the content grew.
    pub fn add(&mut self, offset: i32, targets: &Targets) -> bool {
        if targets.is_empty() {
            return false;
        }
        let full = self.0.len() >= CONTENT_OFFSETS && !self.0.contains_key(&offset);
        self.0.entry(if full { ANYWHERE } else { offset }).or_default().add(targets)
    }
    /// What a read of `length` bytes at `offset` may give.
    pub fn read(&self, offset: i32, length: i64) -> Targets {
        let mut out = Targets::default();
        for (at, targets) in &self.0 {
            if overlaps(*at, offset, length) {
                out.add(targets);
            }
        }
        out
    }
    /// The content with these targets at these offsets.
    pub fn of(entries: impl Iterator<Item = (i32, Targets)>) -> Content {
        Content(entries.collect())
    }
    pub fn all(&self) -> Targets {
        self.read(ANYWHERE, 0)
    }
    pub fn entries(&self) -> impl Iterator<Item = (i32, &Targets)> {
        self.0.iter().map(|(at, targets)| (*at, targets))
    }
}

/// Whether what was stored at `stored` may lie in the `length` bytes at `offset`.
pub(crate) fn overlaps(stored: i32, offset: i32, length: i64) -> bool {
    let (at, from) = (stored as i64, offset as i64);
    stored == ANYWHERE || offset == ANYWHERE || (at > from - WORD && at < from.saturating_add(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_kept_until_they_are_many() {
        let object = ObjectIndex(3);
        let mut set = Targets::default();
        assert!(set.insert(Target { object, offset: 8 }));
        assert!(set.insert(Target { object, offset: 0 }));
        assert!(!set.insert(Target { object, offset: 8 }));
        assert_eq!(set.only_object(), Some(object));
        for offset in 100..120 {
            set.insert(Target { object, offset });
        }
        assert_eq!(set, Targets::of(Target { object, offset: ANYWHERE }));
        assert!(!set.insert(Target { object, offset: 8 }));
        assert!(set.insert(Target::SHARED) && set.has_shared() && set.only_object().is_none());
    }

    #[test]
    fn many_at_once_are_the_same_as_one_after_the_other() {
        let mut random = 1u32;
        let mut next = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) % below
        };
        for _ in 0..300 {
            let (mut one, mut many) = (Targets::default(), Targets::default());
            for _ in 0..6 {
                let some: Vec<Target> = (0..next(20))
                    .map(|_| {
                        let offset = if next(12) == 0 { ANYWHERE } else { next(14) as i32 };
                        Target { object: ObjectIndex(next(5)), offset }
                    })
                    .collect();
                let before = many.clone();
                let grown = many.grow_by(some.clone());
                some.iter().for_each(|target| {
                    one.insert(*target);
                });
                assert_eq!(one, many);
                assert!(many.iter().all(|t| grown.contains(&t) || before.contains(t)));
            }
        }
    }

    #[test]
    fn content_is_found_where_it_was_stored() {
        let pointer = Targets::of(Target::start(ObjectIndex(2)));
        let mut content = Content::default();
        assert!(content.add(8, &pointer));
        assert!(content.read(0, 8).is_empty());
        assert_eq!(content.read(12, 1), pointer);
        assert_eq!(content.read(ANYWHERE, 1), pointer);
        assert!(content.read(16, 8).is_empty());
        content.add(ANYWHERE, &Targets::shared());
        assert!(content.read(0, 1).has_shared());
    }
}
