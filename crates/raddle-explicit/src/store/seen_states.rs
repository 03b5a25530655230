//! The visited states: exactly, by hashes (hash compaction), or by bits (bitstate hashing).
//!
//! *Exact* is the root of the folded vector (`store/tree_compression.rs`); nothing is omitted. With the others states
//! may be omitted: no row is then more than `bounded`, and the expected share of omitted states is printed.

use crate::search::Storage;
use crate::search::worker::{Store, Worker};
use crate::store::bitstate::Bitstate;
use crate::store::hash_compaction::HashCompaction;
use crate::store::pair_table::{Full, mix};

/// The states that a depth-first search has visited.
pub enum Seen {
    Exact,
    Hashes(HashCompaction),
    Bits(Bitstate),
}

impl Seen {
    pub fn new(storage: Storage) -> Seen {
        match storage {
            Storage::Exact => Seen::Exact,
            Storage::Compact => Seen::Hashes(HashCompaction::new()),
            Storage::Bitstate { megabytes, hashes } => Seen::Bits(Bitstate::new(megabytes, hashes)),
        }
    }

    /// True if the state is new.
    pub fn insert(&mut self, worker: &mut Worker, vector: &[u32]) -> Result<bool, Full> {
        match self {
            Seen::Exact => worker.insert(vector),
            Seen::Hashes(hashes) => hashes.insert(vector),
            Seen::Bits(bits) => Ok(bits.insert(vector)),
        }
    }

    pub fn bytes(&self, store: &Store) -> u64 {
        match self {
            Seen::Exact => store.tree.bytes(),
            Seen::Hashes(hashes) => hashes.bytes(),
            Seen::Bits(bits) => bits.bytes(),
        }
    }

    /// The probability that a state was omitted by a collision, at the end of the search.
    pub fn omission(&self, states: u64) -> Option<f64> {
        match self {
            Seen::Exact => None,
            Seen::Hashes(hashes) => Some(hashes.omission(states)),
            Seen::Bits(bits) => Some(bits.omission(states)),
        }
    }
}

/// A hash of a vector, one for each seed.
pub fn hash(vector: &[u32], seed: u64) -> u64 {
    let mut h = mix(seed ^ 0x5bf0_3635);
    for pair in vector.chunks(2) {
        let word = pair[0] as u64 | (pair.get(1).copied().unwrap_or(u32::MAX) as u64) << 32;
        h = mix(h.rotate_left(23) ^ word);
    }
    mix(h ^ vector.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_depend_on_every_number_and_the_length() {
        let vectors: [&[u32]; 6] =
            [&[1, 2, 3], &[1, 2, 4], &[2, 1, 3], &[1, 2, 3, 0], &[1, 2], &[0, 1, 2, 3]];
        let all: std::collections::HashSet<u64> = vectors.iter().map(|v| hash(v, 1)).collect();
        assert_eq!(all.len(), vectors.len());
        assert_ne!(hash(&[1, 2], 1), hash(&[1, 2], 2));
    }

    #[test]
    fn omission_grows_with_the_filling() {
        let bits = Seen::new(Storage::Bitstate { megabytes: 1, hashes: 3 });
        let (few, many) = (bits.omission(1000).unwrap(), bits.omission(1_000_000).unwrap());
        assert!(few < 1e-6 && many > 0.01 && many < 1.0);
        assert_eq!(Seen::new(Storage::Exact).omission(10), None);
    }
}
