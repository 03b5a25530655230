//! Stored states: vectors of numbers, folded into a tree of pairs (Laarman, van de Pol, Weber, *Parallel recursive state
//! compression for free*, SPIN 2011).
//!
//! The vector is dealt into two halves; in each, neighbours become a pair, pairs become pairs, until one number is left.
//! The two numbers are the root, which is the state. Pairs are shared between states, so that a state costs little more
//! than its root: 8 bytes and its place in the table. A vector that differs in few places from one that was folded
//! before is folded along these places only.
//!
//! Dealt, not cut: what changes most are the threads, which stand side by side. In different halves, *m* threads at one
//! place and *n* at the next make *m + n* numbers below the root; in one half they would make *m n*. (Measured on two
//! threads with counters: 56 bytes a state when the vector was cut in the middle, 24 when it is dealt.)
//!
//! Pairs of different heights share one table. Which shape a root has follows from the vector's length, which is part of
//! the root's key; so different vectors have different roots: the store is exact.

use std::sync::Mutex;

use crate::pairs::{Full, Pairs, mix};

/// Bits of a number inside the tree.
pub const NUMBER_BITS: u32 = 28;

pub struct Tree {
    inner: Pairs,
    pub roots: Pairs,
    /// Lengths of vectors; the place is part of the root's key.
    lengths: Mutex<Vec<u32>>,
}

/// A folded vector: the vector, and for each half its share and each level above it, up to the one number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folded {
    vector: Vec<u32>,
    halves: [Vec<Vec<u32>>; 2],
    class: u32,
}

impl Folded {
    pub fn vector(&self) -> &[u32] {
        &self.vector
    }
}

/// A worker's memory of pairs: most questions then take no lock.
pub struct Lately(Vec<(u64, u32)>);

const LATELY: usize = 1 << 14;

impl Default for Lately {
    fn default() -> Self {
        Lately(vec![(u64::MAX, 0); LATELY])
    }
}

impl Lately {
    #[inline]
    fn number(&mut self, pairs: &Pairs, key: u64) -> Result<u32, Full> {
        let place = &mut self.0[mix(key) as usize % LATELY];
        if place.0 != key {
            *place = (key, pairs.insert(key, 0)?.number);
        }
        Ok(place.1)
    }
}

impl Tree {
    pub fn new(notes: bool) -> Tree {
        Tree {
            inner: Pairs::new(NUMBER_BITS, false),
            roots: Pairs::new(32, notes),
            lengths: Mutex::new(Vec::new()),
        }
    }

    fn class(&self, length: usize) -> Result<u32, Full> {
        let mut lengths = self.lengths.lock().expect("no worker panics in here");
        let found = lengths.iter().position(|l| *l as usize == length).unwrap_or_else(|| {
            lengths.push(length as u32);
            lengths.len() - 1
        });
        if found < 256 { Ok(found as u32) } else { Err(Full) }
    }

    /// The key of a vector's root.
    pub fn fold(
        &self,
        vector: &[u32],
        base: Option<&Folded>,
        lately: &mut Lately,
        into: &mut Folded,
    ) -> Result<u64, Full> {
        debug_assert!(vector.len() >= 2);
        let base = base.filter(|b| b.vector.len() == vector.len());
        into.class = match base {
            Some(base) => base.class,
            None => self.class(vector.len())?,
        };
        into.vector.clear();
        into.vector.extend_from_slice(vector);
        let mut numbers = [0; 2];
        for (half, number) in numbers.iter_mut().enumerate() {
            let levels = &mut into.halves[half];
            let before = base.map(|b| &b.halves[half]);
            if levels.is_empty() {
                levels.push(Vec::new());
            }
            levels[0].clear();
            levels[0].extend(vector.iter().skip(half).step_by(2));
            let mut level = 0;
            while levels[level].len() > 1 {
                if levels.len() == level + 1 {
                    levels.push(Vec::new());
                }
                let (below, above) = levels.split_at_mut(level + 1);
                let (from, to) = (&below[level], &mut above[0]);
                to.clear();
                let before = before.map(|b| (&b[level], &b[level + 1]));
                for (i, pair) in from.chunks(2).enumerate() {
                    let number = match (pair, before) {
                        (_, Some((old, above))) if old[2 * i..2 * i + pair.len()] == *pair => above[i],
                        ([a, b], _) => lately.number(&self.inner, joined(*a, *b))?,
                        // The odd one goes up as it is.
                        _ => pair[0],
                    };
                    to.push(number);
                }
                level += 1;
            }
            levels.truncate(level + 1);
            *number = levels[level][0];
        }
        Ok(joined(numbers[0], numbers[1]) | (into.class as u64) << (2 * NUMBER_BITS))
    }

