//! The dictionary of components: byte strings and their numbers, shared by all workers. Collapse compression: Holzmann,
//! *State Compression in SPIN: Recursive Indexing and Compression Training Runs* (SPIN 1997).
//!
//! Threads and objects repeat in millions of states, so there are few of them and their bytes are kept as they are.
//! Each worker caches its recent look-ups, so that most of them take no lock.
//!
//! Large components, arrays above all, are kept in pieces: two that differ in one element share all pieces but one. The
//! pieces are numbered as components are, and the list of their numbers is cut again if it is long, so that one more
//! version of an object of n bytes takes `PIECE` bytes and a short list for each level of a tree with log n levels.
//! Finding its number still reads all of its bytes.

use std::hash::{BuildHasher, Hasher};
use std::sync::Mutex;

use raddle_machine::components::Dictionary;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::store::pair_table::Full;

const SHARD_BITS: u32 = 4;
const SHARDS: usize = 1 << SHARD_BITS;

/// The bytes of a piece; what is no longer than `WHOLE` is kept as it is.
const PIECE: usize = 512;
const WHOLE: usize = 4 * PIECE;

// First bytes of what is kept: components have smaller ones of their own (`raddle_machine::components`).
const LEAF: u8 = 0xfe;
/// Then the numbers of the pieces, four bytes each.
const CUT: u8 = 0xff;

#[derive(Default)]
struct Shard {
    /// By hash: the numbers with it, nearly always one.
    numbers: FxHashMap<u64, Vec<u32>>,
    all: Vec<Box<[u8]>>,
    bytes: u64,
}

pub struct Components {
    shards: Vec<Mutex<Shard>>,
    limit: u64,
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    hasher.write(bytes);
    crate::store::pair_table::mix(hasher.finish())
}

impl Components {
    pub fn new(bits: u32) -> Components {
        let shards = (0..SHARDS).map(|_| Mutex::new(Shard::default())).collect();
        Components { shards, limit: (1 << bits) - 1 }
    }

    fn number(&self, bytes: &[u8]) -> Result<u32, Full> {
        if bytes.len() <= WHOLE {
            return self.number_of_whole(bytes);
        }
        let mut piece = Vec::with_capacity(PIECE + 1);
        let mut list = Vec::with_capacity(1 + bytes.len().div_ceil(PIECE) * 4);
        list.push(CUT);
        for part in bytes.chunks(PIECE) {
            piece.clear();
            piece.push(LEAF);
            piece.extend_from_slice(part);
            list.extend(self.number_of_whole(&piece)?.to_le_bytes());
        }
        self.number(&list)
    }

    fn number_of_whole(&self, bytes: &[u8]) -> Result<u32, Full> {
        let hash = hash_of(bytes);
        let which = (hash >> (64 - SHARD_BITS)) as usize;
        let mut shard = self.shards[which].lock().expect("no worker panics in here");
        let Shard { numbers, all, bytes: total } = &mut *shard;
        let same = numbers.entry(hash).or_default();
        if let Some(position) = same.iter().find(|p| *all[**p as usize] == *bytes) {
            return Ok(position << SHARD_BITS | which as u32);
        }
        let position = all.len() as u32;
        let number = (position as u64) << SHARD_BITS | which as u64;
        if number > self.limit {
            return Err(Full);
        }
        same.push(position);
        all.push(bytes.into());
        // With the table's share and the header of a box.
        *total += bytes.len() as u64 + 72;
        Ok(number as u32)
    }

    fn read(&self, number: u32, out: &mut Vec<u8>) {
        let start = out.len();
        self.read_whole(number, out);
        // A list may itself have been cut.
        while out[start] == CUT {
            let list = out.split_off(start);
            for number in list[1..].chunks_exact(4) {
                let at = out.len();
                self.read_whole(u32::from_le_bytes([number[0], number[1], number[2], number[3]]), out);
                debug_assert_eq!(out[at], LEAF);
                out.remove(at);
            }
        }
    }

    fn read_whole(&self, number: u32, out: &mut Vec<u8>) {
        let shard = self.shards[number as usize % SHARDS].lock().expect("no worker panics in here");
        out.extend_from_slice(&shard.all[(number >> SHARD_BITS) as usize]);
    }

    pub fn bytes(&self) -> u64 {
        self.shards.iter().map(|s| s.lock().expect("no worker panics in here").bytes).sum()
    }

    pub fn len(&self) -> u64 {
        self.shards.iter().map(|s| s.lock().expect("no worker panics in here").all.len() as u64).sum()
    }
}

/// A worker's view.
pub struct View<'a> {
    all: &'a Components,
    recent: Vec<(u64, u32, Box<[u8]>)>,
    /// A number could not be given: the states since then are invalid.
    pub full: bool,
}

const CACHED_LOOKUPS: usize = 1 << 12;

impl<'a> View<'a> {
    pub fn new(all: &'a Components) -> View<'a> {
        View { all, recent: vec![(0, 0, Box::default()); CACHED_LOOKUPS], full: false }
    }
}

impl Dictionary for View<'_> {
    fn number(&mut self, bytes: &[u8]) -> u32 {
        let hash = hash_of(bytes);
        let place = &mut self.recent[hash as usize % CACHED_LOOKUPS];
        if place.0 == hash && *place.2 == *bytes {
            return place.1;
        }
        match self.all.number(bytes) {
            Ok(number) => {
                if bytes.len() <= WHOLE {
                    *place = (hash, number, bytes.into());
                }
                number
            }
            Err(Full) => {
                self.full = true;
                0
            }
        }
    }

    fn read(&mut self, number: u32, out: &mut Vec<u8>) {
        self.all.read(number, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::pair_table::mix;

    #[test]
    fn large_components_share_their_pieces() {
        let all = Components::new(28);
        let mut view = View::new(&all);
        let mut back = vec![7];
        // Sizes around the limits of one and two levels, and one of three.
        for size in [1, PIECE, WHOLE, WHOLE + 1, 8 * PIECE - 1, 300_000, 5_000_000] {
            let mut bytes: Vec<u8> = (0..size as u64).map(|i| mix(i) as u8).collect();
            bytes[0] = 0;
            let first = view.number(&bytes);
            let before = all.bytes();
            let mut other = bytes.clone();
            other[size - 1] ^= 1;
            let second = view.number(&other);
            assert_ne!(first, second);
            assert_eq!(view.number(&bytes), first);
            let levels = 4;
            assert!(size <= WHOLE || all.bytes() - before < (levels * (WHOLE + 144)) as u64);
            for (number, content) in [(first, &bytes), (second, &other)] {
                back.truncate(1);
                view.read(number, &mut back);
                assert_eq!(back[1..], content[..]);
            }
        }
    }
}
