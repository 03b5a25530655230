//! A growing set of 64-bit keys, each with a number that never changes: the nodes of the tree of stored states.
//!
//! The set is cut into shards by the key's hash, each with a lock of its own, so that workers rarely meet. A shard keeps
//! its keys in the order of arrival, in chunks that grow with them and never move, so that a key is read by its number without
//! the lock; and an open-addressed table of positions that doubles: 8 bytes a key and between 5.3 and 10.7 bytes a
//! position, whatever the number. Six bits of the hash stand beside each position, so that other keys on the way are
//! passed without being read. A number is the position in the shard and the shard. Beside each key there may be a note
//! of four bytes (the state from which a state was reached).

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::prefetch::{Hint, prefetch};
use crate::sleep::Sleep;

/// Shards, as a power of two.
const SHARD_BITS: u32 = 6;
const SHARDS: usize = 1 << SHARD_BITS;
/// Bits of a position in a shard; the others of a table's entry are of the hash.
const POSITION_BITS: u32 = 32 - SHARD_BITS;
const POSITION: u32 = (1 << POSITION_BITS) - 1;
/// Keys of the first four chunks; each four after them have twice as many.
const FIRST: usize = 64;
const CHUNKS: usize = 4 * (POSITION_BITS as usize - FIRST.trailing_zeros() as usize + 1);

#[derive(Default)]
struct Shard {
    keys: Chunks<AtomicU64>,
    notes: Chunks<AtomicU32>,
    sleeps: Chunks<AtomicU64>,
    index: Mutex<Index>,
    /// Where the table lies, and how long it is.
    hint: Hint,
    mask: AtomicUsize,
}

struct Chunks<T>([OnceLock<Box<[T]>>; CHUNKS]);

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks([const { OnceLock::new() }; CHUNKS])
    }
}

#[derive(Default)]
struct Index {
    /// Position + 1 and some bits of the hash, or 0.
    table: Vec<u32>,
    length: u32,
}

pub struct Pairs {
    shards: Vec<Shard>,
    notes: bool,
    sleeps: bool,
    /// The largest number that may be given.
    limit: u64,
}

/// No number is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// What was done with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub number: u32,
    pub new: bool,
}

#[inline]
pub fn mix(key: u64) -> u64 {
    // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
    let mut h = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    h = (h ^ h >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ h >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ h >> 31
}

/// The shard of a hash, and the bits that stand in the table.
#[inline]
fn split(hash: u64) -> (usize, u32) {
    let which = (hash >> (64 - SHARD_BITS)) as usize;
    let tag = (hash >> (64 - 2 * SHARD_BITS)) as u32 & ((1 << SHARD_BITS) - 1);
    (which, tag << POSITION_BITS)
}

/// The chunk of a position, and the place in it.
#[inline]
fn place(position: u32) -> (usize, usize) {
    let from = position as usize + FIRST;
    let level = (from / FIRST).ilog2() as usize;
    let size = (FIRST / 4) << level;
    let within = from - 4 * size;
    (4 * level + (within >> size.trailing_zeros()), within & (size - 1))
}

impl Pairs {
    /// `bits`: how many bits a number may have.
    pub fn new(bits: u32, notes: bool) -> Pairs {
        let shards = (0..SHARDS).map(|_| Shard::default()).collect();
        // The last position has no place in the table.
        let limit = ((1u64 << bits) - 1).min((POSITION as u64 - 1) << SHARD_BITS);
        Pairs { shards, notes, sleeps: false, limit }
    }

    /// The same, with sleeping threads beside each key.
    pub fn with_sleep(self) -> Pairs {
        Pairs { sleeps: true, ..self }
    }

    /// A key will be asked for soon.
    #[inline]
    pub fn expect(&self, key: u64) {
        let hash = mix(key);
        let shard = &self.shards[split(hash).0];
        shard.hint.prefetch::<u32>(hash as usize & shard.mask.load(Ordering::Relaxed));
    }

    /// The number of a key; a new key gets the next one, and the note.
    pub fn insert(&self, key: u64, note: u32) -> Result<Entry, Full> {
        self.insert_asleep(key, note, Sleep::default())
    }

    /// The same; a new key waits to be opened with these threads asleep.
    pub fn insert_asleep(&self, key: u64, note: u32, sleep: Sleep) -> Result<Entry, Full> {
        let hash = mix(key);
        let (which, tag) = split(hash);
        let shard = &self.shards[which];
        let mut index = shard.index.lock().expect("no worker panics in here");
        if (index.length as usize + 1) * 4 > index.table.len() * 3 {
            shard.grow(&mut index);
        }
        let mask = index.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let found = index.table[at];
            if found == 0 {
                break;
            }
            if found & !POSITION == tag && shard.key((found & POSITION) - 1) == key {
                let number = ((found & POSITION) - 1) << SHARD_BITS | which as u32;
                return Ok(Entry { number, new: false });
            }
            at = (at + 1) & mask;
        }
        let position = index.length;
        if (position as u64) << SHARD_BITS | which as u64 > self.limit {
            return Err(Full);
        }
        index.table[at] = tag | (position + 1);
        index.length += 1;
        shard.put(position, key, self.notes.then_some(note));
        if self.sleeps {
            let (chunk, place) = place(position);
            let sleeps = shard.sleeps.0[chunk].get_or_init(|| zeros(chunk));
            sleeps[place].store(sleep.bits() | Sleep::WAITS, Ordering::Relaxed);
        }
        Ok(Entry { number: position << SHARD_BITS | which as u32, new: true })
    }

    /// The key of a number that was given.
    #[inline]
    pub fn key(&self, number: u32) -> u64 {
        self.shards[number as usize % SHARDS].key(number >> SHARD_BITS)
    }

    /// The key of a number will be asked for soon.
    #[inline]
    pub fn expect_number(&self, number: u32) {
        let (chunk, place) = place(number >> SHARD_BITS);
        if let Some(keys) = self.shards[number as usize % SHARDS].keys.0[chunk].get() {
            prefetch(&keys[place]);
        }
    }

    pub fn note(&self, number: u32) -> u32 {
        let (chunk, place) = place(number >> SHARD_BITS);
        let notes = self.shards[number as usize % SHARDS].notes.0[chunk].get();
        notes.map_or(0, |notes| notes[place].load(Ordering::Relaxed))
    }

    fn sleep(&self, number: u32) -> &AtomicU64 {
        let (chunk, place) = place(number >> SHARD_BITS);
        let sleeps = self.shards[number as usize % SHARDS].sleeps.0[chunk].get();
        &sleeps.expect("the number was given")[place]
    }

    /// A known key was reached again. True if it has to be opened again, and does not wait for it yet.
    pub fn reach_asleep(&self, number: u32, arrived: Sleep) -> bool {
        let cell = self.sleep(number);
        let mut before = cell.load(Ordering::Relaxed);
        loop {
            let known = Sleep::from_bits(before);
            let both = known.meet(arrived);
            if both == known {
                return false;
            }
            let after = both.bits() | Sleep::WAITS;
            match cell.compare_exchange_weak(before, after, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return before & Sleep::WAITS == 0,
                Err(now) => before = now,
            }
        }
    }

    /// The threads that sleep in a state that is opened now.
    pub fn take_asleep(&self, number: u32) -> Sleep {
        if !self.sleeps {
            return Sleep::default();
        }
        Sleep::from_bits(self.sleep(number).fetch_and(!Sleep::WAITS, Ordering::Relaxed))
    }

    fn length(shard: &Shard) -> usize {
        shard.index.lock().expect("no worker panics in here").length as usize
    }

    pub fn len(&self) -> u64 {
        self.shards.iter().map(|s| Pairs::length(s) as u64).sum()
    }

    /// Bytes in use; what a chunk has beyond its keys was never touched.
    pub fn bytes(&self) -> u64 {
        let each = 8 + 4 * self.notes as usize + 8 * self.sleeps as usize;
        let table = |s: &Shard| s.index.lock().expect("no worker panics in here").table.len() * 4;
        self.shards.iter().map(|s| (table(s) + Pairs::length(s) * each) as u64).sum()
    }
}