    /// The vector of a stored state. `into` may hold another one: what is the same is not looked up.
    pub fn unfold(&self, root: u32, into: &mut Folded) {
        let key = self.roots.key(root);
        let class = (key >> (2 * NUMBER_BITS)) as u32;
        if class != into.class || into.vector.is_empty() {
            self.shape(class, into);
        }
        for (half, number) in split(key).into_iter().enumerate() {
            let top = into.halves[half].len() - 1;
            self.descend(into, half, top, 0, number);
        }
    }

    /// Puts a number at its place, and below it what it stands for.
    fn descend(&self, into: &mut Folded, half: usize, level: usize, at: usize, number: u32) {
        if into.halves[half][level][at] == number {
            return;
        }
        into.halves[half][level][at] = number;
        if level == 0 {
            into.vector[2 * at + half] = number;
        } else if 2 * at + 1 == into.halves[half][level - 1].len() {
            self.descend(into, half, level - 1, 2 * at, number);
        } else {
            let [a, b] = split(self.inner.key(number));
            self.descend(into, half, level - 1, 2 * at, a);
            self.descend(into, half, level - 1, 2 * at + 1, b);
        }
    }

    /// Room for a vector of a class, with no number in it.
    fn shape(&self, class: u32, into: &mut Folded) {
        let length = self.lengths.lock().expect("no worker panics in here")[class as usize] as usize;
        into.class = class;
        into.vector = vec![u32::MAX; length];
        for half in 0..2 {
            let mut size = (length + 1 - half) / 2;
            let mut levels = vec![vec![u32::MAX; size]];
            while size > 1 {
                size = size.div_ceil(2);
                levels.push(vec![u32::MAX; size]);
            }
            into.halves[half] = levels;
        }
    }

    /// The bytes of the tree, and of the notes.
    pub fn bytes(&self) -> u64 {
        self.inner.bytes() + self.roots.bytes()
    }

    pub fn inner_pairs(&self) -> u64 {
        self.inner.len()
    }
}

fn joined(a: u32, b: u32) -> u64 {
    a as u64 | (b as u64) << NUMBER_BITS
}

fn split(key: u64) -> [u32; 2] {
    let mask = (1 << NUMBER_BITS) - 1;
    [(key & mask) as u32, (key >> NUMBER_BITS & mask) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_back_and_equal_ones_meet() {
        let tree = Tree::new(false);
        let mut known: std::collections::HashMap<Vec<u32>, u32> = Default::default();
        let mut base: Option<Folded> = None;
        let mut lately = Lately::default();
        let mut back = Folded::default();
        for i in 0..20_000u64 {
            let length = 2 + (mix(i / 50) % 11) as usize;
            let vector: Vec<u32> = (0..length as u64).map(|j| (mix(i * (j + 1)) % 3) as u32).collect();
            let mut folded = Folded::default();
            let key = tree.fold(&vector, base.as_ref(), &mut lately, &mut folded).unwrap();
            let entry = tree.roots.insert(key, 0).unwrap();
            assert_eq!(entry.new, !known.contains_key(&vector));
            assert_eq!(*known.entry(vector.clone()).or_insert(entry.number), entry.number);
            tree.unfold(entry.number, &mut back);
            assert_eq!(back.vector(), vector);
            assert_eq!(back, folded);
            if i % 3 == 0 {
                base = Some(folded);
            }
        }
        assert_eq!(tree.roots.len(), known.len() as u64);
    }
}
