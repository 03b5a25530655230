//! The dictionary of components: byte strings and their numbers, shared by all workers.
//!
//! Threads and objects repeat in millions of states, so there are few of them and their bytes are kept as they are. Each
//! worker remembers what it has asked for lately, so that most questions take no lock.

use std::hash::{BuildHasher, Hasher};
use std::sync::Mutex;

use raddle_machine::components::Dictionary;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::pairs::Full;

const SHARD_BITS: u32 = 4;
const SHARDS: usize = 1 << SHARD_BITS;

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
    crate::pairs::mix(hasher.finish())
}

impl Components {
    pub fn new(bits: u32) -> Components {
        let shards = (0..SHARDS).map(|_| Mutex::new(Shard::default())).collect();
        Components { shards, limit: (1 << bits) - 1 }
    }

    fn number(&self, bytes: &[u8]) -> Result<u32, Full> {
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
    lately: Vec<(u64, u32, Box<[u8]>)>,
    /// A number could not be given: the states since then mean nothing.
    pub full: bool,
}

const LATELY: usize = 1 << 12;

impl<'a> View<'a> {
    pub fn new(all: &'a Components) -> View<'a> {
        View { all, lately: vec![(0, 0, Box::default()); LATELY], full: false }
    }
}

impl Dictionary for View<'_> {
    fn number(&mut self, bytes: &[u8]) -> u32 {
        let hash = hash_of(bytes);
        let place = &mut self.lately[hash as usize % LATELY];
        if place.0 == hash && *place.2 == *bytes {
            return place.1;
        }
        match self.all.number(bytes) {
            Ok(number) => {
                *place = (hash, number, bytes.into());
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
