//! Transition cache: outcomes of steps, kept under the numbers of what they read.
//!
//! A step reads and writes few components of a state: its thread, an object or two. The same thread component with
//! the same objects does the same, whatever the rest of the state is. So the outcome of a step is kept under the
//! numbers of what it read, and the next time it costs a look-up instead of a rebuilt state and an interpretation
//! (transition caching: Blom, Lisser, van de Pol, Weber, *A database approach to distributed state space generation*,
//! 2007; there the parts read are known from the model, here they are recorded during the step).
//!
//! When a step may be kept:
//! 1. All that it read is in its key: its own thread (with that, all that its registers hold), the threads it
//!    queried, the stack objects and thread-locals of its own thread (which it may read without an event, since they
//!    are private), and every other object that it touched or queried. Constants never change. Steps with queries of
//!    all threads (the holders of a lock) are not kept.
//! 2. It changed only components in its key, and none of them links to other objects than before, so that the names of
//!    all objects stay. Creation and allocation change the length and the names; which of these steps are kept all
//!    the same: `store/transition_cache/allocation.rs`. The end of an object changes the links.
//! 3. Not while one thread runs alone (a step is then longer), not with `setjmp` in use (its buffer is written
//!    without an event), not without renaming (objects have other places there), not when the step has a fault or
//!    ends the run.
//!
//! What a step of a thread component reads is known once it was executed: a list of places in the vector, its *read set*.
//! Most components have one read set only. The outcome is then found by the read set and the numbers at its places, in a table
//! that holds up to eight of them in line: two cache lines from the component to the step.

pub mod allocation;

use std::rc::Rc;

use raddle_machine::{CodePoint, Effects, Fault, Footprint, Readiness};
use rustc_hash::FxHashMap;

use crate::store::pair_table::mix;
use crate::store::transition_cache::allocation::AllocationEffect;

/// The outcome of a step. The fields that every use reads come first.
#[derive(Debug)]
#[repr(C)]
pub struct Step {
    changes: Changes,
    /// The thread was enabled.
    pub enabled: bool,
    /// Nothing to report.
    pub quiet: bool,
    /// Objects may have other names after it: pointers of later steps cannot be compared with those of other threads'
    /// steps.
    pub renames: bool,
    /// It stops at a choice inside a kernel section, which keeps all other threads out until it ends.
    pub opens_section: bool,
    pub outline: Outline,
    /// `Blocked`: nothing happened.
    pub readiness: Readiness,
    pub footprint: Footprint,
    pub faults: Vec<Fault>,
    pub unsupported: Option<(String, CodePoint)>,
}

/// A coarse abstraction of footprints: two that are disjoint here do not depend on each other, nor race.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// Bits of the hashes of the words that are read or written.
    reads: u64,
    writes: u64,
    /// It may depend on steps that touch nothing in common.
    special: bool,
    /// The same bits, by halves, of the words that kernel sections access without race checks, and of those that are
    /// accessed outside of sections.
    sections: u32,
    outside: u32,
}

impl Outline {
    pub fn of(footprint: &Footprint) -> Outline {
        let special = Effects::RUN_END.0
            | Effects::ATOMIC_BEGIN.0
            | Effects::THREAD_END.0
            | Effects::PROCESS_EXIT.0
            // In another state it writes.
            | Effects::EXCHANGE_FAILED.0;
        let special = footprint.effects.has(Effects(special)) || !footprint.queried_ends.is_empty();
        let mut outline = Outline { special, ..Outline::default() };
        for touch in &footprint.touches {
            let last = touch.pointer + touch.length.max(1) as u64 - 1;
            let words = (touch.pointer >> 3)..=(last >> 3);
            let bits = if words.end() - words.start() < 16 {
                words.fold(0, |bits, word| bits | 1 << (mix(word) & 63))
            } else {
                u64::MAX
            };
            *(if touch.write { &mut outline.writes } else { &mut outline.reads }) |= bits;
            let halves = (bits | bits >> 32) as u32;
            match (touch.section, touch.internal) {
                (true, true) => outline.sections |= halves,
                (false, false) => outline.outside |= halves,
                _ => {}
            }
        }
        outline
    }