/// A chunk without keys.
fn zeros<T: Default>(chunk: usize) -> Box<[T]> {
    (0..(FIRST / 4) << (chunk / 4)).map(|_| T::default()).collect()
}

impl Shard {
    #[inline]
    fn key(&self, position: u32) -> u64 {
        let (chunk, place) = place(position);
        // Whoever has a number got it, directly or not, from a worker that had the lock when the key was put.
        self.keys.0[chunk].get().expect("the number was given")[place].load(Ordering::Relaxed)
    }

    fn put(&self, position: u32, key: u64, note: Option<u32>) {
        let (chunk, place) = place(position);
        let keys = self.keys.0[chunk].get_or_init(|| zeros(chunk));
        keys[place].store(key, Ordering::Relaxed);
        if let Some(note) = note {
            let notes = self.notes.0[chunk].get_or_init(|| zeros(chunk));
            notes[place].store(note, Ordering::Relaxed);
        }
    }

    fn grow(&self, index: &mut Index) {
        let size = (index.table.len() * 2).max(64);
        let mut table = vec![0u32; size];
        for position in 0..index.length {
            let hash = mix(self.key(position));
            let mut at = hash as usize & (size - 1);
            while table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            table[at] = split(hash).1 | (position + 1);
        }
        index.table = table;
        self.hint.set(&index.table);
        self.mask.store(size - 1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_and_keys_come_back() {
        let pairs = Pairs::new(28, true);
        let keys: Vec<u64> = (0..50_000u64).map(|i| mix(i) % 40_000).collect();
        let first: Vec<Entry> = keys.iter().map(|k| pairs.insert(*k, *k as u32).unwrap()).collect();
        for (key, entry) in keys.iter().zip(&first) {
            assert_eq!(pairs.insert(*key, 7).unwrap(), Entry { number: entry.number, new: false });
            assert_eq!((pairs.key(entry.number), pairs.note(entry.number)), (*key, *key as u32));
        }
        let distinct: std::collections::HashSet<u64> = keys.iter().copied().collect();
        assert_eq!(pairs.len(), distinct.len() as u64);
        assert_eq!(first.iter().filter(|e| e.new).count(), distinct.len());
    }

    #[test]
    fn workers_agree_on_what_is_new() {
        let pairs = Pairs::new(28, false);
        let new: u64 = std::thread::scope(|scope| {
            let work = || (0..20_000).filter(|i| pairs.insert(mix(*i), 0).unwrap().new).count() as u64;
            let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
            workers.into_iter().map(|w| w.join().unwrap()).sum()
        });
        assert_eq!((new, pairs.len()), (20_000, 20_000));
    }

    #[test]
    fn a_full_set_says_so() {
        let pairs = Pairs::new(8, false);
        assert!((0..1000).any(|i| pairs.insert(i, 0) == Err(Full)));
    }
}
