//! Tree compression of stored states: vectors of numbers, folded into a tree of pairs (Laarman, van de Pol, Weber,
//! *Parallel recursive state compression for free*, SPIN 2011).
//!
//! The vector is dealt into two halves; in each, neighbours become a pair, pairs become pairs, until one number is
//! left. The two numbers are the root, which is the state. Pairs are shared between states, so that a state costs
//! little more than its root: 8 bytes and its place in the table. A vector that differs in few places from one that
//! was folded before is folded along these places only.
//!
//! Dealt, not cut: what changes most are the threads, which are neighbours. In different halves, *m* threads at one
//! place and *n* at the next make *m + n* numbers below the root; in one half they would make *m n*. (Measured on two
//! threads with counters: 56 bytes a state when the vector was cut in the middle, 24 when it is dealt.)
//!
//! Pairs of different heights share one table. Which shape a root has follows from the vector's length, which is part
//! of the root's key; so different vectors have different roots: the store is exact.

use std::sync::Mutex;

use crate::store::pair_table::{Full, Pairs};

/// Bits of a number inside the tree.
pub const NUMBER_BITS: u32 = 28;

pub struct Tree {
    inner: Pairs,
    pub roots: Pairs,
    /// Lengths of vectors; the place is part of the root's key.
    lengths: Mutex<Vec<u32>>,
}

/// A folded vector: the vector, and for each half its share and above it the levels, one behind the other, up to the
/// one number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folded {
    vector: Vec<u32>,
    halves: [Vec<u32>; 2],
    class: u32,
}

impl Folded {
    pub fn vector(&self) -> &[u32] {
        &self.vector
    }
}

/// Numbers of one half of a vector of this length.
fn share(length: usize, half: usize) -> usize {
    (length + 1 - half) / 2
}

/// Where each level of a half with so many numbers begins, and its size, from below.
fn levels(size: usize) -> impl Iterator<Item = (usize, usize)> {
    let next = |(start, size): &(usize, usize)| (*size > 1).then(|| (start + size, size.div_ceil(2)));
    std::iter::successors(Some((0, size)), next)
}

/// A worker's cache of pairs: most look-ups then take no lock. And scratch space.
pub struct PairCache {
    known: Box<[(u64, u32); CACHED_PAIRS]>,
    /// Places of the level that is worked on.
    places: Vec<u32>,
    /// What was changed: half, place and the number before.
    before: Vec<(u32, u32, u32)>,
    /// A vector of another length.
    whole: Folded,
}

const CACHED_PAIRS_BITS: u32 = 14;
const CACHED_PAIRS: usize = 1 << CACHED_PAIRS_BITS;

impl Default for PairCache {
    fn default() -> Self {
        PairCache {
            known: Box::new([(u64::MAX, 0); CACHED_PAIRS]),
            places: Vec::new(),
            before: Vec::new(),
            whole: Folded::default(),
        }
    }
}

impl PairCache {
    #[inline]
    fn number(&mut self, pairs: &Pairs, key: u64) -> Result<u32, Full> {
        // One multiplication spreads well enough for an entry that may be overwritten at any time.
        let place =
            &mut self.known[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CACHED_PAIRS_BITS)) as usize];
        if place.0 != key {
            *place = (key, pairs.insert(key, 0)?.number);
        }
        Ok(place.1)
    }
}

