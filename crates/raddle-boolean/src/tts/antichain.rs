//! Antichains: vectors of one shared state of which none is below another, and the two queries of the searches: is
//! something here below (or above) this vector?
//!
//! Whatever is below `x` has all its local states in `x`: each member watches one of its local states, the one with the
//! fewest watchers when it came, and only watchers of the local states of `x` are compared. Whatever is above `x` has
//! every local state of `x`: the members that have the rarest one are compared.
//!
//! Both the order and the bitset pre-check (Basler 2010, §10.7.1) can be switched off, to see what they are worth:
//! without the antichain every member is compared, newest first, and none is ever dropped.

use super::vector::{Entries, is_below, signature};
use rustc_hash::FxHashMap;

/// What can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pruning {
    /// Only extremal vectors are kept, and found by an index.
    pub antichain: bool,
    /// Bitsets are compared before vectors.
    pub bitset: bool,
}

impl Default for Pruning {
    fn default() -> Pruning {
        Pruning { antichain: true, bitset: true }
    }
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Comparisons {
    /// Vectors compared entry by entry.
    pub vectors: u64,
    /// Pairs that bitsets distinguished.
    pub bitsets: u64,
}

/// The vectors of one shared state.
#[derive(Debug, Default)]
pub struct Antichain {
    members: Vec<Member>,
    /// Members that watch a local state.
    watchers: FxHashMap<u32, Vec<u32>>,
    /// Members that have a local state.
    having: FxHashMap<u32, Vec<u32>>,
    /// The member without threads, if it is there: below everything.
    empty: Option<u32>,
    alive: usize,
}

#[derive(Debug)]
struct Member {
    /// What the search calls it.
    name: u32,
    entries: Entries,
    signature: u64,
    alive: bool,
}

impl Antichain {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.alive
    }

    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// Some member that is below `entries`, or the same.
    pub fn below(&self, entries: &[(u32, u32)], pruning: Pruning, seen: &mut Comparisons) -> Option<u32> {
        let bits = signature(entries);
        let fits = |member: &Member, seen: &mut Comparisons| {
            member.alive && precheck(member.signature, bits, pruning, seen) && {
                seen.vectors += 1;
                is_below(&member.entries, entries)
            }
        };
        if !pruning.antichain {
            return self.members.iter().rev().find(|m| fits(m, seen)).map(|m| m.name);
        }
        if let Some(empty) = self.empty {
            return Some(self.members[empty as usize].name);
        }
        for (local, _) in entries {
            for index in self.watchers.get(local).into_iter().flatten() {
                let member = &self.members[*index as usize];
                if fits(member, seen) {
                    return Some(member.name);
                }
            }
        }
        None
    }

    /// Some member that is above `entries`, or the same.
    pub fn above(&self, entries: &[(u32, u32)], pruning: Pruning, seen: &mut Comparisons) -> Option<u32> {
        let bits = signature(entries);
        let fits = |member: &Member, seen: &mut Comparisons| {
            member.alive && precheck(bits, member.signature, pruning, seen) && {
                seen.vectors += 1;
                is_below(entries, &member.entries)
            }
        };
        if !pruning.antichain || entries.is_empty() {
            return self.members.iter().rev().find(|m| fits(m, seen)).map(|m| m.name);
        }
        let rarest = self.rarest(entries)?;
        let newest_first = rarest.iter().rev().map(|index| &self.members[*index as usize]);
        newest_first.into_iter().find(|m| fits(m, seen)).map(|m| m.name)
    }

    /// Drops what is above `entries`, and says what that was.
    pub fn drop_above(
        &mut self,
        entries: &[(u32, u32)],
        pruning: Pruning,
        seen: &mut Comparisons,
    ) -> Vec<u32> {
        if !pruning.antichain {
            return Vec::new();
        }
        let bits = signature(entries);
        let candidates: Vec<u32> = if entries.is_empty() {
            (0..self.members.len() as u32).collect()
        } else {
            self.rarest(entries).map(|list| list.to_vec()).unwrap_or_default()
        };
        self.drop_those(candidates, |member| {
            precheck(bits, member.signature, pruning, seen) && {
                seen.vectors += 1;
                is_below(entries, &member.entries)
            }
        })
    }

    /// Drops what is below `entries`, and says what that was.
    pub fn drop_below(
        &mut self,
        entries: &[(u32, u32)],
        pruning: Pruning,
        seen: &mut Comparisons,
    ) -> Vec<u32> {
        if !pruning.antichain {
            return Vec::new();
        }
        let bits = signature(entries);
        let mut candidates: Vec<u32> = self.empty.into_iter().collect();
        for (local, _) in entries {
            candidates.extend(self.watchers.get(local).into_iter().flatten());
        }
        self.drop_those(candidates, |member| {
            precheck(member.signature, bits, pruning, seen) && {
                seen.vectors += 1;
                is_below(&member.entries, entries)
            }
        })
    }

    /// Adds a vector. With the antichain on, the caller has dropped what it makes superfluous.
    pub fn insert(&mut self, name: u32, entries: Entries, pruning: Pruning) {
        let index = self.members.len() as u32;
        if pruning.antichain {
            if entries.is_empty() {
                self.empty = Some(index);
            }
            for (local, _) in entries.iter() {
                self.having.entry(*local).or_default().push(index);
            }
            let watchers = |local: &u32| self.watchers.get(local).map_or(0, Vec::len);
            if let Some(watched) = entries.iter().map(|(l, _)| *l).min_by_key(watchers) {
                self.watchers.entry(watched).or_default().push(index);
            }
        }
        let signature = signature(&entries);
        self.members.push(Member { name, entries, signature, alive: true });
        self.alive += 1;
    }

    fn rarest(&self, entries: &[(u32, u32)]) -> Option<&[u32]> {
        let having = |(local, _): &(u32, u32)| self.having.get(local).map_or(&[][..], Vec::as_slice);
        entries.iter().map(having).min_by_key(|list| list.len())
    }

    fn drop_those(&mut self, candidates: Vec<u32>, mut superfluous: impl FnMut(&Member) -> bool) -> Vec<u32> {
        let mut dropped = Vec::new();
        for index in candidates {
            let member = &mut self.members[index as usize];
            if !member.alive || !superfluous(member) {
                continue;
            }
            member.alive = false;
            let entries = member.entries.clone();
            dropped.push(member.name);
            self.alive -= 1;
            if self.empty == Some(index) {
                self.empty = None;
            }
            for (local, _) in entries.iter() {
                for lists in [&mut self.having, &mut self.watchers] {
                    if let Some(list) = lists.get_mut(local)
                        && let Ok(at) = list.binary_search(&index)
                    {
                        list.remove(at);
                    }
                }
            }
        }
        dropped
    }
}

fn precheck(smaller: u64, larger: u64, pruning: Pruning, seen: &mut Comparisons) -> bool {
    if pruning.bitset && smaller & !larger != 0 {
        seen.bitsets += 1;
        return false;
    }
    true
}
