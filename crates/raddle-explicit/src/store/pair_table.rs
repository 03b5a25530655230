//! A growing set of 64-bit keys, each with a number that never changes: the nodes of the tree of stored states.
//!
//! The set is cut into shards by the key's hash, each with a lock of its own, so that workers rarely contend. A shard
//! keeps its keys in the order of arrival, in chunks that grow with them and never move, so that a key is read by its
//! number without the lock; and an open-addressed table of positions that doubles: 8 bytes a key and between 5.3 and
//! 10.7 bytes a position, whatever the number. Six bits of the hash are stored beside each position, so that most
//! other keys of the probe sequence are skipped without being read. A number is the position in the shard and the
//! shard. Beside each key there may be a note of four bytes (the state from which a state was reached).
//!
//! Only the insertion of a new key takes the lock. Most keys are known, and are found without it: a position once
//! given is that of the same key for ever, so what is found is correct even during a concurrent change of the table.
//! What is not found is looked up again under the lock. The table, too, lies in pieces that never move: one that
//! doubles gets a piece as large as all before it, and all positions are put in anew. A piece or chunk is made for
//! all shards at once, since all need it at about the same time: where they lie is then a short list, which stays in
//! the cache.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::reduction::sleep_set::Sleep;
use crate::store::prefetch::prefetch;

/// Shards, as a power of two.
const SHARD_BITS: u32 = 6;
const SHARDS: usize = 1 << SHARD_BITS;
/// Bits of a position in a shard; the others of a table's entry are of the hash.
const POSITION_BITS: u32 = 32 - SHARD_BITS;
const POSITION: u32 = (1 << POSITION_BITS) - 1;
/// Keys of the first four chunks; each four after them have twice as many.
const FIRST: usize = 64;
const CHUNKS: usize = 4 * (POSITION_BITS as usize - FIRST.trailing_zeros() as usize + 1);

/// Places of the table's first two pieces; each after them has as many as all before it.
const PIECE: usize = 64;
const PIECES: usize = POSITION_BITS as usize + 2 - PIECE.trailing_zeros() as usize;

/// How many keys a shard has; the worker that adds one holds the lock. On a cache line of its own, since readers need
/// none of it.
#[derive(Default)]
#[repr(align(64))]
struct Writer(Mutex<u32>);

struct Chunks<T>([OnceLock<Box<[T]>>; CHUNKS]);

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks([const { OnceLock::new() }; CHUNKS])
    }
}

pub struct Pairs {
    /// How many places the table of each shard has, less one; 0 when there is none yet.
    masks: Box<[AtomicU32]>,
    /// Position + 1 and some bits of the hash, or 0.
    table: [OnceLock<Box<[AtomicU32]>>; PIECES],
    keys: Chunks<AtomicU64>,
    beside: Chunks<AtomicU32>,
    asleep: Chunks<AtomicU64>,
    writers: Vec<Writer>,
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

/// The shard of a hash, and the bits that are stored in the table.
#[inline]
fn split(hash: u64) -> (usize, u32) {
    let which = (hash >> (64 - SHARD_BITS)) as usize;
    let tag = (hash >> (64 - 2 * SHARD_BITS)) as u32 & ((1 << SHARD_BITS) - 1);
    (which, tag << POSITION_BITS)
}

/// The chunk of a number, and the place in it: in each, the shards lie one behind the other.
#[inline]
fn place(number: u32) -> (usize, usize) {
    let from = (number >> SHARD_BITS) as usize + FIRST;
    let level = (from / FIRST).ilog2() as usize;
    let size = (FIRST / 4) << level;
    let within = from - 4 * size;
    let place = (number as usize % SHARDS) * size + (within & (size - 1));
    (4 * level + (within >> size.trailing_zeros()), place)
}

impl Pairs {
    /// `bits`: how many bits a number may have.
    pub fn new(bits: u32, notes: bool) -> Pairs {
        // The last position has no place in the table.
        let limit = ((1u64 << bits) - 1).min((POSITION as u64 - 1) << SHARD_BITS);
        Pairs {
            masks: (0..SHARDS).map(|_| AtomicU32::new(0)).collect(),
            table: [const { OnceLock::new() }; PIECES],
            keys: Chunks::default(),
            beside: Chunks::default(),
            asleep: Chunks::default(),
            writers: (0..SHARDS).map(|_| Writer::default()).collect(),
            notes,
            sleeps: false,
            limit,
        }
    }

