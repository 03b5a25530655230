//! Which bytes need events. The threads are executed again and again until what one round assumed is what it found.
//!
//! A byte is *contended* if some thread writes it and another accesses it, and neither comes first by program order and
//! creation alone. Bytes that are not contended have one history, whatever the schedule: a thread's own view of them is
//! exact, a child begins with its creator's view, and no event is needed. The first round takes no byte to be contended and
//! every pointer in shared memory to be unwritten; each round adds what it saw, and the last adds nothing. So what a round
//! relies on was checked by that round itself.
//!
//! Before the first thread is created nothing is contended (`prefix.rs`).
//!
//! Also learnt in this way: which objects pointers in contended memory can point to, which contended bytes may be
//! indeterminate, and whose holds of locks are queried.

use std::collections::{BTreeMap, BTreeSet};

use raddle_machine::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::executor::ObjectInfo;
use crate::possible_values::MOST_VALUES;
use crate::unrolling::{LIFE, Range, Thread, ThreadInstance};

/// What rounds have found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// How many there were.
    pub rounds: u32,
    /// By object: contended bytes.
    contended: FxHashMap<ObjectId, BTreeSet<u32>>,
    /// By object and offset: the objects (upper bits of pointers) that were stored there.
    pub stored: FxHashMap<(ObjectId, u32), BTreeSet<u64>>,
    /// By object, offset and length: the values that were stored there.
    values: BTreeMap<(ObjectId, u32, u32), StoredValues>,
    /// By object and offset: values of unknown provenance were stored there.
    pub opaque: FxHashSet<(ObjectId, u32)>,
    /// By object: offset and length of what was stored in other sizes than a pointer's.
    pub in_parts: FxHashMap<ObjectId, BTreeSet<(u32, u32)>>,
    /// Where pointers were stored to objects whose address is not the machine's: these bytes are not numbers.
    pub unnumbered: FxHashSet<(ObjectId, u32)>,
    /// Objects whose address is not the machine's.
    pub renamed: FxHashSet<ObjectId>,
    /// The names in constants, and in numbers that were converted to pointers.
    pub from_numbers: FxHashSet<u64>,
    /// By object: offset and length of what may be indeterminate where it is contended.
    undefined: FxHashMap<ObjectId, BTreeSet<(u32, u32)>>,
    /// Pointers of four bytes lie here (ILP32).
    pub wide: FxHashSet<(ObjectId, u32)>,
    /// Locks (object and offset) whose holds are queried.
    pub holds: FxHashSet<(ObjectId, u32)>,
    /// The same, queried before a second thread is created: later holds do not matter.
    pub holds_alone: FxHashSet<(ObjectId, u32)>,
    /// Numbers of the threads that are created, with their control blocks where these are constants.
    pub threads: BTreeMap<u32, Option<u64>>,
    /// By thread as it is named here, the numbers that the machine may give it.
    pub numbers: BTreeMap<u32, BTreeSet<u32>>,
    /// The numbers of all threads, in the order in which they are executed.
    pub instances: Vec<u32>,
    /// Objects that threads make.
    pub objects: FxHashMap<ObjectId, ObjectInfo>,
    /// The first thread is created while several paths are open: accesses before it need events too.
    pub no_prefix: bool,
    /// Addresses are observed.
    pub exposed: bool,
    /// Where pointers to stack objects were stored.
    pub stack_pointers: FxHashSet<(ObjectId, u32)>,
    /// Stack objects to which there are pointers in contended bytes.
    pub published: FxHashSet<u64>,
    /// The most bytes of one store.
    longest: u32,
}

/// The values that were stored at a place, as long as they are few.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredValues {
    /// `None`: too many.
    values: Option<BTreeSet<u64>>,
    /// In how many rounds there were new ones, and the last of these.
    grown: u32,
    last: u32,
    /// How many stores of values that were not constants brought new ones.
    computed: u32,
}

/// A place whose values grow in more rounds than this is one that counts.
const MOST_GROWTHS: u32 = 6;
/// So is one to which more stores than this bring new values that were computed. Without this limit a round whose
/// stores each read what the ones before have stored is quadratic in them.
const MOST_COMPUTED: u32 = 24;