    #[inline]
    pub fn join(&mut self, other: Outline) {
        self.reads |= other.reads;
        self.writes |= other.writes;
        self.special |= other.special;
        self.sections |= other.sections;
        self.outside |= other.outside;
    }

    /// Whether one may access outside of sections what a section of the other accesses.
    #[inline]
    pub fn may_bypass(self, other: Outline) -> bool {
        self.sections & other.outside | self.outside & other.sections != 0
    }

    #[inline]
    pub fn meets(self, other: Outline) -> bool {
        self.special
            || other.special
            || self.writes & (other.reads | other.writes) != 0
            || self.reads & other.writes != 0
    }
}

/// Changes of so many places are held in line.
pub const IN_LINE: usize = 3;

#[derive(Debug)]
pub enum Changes {
    Few {
        count: u32,
        places: [(u32, u32); IN_LINE],
    },
    Places(Box<[(u32, u32)]>),
    /// More threads or objects.
    Grown(Box<AllocationEffect>),
    Whole(Box<[u32]>),
}

impl Changes {
    pub fn at(places: &[(u32, u32)]) -> Changes {
        if places.len() > IN_LINE {
            return Changes::Places(places.into());
        }
        let mut few = [(0, 0); IN_LINE];
        few[..places.len()].copy_from_slice(places);
        Changes::Few { count: places.len() as u32, places: few }
    }

    /// The changed places, at most `IN_LINE`, in their order; `None` when more may be changed.
    #[inline]
    pub fn few(&self) -> Option<&[(u32, u32)]> {
        match self {
            Changes::Few { count, places } => Some(&places[..*count as usize]),
            _ => None,
        }
    }

    /// The changed places; `None` when the vector has another length, or may have.
    pub fn places(&self) -> Option<&[(u32, u32)]> {
        match self {
            Changes::Few { count, places } => Some(&places[..*count as usize]),
            Changes::Places(places) => Some(places),
            Changes::Grown(_) | Changes::Whole(_) => None,
        }
    }
}

impl Step {
    pub fn new(
        changes: Changes,
        readiness: Readiness,
        footprint: Footprint,
        faults: Vec<Fault>,
        unsupported: Option<(String, CodePoint)>,
        (renames, opens_section): (bool, bool),
    ) -> Rc<Step> {
        Rc::new(Step {
            changes,
            enabled: readiness == Readiness::Enabled,
            quiet: faults.is_empty() && unsupported.is_none(),
            renames,
            opens_section,
            outline: Outline::of(&footprint),
            readiness,
            footprint,
            faults,
            unsupported,
        })
    }

    /// The vector becomes the one after the step.
    #[inline]
    pub fn apply(&self, vector: &mut Vec<u32>) {
        match &self.changes {
            Changes::Few { count, places } => {
                for (place, number) in &places[..*count as usize] {
                    vector[*place as usize] = *number;
                }
            }
            Changes::Places(changes) => {
                for (place, number) in changes {
                    vector[*place as usize] = *number;
                }
            }
            Changes::Grown(growth) => growth.apply(vector),
            Changes::Whole(whole) => {
                vector.clear();
                vector.extend_from_slice(whole);
            }
        }
    }

    /// Roughly, with what it points to.
    fn bytes(&self) -> u64 {
        let changes = match &self.changes {
            Changes::Few { .. } => 0,
            Changes::Places(places) => size_of_val(&**places),
            Changes::Grown(growth) => growth.bytes(),
            Changes::Whole(whole) => size_of_val(&**whole),
        };
        let touches = size_of_val(&self.footprint.touches[..]);
        (size_of::<Step>() + changes + touches + 48) as u64
    }

    pub fn changes(&self) -> &Changes {
        &self.changes
    }
}

/// Steps that read no more places than this are held in the table itself.
const FEW: usize = 8;

/// What the step of a component, at its place and with an answer to its choice, reads.
struct ReadSet {
    place: u32,
    count: u32,
    few: [u32; FEW],
    choice: Option<u64>,
    many: Box<[u32]>,
    /// The next read set of the component, or `NONE`.
    next: u32,
}