    /// The same, with sleeping threads beside each key.
    pub fn with_sleep(self) -> Pairs {
        Pairs { sleeps: true, ..self }
    }

    #[inline]
    fn mask(&self, shard: usize) -> usize {
        self.masks[shard].load(Ordering::Acquire) as usize
    }

    /// Prefetches for a look-up of a key.
    #[inline]
    pub fn expect(&self, key: u64) {
        let hash = mix(key);
        let (shard, _) = split(hash);
        if let Some(place) = self.place(shard, hash as usize & self.mask(shard)) {
            prefetch(place);
        }
    }

    /// The same, a little later: the line of the table may have arrived by now.
    #[inline]
    pub fn expect_again(&self, key: u64) {
        let hash = mix(key);
        let (shard, tag) = split(hash);
        let mask = self.mask(shard);
        for next in 0..4 {
            let Some(place) = self.place(shard, (hash as usize).wrapping_add(next) & mask) else { return };
            let found = place.load(Ordering::Relaxed);
            if found == 0 {
                return;
            }
            if found & !POSITION == tag {
                self.expect_number(((found & POSITION) - 1) << SHARD_BITS | shard as u32);
                return;
            }
        }
    }

    /// The number of a key; a new key gets the next one, and the note.
    pub fn insert(&self, key: u64, note: u32) -> Result<Entry, Full> {
        self.insert_asleep(key, note, Sleep::default())
    }

    /// The same; a new key waits to be expanded with this sleep set.
    pub fn insert_asleep(&self, key: u64, note: u32, sleep: Sleep) -> Result<Entry, Full> {
        let hash = mix(key);
        let (shard, tag) = split(hash);
        let number = |position: u32| position << SHARD_BITS | shard as u32;
        if let Ok(position) = self.find(hash, key) {
            return Ok(Entry { number: number(position), new: false });
        }
        let mut length = self.writers[shard].0.lock().expect("no worker panics in here");
        let mask = self.mask(shard);
        if mask == 0 || (*length as usize + 1) * 4 > (mask + 1) * 3 {
            self.grow(shard, *length);
        }
        let at = match self.find(hash, key) {
            Ok(position) => return Ok(Entry { number: number(position), new: false }),
            Err(at) => at,
        };
        let position = *length;
        if number(position) as u64 > self.limit || position >= POSITION - 1 {
            return Err(Full);
        }
        *length += 1;
        self.keys.put(number(position)).store(key, Ordering::Relaxed);
        if self.notes {
            self.beside.put(number(position)).store(note, Ordering::Relaxed);
        }
        if self.sleeps {
            self.asleep.put(number(position)).store(sleep.bits() | Sleep::WAITS, Ordering::Relaxed);
        }
        // A reader that finds the position finds all of the above.
        if let Some(place) = self.place(shard, at) {
            place.store(tag | (position + 1), Ordering::Release);
        }
        Ok(Entry { number: number(position), new: true })
    }

    /// The key of a number that was given.
    #[inline]
    pub fn key(&self, number: u32) -> u64 {
        // A number comes, directly or not, from the worker that inserted the key, or from the table.
        self.keys.get(number).expect("the number was given").load(Ordering::Relaxed)
    }

    /// Prefetches the key of a number.
    #[inline]
    pub fn expect_number(&self, number: u32) {
        if let Some(key) = self.keys.get(number) {
            prefetch(key);
        }
    }

    pub fn note(&self, number: u32) -> u32 {
        self.beside.get(number).map_or(0, |note| note.load(Ordering::Relaxed))
    }

