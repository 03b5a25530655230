//! A growing set of 64-bit keys, each with a number that never changes: the nodes of the tree of stored states.
//!
//! The set is cut into shards by the key's hash, each with a lock of its own, so that workers rarely meet. A shard keeps
//! its keys in the order of arrival, in chunks that never move, and an open-addressed table of positions that doubles:
//! 8 bytes a key and between 5.3 and 10.7 bytes a position, whatever the number. A number is the position in the shard
//! and the shard. Beside each key there may be a note of four bytes (the state from which a state was reached).

use std::sync::Mutex;

/// Shards, as a power of two.
const SHARD_BITS: u32 = 6;
const SHARDS: usize = 1 << SHARD_BITS;
const CHUNK: usize = 1024;

#[derive(Default)]
struct Shard {
    /// Position + 1, or 0.
    table: Vec<u32>,
    keys: Vec<Box<[u64]>>,
    notes: Vec<Box<[u32]>>,
    length: usize,
}

pub struct Pairs {
    shards: Vec<Mutex<Shard>>,
    notes: bool,
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

impl Pairs {
    /// `bits`: how many bits a number may have.
    pub fn new(bits: u32, notes: bool) -> Pairs {
        let shards = (0..SHARDS).map(|_| Mutex::new(Shard::default())).collect();
        Pairs { shards, notes, limit: (1u64 << bits) - 1 }
    }

    /// The number of a key; a new key gets the next one, and the note.
    pub fn insert(&self, key: u64, note: u32) -> Result<Entry, Full> {
        let hash = mix(key);
        let which = (hash >> (64 - SHARD_BITS)) as usize;
        let mut shard = self.shards[which].lock().expect("no worker panics in here");
        if (shard.length + 1) * 4 > shard.table.len() * 3 {
            shard.grow();
        }
        let mask = shard.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let found = shard.table[at];
            if found == 0 {
                break;
            }
            if shard.key(found - 1) == key {
                let number = (found - 1) << SHARD_BITS | which as u32;
                return Ok(Entry { number, new: false });
            }
            at = (at + 1) & mask;
        }
        let position = shard.length as u32;
        if (position as u64) << SHARD_BITS | which as u64 > self.limit {
            return Err(Full);
        }
        shard.table[at] = position + 1;
        shard.push(key, self.notes.then_some(note));
        Ok(Entry { number: position << SHARD_BITS | which as u32, new: true })
    }

    pub fn key(&self, number: u32) -> u64 {
        let shard = self.shards[number as usize % SHARDS].lock().expect("no worker panics in here");
        shard.key(number >> SHARD_BITS)
    }

    pub fn note(&self, number: u32) -> u32 {
        let shard = self.shards[number as usize % SHARDS].lock().expect("no worker panics in here");
        let position = (number >> SHARD_BITS) as usize;
        shard.notes[position / CHUNK][position % CHUNK]
    }

    pub fn len(&self) -> u64 {
        self.shards.iter().map(|s| s.lock().expect("no worker panics in here").length as u64).sum()
    }

    pub fn bytes(&self) -> u64 {
        let bytes = |s: &Shard| s.table.len() * 4 + s.keys.len() * CHUNK * 8 + s.notes.len() * CHUNK * 4;
        self.shards.iter().map(|s| bytes(&s.lock().expect("no worker panics in here")) as u64).sum()
    }
}

impl Shard {
    #[inline]
    fn key(&self, position: u32) -> u64 {
        self.keys[position as usize / CHUNK][position as usize % CHUNK]
    }

    fn push(&mut self, key: u64, note: Option<u32>) {
        let (chunk, place) = (self.length / CHUNK, self.length % CHUNK);
        if chunk == self.keys.len() {
            self.keys.push(vec![0; CHUNK].into_boxed_slice());
            if note.is_some() {
                self.notes.push(vec![0; CHUNK].into_boxed_slice());
            }
        }
        self.keys[chunk][place] = key;
        if let Some(note) = note {
            self.notes[chunk][place] = note;
        }
        self.length += 1;
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        let mut table = vec![0u32; size];
        for position in 0..self.length as u32 {
            let mut at = mix(self.key(position)) as usize & (size - 1);
            while table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            table[at] = position + 1;
        }
        self.table = table;
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
