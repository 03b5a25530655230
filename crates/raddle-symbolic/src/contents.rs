//! The bytes of an object as terms: chunks at constant offsets, each the value of one store. Loads of a whole chunk give its
//! term; other loads take chunks apart and put bytes together. A pointer of four bytes (ILP32) keeps all of its 64 bits,
//! because the number alone has no provenance: it is loaded as a whole or not at all.

use std::collections::BTreeMap;

use raddle_solver::Term;

use crate::domain::{TermDomain, ones};

/// A value as it lies in memory: eight bits a byte, or 64 bits if `wide`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chunk {
    pub length: u32,
    pub bits: Term,
    pub undefined: Term,
    /// A pointer of 64 bits in four bytes.
    pub wide: bool,
}

impl Chunk {
    pub fn width(&self) -> u32 {
        if self.wide { 64 } else { 8 * self.length }
    }
}

/// A wide pointer was read or written in part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerCut;

/// The chunks of an object by offset; bytes that are in no chunk are missing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    chunks: BTreeMap<u32, Chunk>,
}

impl Contents {
    /// The chunk that is exactly this range.
    pub fn whole(&self, offset: u32, length: u32) -> Option<&Chunk> {
        self.chunks.get(&offset).filter(|chunk| chunk.length == length)
    }

    /// Chunks that overlap a range.
    fn overlapping(&self, offset: u32, length: u32) -> impl Iterator<Item = (u32, &Chunk)> {
        let before = self.chunks.range(..offset).next_back().filter(|(at, c)| *at + c.length > offset);
        let inside = self.chunks.range(offset..offset.saturating_add(length));
        before.into_iter().chain(inside).map(|(at, chunk)| (*at, chunk))
    }

    /// The parts of a range that are in no chunk.
    pub fn missing(&self, offset: u32, length: u32) -> Vec<(u32, u32)> {
        let mut out = Vec::new();
        let mut at = offset;
        let end = offset + length;
        for (start, chunk) in self.overlapping(offset, length) {
            if start > at {
                out.push((at, start - at));
            }
            at = at.max(start + chunk.length);
        }
        if at < end {
            out.push((at, end - at));
        }
        out
    }

    /// The value of a range of which no byte is missing, little-endian.
    pub fn load(&self, d: &TermDomain, offset: u32, length: u32) -> Result<Chunk, PointerCut> {
        if let Some(chunk) = self.whole(offset, length) {
            return Ok(*chunk);
        }
        let mut parts: Vec<(Term, Term)> = Vec::new();
        let end = offset + length;
        for (start, chunk) in self.overlapping(offset, length) {
            let (from, to) = (offset.max(start) - start, end.min(start + chunk.length) - start);
            if chunk.wide {
                // Null has no provenance to lose.
                if d.as_constant(chunk.bits) != Some(0) || d.as_constant(chunk.undefined) != Some(0) {
                    return Err(PointerCut);
                }
                let zero = d.constant(8 * (to - from), 0);
                parts.push((zero, zero));
                continue;
            }
            parts.push(d.with(|t| {
                let high = 8 * to - 1;
                (t.extract(chunk.bits, high, 8 * from), t.extract(chunk.undefined, high, 8 * from))
            }));
        }
        let (bits, undefined) = d.with(|t| {
            let joined =
                parts.into_iter().reduce(|low, high| (t.concat(high.0, low.0), t.concat(high.1, low.1)));
            joined.expect("a range of at least one byte")
        });
        Ok(Chunk { length, bits, undefined, wide: false })
    }

    /// Writes a value; what it covers in part is taken apart.
    pub fn store(&mut self, d: &TermDomain, offset: u32, chunk: Chunk) -> Result<(), PointerCut> {
        let end = offset + chunk.length;
        if self.whole(offset, chunk.length).is_none() {
            let cut: Vec<(u32, Chunk)> =
                self.overlapping(offset, chunk.length).map(|(at, c)| (at, *c)).collect();
            for (at, old) in cut {
                self.chunks.remove(&at);
                let old_end = at + old.length;
                if (at < offset || old_end > end) && old.wide {
                    return Err(PointerCut);
                }
                let mut keep = |from: u32, to: u32| {
                    let (high, low) = (8 * (to - at) - 1, 8 * (from - at));
                    let (bits, undefined) =
                        d.with(|t| (t.extract(old.bits, high, low), t.extract(old.undefined, high, low)));
                    self.chunks.insert(from, Chunk { length: to - from, bits, undefined, wide: false });
                };
                if at < offset {
                    keep(at, offset);
                }
                if old_end > end {
                    keep(end, old_end);
                }
            }
        }
        self.chunks.insert(offset, chunk);
        Ok(())
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &Chunk)> {
        self.chunks.iter().map(|(at, chunk)| (*at, chunk))
    }

    /// All chunks of both, each as large as the larger parts that the two have in common: the pieces in which merging works.
    pub fn pieces(&self, other: &Contents) -> Vec<(u32, u32)> {
        let mut bounds: Vec<u32> =
            self.iter().chain(other.iter()).flat_map(|(at, chunk)| [at, at + chunk.length]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let inside = |c: &Contents, at: u32| c.missing(at, 1).is_empty();
        let mut out = Vec::new();
        let mut i = 0;
        while i + 1 < bounds.len() {
            let at = bounds[i];
            // A chunk that is whole in one of them and whole or absent in the other stays whole.
            let lengths: Vec<u32> =
                [self, other].iter().filter_map(|c| c.chunks.get(&at).map(|x| x.length)).collect();
            let longest = lengths.iter().copied().max().unwrap_or(0);
            let fits =
                |c: &Contents| c.whole(at, longest).is_some() || c.missing(at, longest) == [(at, longest)];
            if longest > 0 && fits(self) && fits(other) {
                out.push((at, longest));
                i = bounds.partition_point(|b| *b < at + longest);
                continue;
            }
            if inside(self, at) || inside(other, at) {
                out.push((at, bounds[i + 1] - at));
            }
            i += 1;
        }
        out
    }
}

/// All bytes indeterminate.
pub fn indeterminate(d: &TermDomain, length: u32) -> Chunk {
    let width = 8 * length;
    let zero = d.with(|t| t.constant(width, 0u64));
    Chunk { length, bits: zero, undefined: ones(d, width), wide: false }
}