impl Tree {
    pub fn new(notes: bool, sleep: bool) -> Tree {
        let roots = Pairs::new(32, notes);
        Tree {
            inner: Pairs::new(NUMBER_BITS, false),
            roots: if sleep { roots.with_sleep() } else { roots },
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

    /// Folds a vector; the result is the key of its root. `base`: a vector that may share numbers with it.
    pub fn fold(
        &self,
        vector: &[u32],
        base: Option<&Folded>,
        cache: &mut PairCache,
        into: &mut Folded,
    ) -> Result<u64, Full> {
        match base.filter(|b| b.vector.len() == vector.len()) {
            Some(base) => into.clone_from(base),
            None => self.shape(self.class(vector.len())?, into),
        }
        into.vector.copy_from_slice(vector);
        cache.before.clear();
        self.change(vector, into, cache)
    }

    /// The key of a vector's root, given another that is folded.
    pub fn key(&self, vector: &[u32], base: &mut Folded, cache: &mut PairCache) -> Result<u64, Full> {
        if base.vector.len() != vector.len() {
            let mut whole = std::mem::take(&mut cache.whole);
            let key = self.fold(vector, None, cache, &mut whole);
            cache.whole = whole;
            return key;
        }
        cache.before.clear();
        let key = self.change(vector, base, cache);
        while let Some((half, at, number)) = cache.before.pop() {
            base.halves[half as usize][at as usize] = number;
        }
        key
    }

    /// The key of the root of a vector that differs from a folded one at a few places only: these, in their order, with
    /// these numbers.
    #[inline]
    pub fn key_at<const N: usize>(
        &self,
        changes: &[(u32, u32)],
        base: &Folded,
        cache: &mut PairCache,
    ) -> Result<u64, Full> {
        let mut numbers = [0; 2];
        for (half, number) in numbers.iter_mut().enumerate() {
            let mut changed = [(0, 0); N];
            let mut count = 0;
            for (place, number) in changes.iter().filter(|(place, _)| *place as usize % 2 == half) {
                changed[count] = (*place as usize / 2, *number);
                count += 1;
            }
            let size = share(base.vector.len(), half);
            *number = self.climb(&base.halves[half], size, &mut changed[..count], cache)?;
        }
        Ok(joined(numbers[0], numbers[1]) | (base.class as u64) << (2 * NUMBER_BITS))
    }

    /// The topmost number of a half of this size when some of its numbers are others.
    #[inline]
    fn climb(
        &self,
        nodes: &[u32],
        mut size: usize,
        changed: &mut [(usize, u32)],
        cache: &mut PairCache,
    ) -> Result<u32, Full> {
        let (mut level, mut count) = (0, changed.len());
        while count > 1 && size > 1 {
            let (mut i, mut kept) = (0, 0);
            while i < count {
                let (at, number) = changed[i];
                i += 1;
                let number = if at % 2 == 1 {
                    cache.number(&self.inner, joined(nodes[level + at - 1], number))?
                } else if i < count && changed[i].0 == at + 1 {
                    i += 1;
                    cache.number(&self.inner, joined(number, changed[i - 1].1))?
                } else if at + 1 < size {
                    cache.number(&self.inner, joined(number, nodes[level + at + 1]))?
                } else {
                    // The odd one goes up as it is.
                    number
                };
                changed[kept] = (at / 2, number);
                kept += 1;
            }
            (level, size, count) = (level + size, size.div_ceil(2), kept);
        }
        let Some((mut at, mut number)) = changed.first().copied() else { return Ok(nodes[nodes.len() - 1]) };
        while size > 1 {
            let beside = at ^ 1;
            if beside < size {
                let other = nodes[level + beside];
                let key = if at % 2 == 0 { joined(number, other) } else { joined(other, number) };
                number = cache.number(&self.inner, key)?;
            }
            (at, level, size) = (at / 2, level + size, size.div_ceil(2));
        }
        Ok(number)
    }

    /// Changes a folded vector along the places where another differs. What was there before is noted.
    fn change(&self, vector: &[u32], folded: &mut Folded, cache: &mut PairCache) -> Result<u64, Full> {
        debug_assert!(vector.len() >= 2);
        let mut numbers = [0; 2];
        for half in 0..2 {
            let nodes = &mut folded.halves[half];
            let mut size = share(vector.len(), half);
            cache.places.clear();
            for at in 0..size {
                let number = vector[2 * at + half];
                if nodes[at] != number {
                    cache.before.push((half as u32, at as u32, nodes[at]));
                    nodes[at] = number;
                    cache.places.push(at as u32);
                }
            }
            let mut level = 0;
            while size > 1 {
                let above = level + size;
                let (mut kept, mut last) = (0, u32::MAX);
                for i in 0..cache.places.len() {
                    let at = cache.places[i] as usize / 2;
                    if at as u32 == last {
                        continue;
                    }
                    last = at as u32;
                    let left = nodes[level + 2 * at];
                    // The odd one goes up as it is.
                    let number = match 2 * at + 1 < size {
                        true => cache.number(&self.inner, joined(left, nodes[level + 2 * at + 1]))?,
                        false => left,
                    };
                    cache.before.push((half as u32, (above + at) as u32, nodes[above + at]));
                    nodes[above + at] = number;
                    cache.places[kept] = last;
                    kept += 1;
                }
                cache.places.truncate(kept);
                (level, size) = (above, size.div_ceil(2));
            }
            numbers[half] = nodes[level];
        }
        Ok(joined(numbers[0], numbers[1]) | (folded.class as u64) << (2 * NUMBER_BITS))
    }

    /// Prefetches for unfolding a stored state whose root is at hand.
    #[inline]
    pub fn expect(&self, root: u32) {
        split(self.roots.key(root)).iter().for_each(|number| self.inner.expect_number(*number));
    }

    /// The vector of a stored state. `into` may hold another one: what is the same is not looked up.
    pub fn unfold(&self, root: u32, into: &mut Folded) {
        let key = self.roots.key(root);
        let class = (key >> (2 * NUMBER_BITS)) as u32;
        if class != into.class || into.vector.is_empty() {
            self.shape(class, into);
        }
        for (half, number) in split(key).into_iter().enumerate() {
            let mut ends = [0; 32];
            let mut count = 0;
            for (start, size) in levels(share(into.vector.len(), half)) {
                ends[count] = start + size;
                count += 1;
            }
            self.descend(into, half, &ends[..count], 0, number);
        }
    }

    /// Puts a number at its place, and below it the numbers that it represents. `ends`: where the levels end.
    fn descend(&self, into: &mut Folded, half: usize, ends: &[usize], at: usize, number: u32) {
        let Some((_, below)) = ends.split_last() else { return };
        let start = below.last().copied().unwrap_or(0);
        let nodes = &mut into.halves[half];
        if nodes[start + at] == number {
            return;
        }
        nodes[start + at] = number;
        let Some((&end, under)) = below.split_last() else {
            into.vector[2 * at + half] = number;
            return;
        };
        if 2 * at + 1 == end - under.last().copied().unwrap_or(0) {
            self.descend(into, half, below, 2 * at, number);
        } else {
            let [a, b] = split(self.inner.key(number));
            self.descend(into, half, below, 2 * at, a);
            self.descend(into, half, below, 2 * at + 1, b);
        }
    }

    /// An empty vector of a class.
    fn shape(&self, class: u32, into: &mut Folded) {
        let length = self.lengths.lock().expect("no worker panics in here")[class as usize] as usize;
        into.class = class;
        into.vector.clear();
        into.vector.resize(length, u32::MAX);
        for (half, nodes) in into.halves.iter_mut().enumerate() {
            nodes.clear();
            nodes.resize(levels(share(length, half)).map(|(_, size)| size).sum(), u32::MAX);
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
    use crate::store::pair_table::mix;

    #[test]
    fn vectors_come_back_and_equal_ones_meet() {
        let tree = Tree::new(false, false);
        let mut known: std::collections::HashMap<Vec<u32>, u32> = Default::default();
        let mut base: Option<Folded> = None;
        let mut cache = PairCache::default();
        let mut back = Folded::default();
        let mut compared = 0;
        for i in 0..20_000u64 {
            let length = 2 + (mix(i / 50) % 11) as usize;
            let vector: Vec<u32> = (0..length as u64).map(|j| (mix(i * (j + 1)) % 3) as u32).collect();
            let mut folded = Folded::default();
            let key = tree.fold(&vector, base.as_ref(), &mut cache, &mut folded).unwrap();
            let entry = tree.roots.insert(key, 0).unwrap();
            assert_eq!(entry.new, !known.contains_key(&vector));
            assert_eq!(*known.entry(vector.clone()).or_insert(entry.number), entry.number);
            if let Some(base) = base.as_ref().filter(|base| base.vector.len() == length) {
                let places = vector.iter().zip(&base.vector).enumerate().filter(|(_, (new, old))| new != old);
                let changes: Vec<(u32, u32)> = places.map(|(place, (new, _))| (place as u32, *new)).collect();
                assert_eq!(tree.key_at::<16>(&changes, base, &mut cache), Ok(key));
                compared += 1;
            }
            tree.unfold(entry.number, &mut back);
            assert_eq!(back.vector(), vector);
            assert_eq!(back, folded);
            if i % 3 == 0 {
                base = Some(folded);
            }
        }
        assert_eq!(tree.roots.len(), known.len() as u64);
        assert!(compared > 10_000);
    }
}