impl StoredValues {
    fn new() -> StoredValues {
        StoredValues { values: Some(BTreeSet::new()), grown: 0, last: 0, computed: 0 }
    }

    fn add(&mut self, round: u32, new: Option<&BTreeSet<u64>>) {
        let Some(values) = &mut self.values else { return };
        let Some(new) = new else {
            self.values = None;
            return;
        };
        let before = values.len();
        values.extend(new);
        let len = values.len();
        if len > before && self.last != round {
            (self.grown, self.last) = (self.grown + 1, round);
        }
        self.computed += u32::from(len > before && new.len() > 1);
        if len > MOST_VALUES || self.grown > MOST_GROWTHS || self.computed > MOST_COMPUTED {
            self.values = None;
        }
    }
}

impl Knowledge {
    /// These values were stored in a range; `None`: any.
    pub fn store_values(&mut self, range: Range, round: u32, new: Option<&BTreeSet<u64>>) {
        let key = (range.object, range.offset, range.length);
        self.longest = self.longest.max(range.length);
        self.values.entry(key).or_insert_with(StoredValues::new).add(round, new);
    }

    /// Bytes of a range may be indeterminate.
    pub fn learn_indeterminate(&mut self, range: Range) {
        self.undefined.entry(range.object).or_default().insert((range.offset, range.length));
    }

    /// Whether bytes of a range may be indeterminate, by what was learnt.
    pub fn may_be_indeterminate(&self, range: Range) -> bool {
        let overlaps = |(at, length): &(u32, u32)| *at < range.end() && range.offset < at + length;
        self.undefined.get(&range.object).is_some_and(|ranges| ranges.iter().any(overlaps))
    }

    /// Less than a pointer was stored in a range.
    pub fn store_in_parts(&mut self, range: Range) {
        self.longest = self.longest.max(range.length);
        self.in_parts.entry(range.object).or_default().insert((range.offset, range.length));
    }

    /// The range will be contended, and this value stored in it.
    pub fn expect(&mut self, range: Range, round: u32, value: u64) {
        self.contended.entry(range.object).or_default().extend(range.offset..range.end());
        self.store_values(range, round, Some(&BTreeSet::from([value])));
    }

    /// The values that were stored in a range by accesses that have its size.
    pub fn stored_values(&self, range: Range) -> Option<BTreeSet<u64>> {
        match self.values.get(&(range.object, range.offset, range.length)) {
            Some(stored) => stored.values.clone(),
            None => Some(BTreeSet::new()),
        }
    }

    /// Whether every store to some of these bytes was to just these.
    pub fn is_stored_whole(&self, range: Range) -> bool {
        let Range { object, offset, length } = range;
        let near =
            self.values.range((object, offset.saturating_sub(self.longest), 0)..(object, range.end(), 0));
        near.filter(|((_, at, size), _)| at + size > offset)
            .all(|((_, at, size), _)| (*at, *size) == (offset, length))
    }

    /// Whether some of these bytes are those of a pointer that is not a number, other than that pointer as a whole.
    pub fn cuts_unnumbered(&self, range: Range, as_number: bool) -> bool {
        cuts(&self.unnumbered, range, (!as_number).then_some(8))
    }

    /// The same of pointers to stack objects.
    pub fn cuts_stack_pointer(&self, range: Range, as_pointer_of: Option<u32>) -> bool {
        cuts(&self.stack_pointers, range, as_pointer_of)
    }

    /// What lies there may have been put together from other values than whole pointers.
    pub fn is_opaque(&self, object: ObjectId, offset: u32, length: u32) -> bool {
        let near = |set: &BTreeSet<(u32, u32)>| {
            let mut overlapping = set.range((offset.saturating_sub(self.longest), 0)..(offset + length, 0));
            overlapping.any(|(at, size)| at + size > offset)
        };
        let misplaced = |at: u32| at != offset && self.stored.contains_key(&(object, at));
        self.opaque.contains(&(object, offset))
            || self.in_parts.get(&object).is_some_and(near)
            || (offset.saturating_sub(length - 1)..offset + length).any(misplaced)
    }

