//! Bitstate hashing, also called supertrace (Holzmann, *On limits and possibilities of automated protocol analysis*,
//! PSTV 1987): of a state, some bits of a large array are set, at places given by hashes.
//!
//! A state counts as visited when all its bits are set. When *n* states have set *k* bits each of *m*, a new state is
//! omitted as visited with probability `(1 - (1 - 1/m)^(k n))^k`, if hashes are random; the average over the search
//! is at most that at its end, which is what is printed.

use crate::store::seen_states::hash;

/// The array of bits.
pub struct Bitstate {
    words: Vec<u64>,
    hashes: u32,
}

impl Bitstate {
    pub fn new(megabytes: u64, hashes: u32) -> Bitstate {
        Bitstate { words: vec![0; (megabytes.max(1) << 20) as usize / 8], hashes }
    }

    /// True if the state is new.
    pub fn insert(&mut self, vector: &[u32]) -> bool {
        let mut new = false;
        for which in 0..self.hashes {
            let at = hash(vector, which as u64 + 1);
            // The upper bits choose the word, the lowest six the bit in it.
            let place = (at as u128 * self.words.len() as u128) >> 64;
            let word = &mut self.words[place as usize];
            new |= *word >> (at & 63) & 1 == 0;
            *word |= 1 << (at & 63);
        }
        new
    }

    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    pub fn omission(&self, states: u64) -> f64 {
        let (bits, k) = (self.words.len() as f64 * 64.0, self.hashes as f64);
        (1.0 - (-(k * states as f64) / bits).exp()).powf(k)
    }
}
