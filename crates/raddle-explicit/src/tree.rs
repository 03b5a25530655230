//! Stored states: vectors of numbers, folded into a tree of pairs (Laarman, van de Pol, Weber, *Parallel recursive state
//! compression for free*, SPIN 2011).
//!
//! Neighbours in a vector become a pair, pairs become pairs, until two are left: the root, which is the state. Pairs are
//! shared between states, so that a state costs little more than its root: 8 bytes and its place in the table. A vector
//! that differs in few places from one that was folded before is folded along these places only.
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

/// A folded vector: the vector, then each level above it, up to the last with more than two.
#[derive(Clone, Debug, Default)]
pub struct Folded {
    levels: Vec<Vec<u32>>,
    class: u32,
}

impl Folded {
    pub fn vector(&self) -> &[u32] {
        self.levels.first().map_or(&[], |v| v)
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
        let base = base.filter(|b| b.vector().len() == vector.len());
        into.class = match base {
            Some(base) => base.class,
            None => self.class(vector.len())?,
        };
        if into.levels.is_empty() {
            into.levels.push(Vec::new());
        }
        into.levels[0].clear();
        into.levels[0].extend_from_slice(vector);
        let mut level = 0;
        while into.levels[level].len() > 2 {
            if into.levels.len() == level + 1 {
                into.levels.push(Vec::new());
            }
            let (below, above) = into.levels.split_at_mut(level + 1);
            let (from, to) = (&below[level], &mut above[0]);
            to.clear();
            let before = base.map(|b| (&b.levels[level], &b.levels[level + 1]));
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
        into.levels.truncate(level + 1);
        let [a, b] = into.levels[level][..] else { unreachable!("two are left") };
        Ok(joined(a, b) | (into.class as u64) << (2 * NUMBER_BITS))
    }

    /// The vector of a stored state.
    pub fn unfold(&self, root: u32, into: &mut Folded) {
        let key = self.roots.key(root);
        into.class = (key >> (2 * NUMBER_BITS)) as u32;
        let length = self.lengths.lock().expect("no worker panics in here")[into.class as usize] as usize;
        let mut sizes = vec![length];
        while sizes[sizes.len() - 1] > 2 {
            sizes.push(sizes[sizes.len() - 1].div_ceil(2));
        }
        into.levels.resize(sizes.len(), Vec::new());
        let top = sizes.len() - 1;
        into.levels[top] = split(key).to_vec();
        for level in (0..top).rev() {
            let (below, above) = into.levels.split_at_mut(level + 1);
            let (to, from) = (&mut below[level], &above[0]);
            to.clear();
            for number in from {
                if sizes[level] - to.len() == 1 {
                    to.push(*number);
                } else {
                    to.extend(split(self.inner.key(*number)));
                }
            }
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
        for i in 0..20_000u64 {
            let length = 2 + (mix(i / 50) % 11) as usize;
            let vector: Vec<u32> = (0..length as u64).map(|j| (mix(i * (j + 1)) % 3) as u32).collect();
            let mut folded = Folded::default();
            let key = tree.fold(&vector, base.as_ref(), &mut lately, &mut folded).unwrap();
            let entry = tree.roots.insert(key, 0).unwrap();
            assert_eq!(entry.new, !known.contains_key(&vector));
            assert_eq!(*known.entry(vector.clone()).or_insert(entry.number), entry.number);
            let mut back = Folded::default();
            tree.unfold(entry.number, &mut back);
            assert_eq!(back.vector(), vector);
            assert_eq!((&back.levels, back.class), (&folded.levels, folded.class));
            if i % 3 == 0 {
                base = Some(folded);
            }
        }
        assert_eq!(tree.roots.len(), known.len() as u64);
    }
}
