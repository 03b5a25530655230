//! race-majority-guard for pairs of accesses, volatile-as-sync and double-checked-locking: accesses of different threads to one object
//! without a lock in common.
//!
//! Only names that mean one object in all threads are compared. A pair is left out where one thread waits for something that the other
//! releases: a semaphore, a barrier, a condition variable, an atomic variable.

use std::collections::BTreeMap;

use raddle_trace::LintRule;

use super::Rules;
use crate::lint::events::Access;
use crate::lint::symbols::Symbol;

/// Accesses of one object that are compared.
const MOST_COMPARED: usize = 400;

impl Rules<'_, '_> {
    pub fn races(&mut self) {
        let mut objects: BTreeMap<Symbol, Vec<usize>> = BTreeMap::new();
        for (index, access) in self.accesses.iter().enumerate() {
            if self.is_reached(&access.place) && !access.called_back {
                let (base, _) = self.interpreter.symbols.split(access.address);
                objects.entry(base).or_default().push(index);
            }
        }
        for (base, mut indices) in objects {
            if !self.facts.is_single(self.interpreter, base) {
                continue;
            }
            indices.truncate(MOST_COMPARED);
            self.races_of(&indices);
        }
    }

    fn races_of(&mut self, indices: &[usize]) {
        let accesses: Vec<Access> = indices.iter().map(|index| self.accesses[*index].clone()).collect();
        let mut reported: Vec<Symbol> = Vec::new();
        let mut best: Vec<(usize, usize, usize)> = Vec::new();
        for (i, a) in accesses.iter().enumerate() {
            for (j, b) in accesses.iter().enumerate().skip(i) {
                if (a.write || b.write) && !(a.atomic && b.atomic) && self.overlap(a, b) && self.is_open(a, b)
                {
                    // Pairs with fewer locks first, then writes.
                    let locks = a.place.held.len().min(b.place.held.len());
                    best.push((2 * locks + usize::from(!(a.write && b.write)), i, j));
                }
            }
        }
        best.sort();
        for (_, i, j) in best {
            let (a, b) = (&accesses[i], &accesses[j]);
            if reported.contains(&a.address) || reported.contains(&b.address) {
                continue;
            }
            reported.extend([a.address, b.address]);
            self.report_race(a, b);
        }
    }

    fn overlap(&self, a: &Access, b: &Access) -> bool {
        let symbols = &self.interpreter.symbols;
        let ((x, at), (y, other)) = (symbols.split(a.address), symbols.split(b.address));
        x == y && at < other.saturating_add(b.bytes) && other < at.saturating_add(a.bytes)
    }

    /// Nothing that is known here keeps the two accesses apart.
    fn is_open(&mut self, a: &Access, b: &Access) -> bool {
        let explained = |access: &Access| {
            self.explained.contains(&access.place.at) || self.explained_objects.contains(&access.address)
        };
        let apart = a.by_argument && b.by_argument && a.place.root == b.place.root;
        if apart || explained(a) || explained(b) || self.is_exported(&a.place) && self.is_exported(&b.place) {
            return false;
        }
        self.facts.may_overlap(a, b)
            && !self.facts.common_lock(self.interpreter, &a.place.held, &b.place.held)
            && !self.facts.may_be_ordered(self.interpreter, a, b)
    }

    fn report_race(&mut self, a: &Access, b: &Access) {
        // The access without the other's locks is where the finding is.
        let (a, b) = if b.place.held.len() < a.place.held.len() { (b, a) } else { (a, b) };
        let (a, b) =
            if !a.write && b.write && a.place.held.len() == b.place.held.len() { (b, a) } else { (a, b) };
        let name = self.text(a.address);
        let verb = |access: &Access| match (access.write, access.atomic) {
            (true, false) => "writes",
            (false, false) => "reads",
            (true, true) => "atomically writes",
            (false, true) => "atomically reads",
        };
        let spots = vec![
            self.spot(&a.place, format!("{} `{name}`", verb(a))),
            self.spot(&b.place, format!("another thread {} it", verb(b))),
        ];
        if a.volatile && b.volatile {
            let message =
                format!("threads communicate through the volatile variable `{name}` without a lock");
            self.explained_objects.insert(a.address);
            return self.report(LintRule::VolatileAsSync, message, spots);
        }
        let locks = match (a.place.held.is_empty(), b.place.held.is_empty()) {
            _ if a.atomic != b.atomic => "one of them is atomic, the other is not",
            (true, true) => "no lock is held at either",
            (true, false) | (false, true) => "one of them holds no lock",
            _ => "they hold no lock in common",
        };
        let message = format!("`{name}` is accessed by threads that may run in parallel: {locks}");
        self.report(LintRule::RaceMajorityGuard, message, spots);
    }

    /// A variable that is tested without the lock, then tested and set with it.
    pub fn double_checked(&mut self) {
        let accesses = self.accesses.clone();
        for set in accesses.iter().filter(|a| a.write && !a.atomic && !a.place.held.is_empty()) {
            if !self.is_reached(&set.place) || !self.facts.is_single(self.interpreter, set.address) {
                continue;
            }
            let (function, at) = set.place.at;
            for held in set.place.held.iter().filter(|held| held.at.0 == function) {
                let reads = |access: &&Access| {
                    !access.write
                        && access.address == set.address
                        && access.place.context == set.place.context
                };
                let holds = |access: &&Access| access.place.held.iter().any(|h| h.lock == held.lock);
                let before = accesses
                    .iter()
                    .filter(reads)
                    .find(|a| !holds(a) && !a.atomic && a.place.at.1 < held.at.1);
                let again = accesses
                    .iter()
                    .filter(reads)
                    .find(|a| holds(a) && a.place.at.1 < at && a.place.at.1 > held.at.1);
                let (Some(first), Some(second)) = (before, again) else { continue };
                let is_tested = self.is_tested(first) && self.is_tested(second);
                let in_parallel = self.facts.may_overlap(set, first)
                    || accesses.iter().any(|a| {
                        a.address == set.address
                            && self.facts.may_overlap(set, a)
                            && a.place.root != set.place.root
                    });
                if !is_tested || !in_parallel {
                    continue;
                }
                let name = self.text(set.address);
                let spots = vec![
                    self.spot(&first.place, format!("tests `{name}` without the lock")),
                    self.spot(&second.place, format!("tests it again with `{}`", self.text(held.lock))),
                    self.spot(&set.place, "sets it"),
                ];
                let message = format!(
                    "`{name}` is tested without `{}` and set with it: the first test is a data race",
                    self.text(held.lock)
                );
                if self.explained_objects.insert(set.address) {
                    self.report(LintRule::DoubleCheckedLocking, message, spots);
                }
            }
        }
    }

    /// The block of a read ends in a branch.
    fn is_tested(&self, read: &Access) -> bool {
        let function = self.interpreter.function(read.place.at.0);
        let block = function.blocks[function.block_of(read.place.at.1).index()];
        matches!(
            function.code[block.end as usize - 1],
            raddle_ir::Inst::Branch { .. } | raddle_ir::Inst::Switch(_)
        )
    }
}