const NONE: u32 = u32::MAX;

#[derive(Clone)]
struct Slot {
    read_set: u32,
    values: [u32; FEW],
    step: Option<Rc<Step>>,
}

/// Steps that are kept.
const MOST: usize = 1 << 21;

#[derive(Default)]
pub struct TransitionCache {
    /// The first read set of each component, or `NONE`.
    first: Vec<u32>,
    read_sets: Vec<ReadSet>,
    table: Vec<Slot>,
    length: usize,
    /// By the read set and the numbers, for steps that read much.
    many: FxHashMap<Vec<u32>, Rc<Step>>,
    values: Vec<u32>,
    /// An estimate of what the steps take, and how much all of this may; at the limit, the cache is cleared.
    held: u64,
    pub limit: Option<u64>,
}

#[inline]
fn hash(read_set: u32, values: &[u32; FEW]) -> usize {
    let low = values[0] as u64 | (values[1] as u64) << 32;
    let middle = values[2] as u64 | (values[3] as u64) << 32;
    let high = values[4] as u64 | (values[5] as u64) << 32;
    let last = values[6] as u64 | (values[7] as u64) << 32;
    let first = low ^ middle.wrapping_mul(0xa076_1d64_78bd_642f);
    let second = high.wrapping_mul(0x8ebc_6af0_9c88_c6e3) ^ last.wrapping_mul(0x5896_36a1_5e4d_b3c5);
    mix(first ^ second ^ (read_set as u64).wrapping_mul(0xe703_7ed1_a0b4_28db)) as usize
}

/// The place that represents the length of the vector.
pub const LENGTH: u32 = u32::MAX;

#[inline]
fn value(vector: &[u32], place: u32) -> u32 {
    match vector.get(place as usize) {
        Some(number) => *number,
        None if place == LENGTH => vector.len() as u32,
        None => u32::MAX,
    }
}

impl TransitionCache {
    /// The step of the component at a place, if one that read the same is kept.
    #[inline]
    pub fn find(&mut self, vector: &[u32], place: usize, choice: Option<u64>) -> Option<&Rc<Step>> {
        let mut number = *self.first.get(vector[place] as usize)?;
        while number != NONE {
            let read_set = &self.read_sets[number as usize];
            if read_set.place == place as u32 && read_set.choice == choice {
                if read_set.count as usize <= FEW {
                    let mut values = [0; FEW];
                    for (value_, place) in values.iter_mut().zip(&read_set.few[..read_set.count as usize]) {
                        *value_ = value(vector, *place);
                    }
                    if let Ok(at) = self.slot(number, &values) {
                        return self.table[at].step.as_ref();
                    }
                } else {
                    self.values.clear();
                    self.values.push(number);
                    self.values.extend(read_set.many.iter().map(|place| value(vector, *place)));
                    if let Some(step) = self.many.get(&self.values[..]) {
                        return Some(step);
                    }
                }
            }
            number = read_set.next;
        }
        None
    }

    /// Where an entry is, or would be.
    #[inline]
    fn slot(&self, read_set: u32, values: &[u32; FEW]) -> Result<usize, usize> {
        let Some(mask) = self.table.len().checked_sub(1) else { return Err(0) };
        let mut at = hash(read_set, values) & mask;
        loop {
            let slot = &self.table[at];
            if slot.step.is_none() {
                return Err(at);
            }
            if slot.read_set == read_set && slot.values == *values {
                return Ok(at);
            }
            at = (at + 1) & mask;
        }
    }

    /// An estimate of what all of this takes.
    pub fn bytes(&self) -> u64 {
        let tables = self.first.capacity() * size_of::<u32>()
            + self.read_sets.capacity() * size_of::<ReadSet>()
            + self.table.capacity() * size_of::<Slot>();
        self.held + tables as u64
    }

