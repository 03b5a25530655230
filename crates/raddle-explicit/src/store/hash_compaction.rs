//! Hash compaction (Wolper and Leroy, *Reliable hashing without collision detection*, CAV 1993): of a state, a hash
//! of 64 bits is kept.
//!
//! Two states with one hash count as one. Of *n* states, a new one has the hash of another with a probability of at
//! most *n* / 2^64, if hashes are random.

use crate::store::pair_table::{Full, Pairs};
use crate::store::seen_states::hash;

/// The hashes of the visited states.
pub struct HashCompaction(Box<Pairs>);

impl HashCompaction {
    pub fn new() -> HashCompaction {
        HashCompaction(Box::new(Pairs::new(32, false)))
    }

    /// True if the state is new.
    pub fn insert(&mut self, vector: &[u32]) -> Result<bool, Full> {
        Ok(self.0.insert(hash(vector, 0), 0)?.new)
    }

    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    pub fn omission(&self, states: u64) -> f64 {
        states as f64 / 2f64.powi(64)
    }
}