    fn sleep(&self, number: u32) -> &AtomicU64 {
        self.asleep.get(number).expect("the number was given")
    }

    /// A known key was reached again. True if it has to be expanded again, and does not wait for it yet.
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

    /// The threads that sleep in a state that is expanded now.
    pub fn take_asleep(&self, number: u32) -> Sleep {
        if !self.sleeps {
            return Sleep::default();
        }
        Sleep::from_bits(self.sleep(number).fetch_and(!Sleep::WAITS, Ordering::Relaxed))
    }

    fn lengths(&self) -> impl Iterator<Item = u64> {
        self.writers.iter().map(|w| *w.0.lock().expect("no worker panics in here") as u64)
    }

    pub fn len(&self) -> u64 {
        self.lengths().sum()
    }

    /// Bytes in use; what a chunk has beyond its keys was never touched.
    pub fn bytes(&self) -> u64 {
        let each = 8 + 4 * self.notes as u64 + 8 * self.sleeps as u64;
        let table = |shard| match self.mask(shard) {
            0 => 0,
            mask => (mask as u64 + 1) * 4,
        };
        self.lengths().map(|length| length * each).sum::<u64>() + (0..SHARDS).map(table).sum::<u64>()
    }

    /// A place of the table of a shard.
    #[inline]
    fn place(&self, shard: usize, at: usize) -> Option<&AtomicU32> {
        let piece = (usize::BITS - (at / PIECE).leading_zeros()) as usize;
        let size = PIECE << piece.saturating_sub(1);
        self.table[piece].get()?.get(shard * size + (at & (size - 1)))
    }

    /// The position of a key, or the place of the table where it would be. Without the lock, a key may be missed.
    #[inline]
    fn find(&self, hash: u64, key: u64) -> Result<u32, usize> {
        let (shard, tag) = split(hash);
        let mask = self.mask(shard);
        let mut at = hash as usize & mask;
        for _ in 0..=mask {
            let Some(place) = self.place(shard, at) else { break };
            let found = place.load(Ordering::Acquire);
            if found == 0 {
                break;
            }
            let position = (found & POSITION) - 1;
            if found & !POSITION == tag && self.key(position << SHARD_BITS | shard as u32) == key {
                return Ok(position);
            }
            at = (at + 1) & mask;
        }
        Err(at)
    }

    /// Doubles the table of a shard; the caller has the lock.
    fn grow(&self, shard: usize, length: u32) {
        let size = match self.mask(shard) {
            0 => PIECE,
            mask => 2 * (mask + 1),
        };
        let piece = (size / PIECE).ilog2() as usize;
        let part = PIECE << piece.saturating_sub(1);
        self.table[piece].get_or_init(|| (0..SHARDS * part).map(|_| AtomicU32::new(0)).collect());
        self.masks[shard].store(size as u32 - 1, Ordering::Release);
        for place in (0..size - part).filter_map(|at| self.place(shard, at)) {
            place.store(0, Ordering::Relaxed);
        }
        for position in 0..length {
            let hash = mix(self.key(position << SHARD_BITS | shard as u32));
            let mut at = hash as usize & (size - 1);
            while let Some(place) = self.place(shard, at) {
                if place.load(Ordering::Relaxed) == 0 {
                    place.store(split(hash).1 | (position + 1), Ordering::Release);
                    break;
                }
                at = (at + 1) & (size - 1);
            }
        }
    }
}

impl<T: Default> Chunks<T> {
    #[inline]
    fn get(&self, number: u32) -> Option<&T> {
        let (chunk, place) = place(number);
        self.0[chunk].get().map(|items| &items[place])
    }

    fn put(&self, number: u32) -> &T {
        let (chunk, place) = place(number);
        let zeros = || (0..(FIRST / 4 * SHARDS) << (chunk / 4)).map(|_| T::default()).collect();
        &self.0[chunk].get_or_init(zeros)[place]
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