    /// Keeps a step that read the numbers at these places.
    pub fn keep(
        &mut self,
        vector: &[u32],
        place: usize,
        choice: Option<u64>,
        places: &[u32],
        step: &Rc<Step>,
    ) {
        if self.length >= MOST || self.limit.is_some_and(|limit| self.bytes() >= limit) {
            *self = TransitionCache { limit: self.limit, ..TransitionCache::default() };
        }
        self.length += 1;
        self.held += step.bytes() + if places.len() > FEW { 64 + 4 * places.len() as u64 } else { 0 };
        let read_set = self.read_set(vector[place], place as u32, choice, places);
        if places.len() > FEW {
            let mut key = vec![read_set];
            key.extend(places.iter().map(|p| value(vector, *p)));
            self.many.insert(key, step.clone());
            return;
        }
        if (self.length + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mut values = [0; FEW];
        values.iter_mut().zip(places).for_each(|(v, p)| *v = value(vector, *p));
        let (Ok(at) | Err(at)) = self.slot(read_set, &values);
        self.table[at] = Slot { read_set, values, step: Some(step.clone()) };
    }

    /// The number of a read set of a component.
    fn read_set(&mut self, component: u32, place: u32, choice: Option<u64>, places: &[u32]) -> u32 {
        let component = component as usize;
        if self.first.len() <= component {
            self.first.resize(component + 1, NONE);
        }
        let mut number = self.first[component];
        while number != NONE {
            let read_set = &self.read_sets[number as usize];
            let known = if read_set.count as usize <= FEW {
                &read_set.few[..read_set.count as usize]
            } else {
                &read_set.many
            };
            if read_set.place == place && read_set.choice == choice && known == places {
                return number;
            }
            number = read_set.next;
        }
        let mut few = [0; FEW];
        few.iter_mut().zip(places).for_each(|(f, p)| *f = *p);
        let many = if places.len() > FEW { places.into() } else { Box::default() };
        let number = self.read_sets.len() as u32;
        let next = self.first[component];
        self.read_sets.push(ReadSet { place, count: places.len() as u32, few, choice, many, next });
        self.first[component] = number;
        number
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(1024);
        let empty = Slot { read_set: NONE, values: [0; FEW], step: None };
        let old = std::mem::replace(&mut self.table, vec![empty; size]);
        for slot in old.into_iter().filter(|s| s.step.is_some()) {
            let (Ok(at) | Err(at)) = self.slot(slot.read_set, &slot.values);
            self.table[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::MemoryOrder;
    use raddle_machine::Touch;

    use super::*;

    /// What the comparison of outlines excludes, the comparison of footprints must not find.
    #[test]
    fn outlines_meet_where_touches_do() {
        let mut touches = Vec::new();
        for (start, length) in [(0, 1), (0, 8), (4, 8), (7, 1), (8, 1), (0, 127), (0, 4096), (4000, 8)] {
            for flags in 0..8 {
                touches.push(Touch {
                    pointer: (1 << 32) + start,
                    length,
                    write: flags & 1 != 0,
                    order: MemoryOrder::NotAtomic,
                    internal: flags & 2 != 0,
                    section: flags & 4 != 0,
                });
            }
        }
        let outline =
            |touch: &Touch| Outline::of(&Footprint { touches: vec![*touch], ..Footprint::default() });
        let mut bypasses = 0;
        for a in &touches {
            for b in &touches {
                let (left, right) = (outline(a), outline(b));
                let mut joined = Outline::default();
                joined.join(right);
                assert_eq!(joined, right);
                assert!(!a.conflicts(b) || left.meets(right), "{a:?} {b:?}");
                assert!(!a.bypasses(b) || left.may_bypass(right), "{a:?} {b:?}");
                bypasses += u32::from(a.bypasses(b));
            }
        }
        assert!(bypasses > 100);
        let place = |pointer, section| {
            let order = MemoryOrder::NotAtomic;
            outline(&Touch { pointer, length: 4, write: true, order, internal: section, section })
        };
        let apart = (1..64).filter(|i| !place(0, true).may_bypass(place(8 * i, false))).count();
        assert!(apart > 50, "most words have bits of their own: {apart}");
        assert!(!place(0, true).may_bypass(place(0, true)));
    }
}