    pub fn is_contended(&self, range: Range) -> bool {
        self.contended
            .get(&range.object)
            .is_some_and(|bytes| bytes.range(range.offset..range.end()).next().is_some())
    }
}

/// Whether a range has bytes of one of these pointers, other than that pointer as a whole, of so many bytes.
fn cuts(pointers: &FxHashSet<(ObjectId, u32)>, range: Range, as_pointer_of: Option<u32>) -> bool {
    let whole = |at: u32| at == range.offset && Some(range.length) == as_pointer_of;
    !pointers.is_empty()
        && range.offset != LIFE
        && (range.offset.saturating_sub(7)..range.end())
            .any(|at| !whole(at) && pointers.contains(&(range.object, at)))
}

/// One access, as sharing needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    pub offset: u32,
    pub length: u32,
    pub thread: ThreadInstance,
    /// How many accesses its thread had made before it.
    pub after: u32,
    pub writes: bool,
}

/// Offset, length, thread, whether it writes.
type Kind = (u32, u32, ThreadInstance, bool);
/// The first and the last access of a kind.
type Span = (u32, u32);

/// The accesses of one round.
#[derive(Debug, Default)]
pub struct Accesses {
    by_object: FxHashMap<ObjectId, BTreeMap<Kind, Span>>,
}

impl Accesses {
    pub fn add(&mut self, object: ObjectId, access: Access) {
        let key = (access.offset, access.length, access.thread, access.writes);
        let span =
            self.by_object.entry(object).or_default().entry(key).or_insert((access.after, access.after));
        *span = (span.0.min(access.after), span.1.max(access.after));
    }

    /// Adds the bytes that turn out to be contended; true if there are new ones.
    pub fn contend(&self, threads: &[Thread], created_after: &[u32], knowledge: &mut Knowledge) -> bool {
        let mut grown = false;
        for (object, accesses) in &self.by_object {
            let first = accesses.keys().next().map(|key| key.2);
            if accesses.keys().all(|key| Some(key.2) == first) {
                continue;
            }
            let list: Vec<(&Kind, &Span)> = accesses.iter().collect();
            let known = knowledge.contended.entry(*object).or_default();
            let before = known.len();
            for (i, ((offset, length, thread, writes), span)) in list.iter().enumerate() {
                for ((other_offset, other_length, other, other_writes), other_span) in &list[i + 1..] {
                    if *other_offset >= offset.saturating_add(*length) {
                        break;
                    }
                    let conflict = thread != other && (*writes || *other_writes);
                    if conflict
                        && !ordered(threads, created_after, (*thread, span.1), *other)
                        && !ordered(threads, created_after, (*other, other_span.1), *thread)
                    {
                        known.extend(*offset..offset + length);
                        known.extend(*other_offset..other_offset + other_length);
                    }
                }
            }
            // An access is contended as a whole.
            loop {
                let size = known.len();
                for ((offset, length, ..), _) in &list {
                    if known.range(*offset..offset + length).next().is_some() {
                        known.extend(*offset..offset + length);
                    }
                }
                if known.len() == size {
                    break;
                }
            }
            // If bytes are contended, their object's life is as its accesses say: it is a byte of its own.
            grown |= known.len() > before;
            if known.is_empty() {
                knowledge.contended.remove(object);
            }
        }
        grown
    }
}

/// Whether everything that `thread` did up to its access number `after` comes before all of `other`, by creation.
fn ordered(
    threads: &[Thread],
    created_after: &[u32],
    (thread, after): (ThreadInstance, u32),
    other: ThreadInstance,
) -> bool {
    let mut child = other;
    while let Some(parent) = threads[child.0 as usize].parent {
        if parent == thread {
            return after <= created_after[child.0 as usize];
        }
        child = parent;
    }
    false
}

const _: () = assert!(LIFE > raddle_machine::pointer::MAX_OBJECT as u32);
