//! race-majority-guard by the majority: nearly all accesses of a variable, or of one member of all objects of a type, hold a
//! lock, and one does not (Engler et al., *Bugs as deviant behavior*, 2001).
//!
//! The guard is a lock with one instance, or a lock of the same object. Accesses before threads run, in functions that initialise
//! or destroy locks, and to fresh blocks do not count.

use std::collections::BTreeMap;

use raddle_trace::LintRule;

use super::Rules;
use crate::CodePlace;
use crate::lint::events::Access;
use crate::lint::interpret::RootKind;
use crate::lint::symbols::{Name, Symbol};

/// Of ten accesses so many hold the lock; where there are fewer than ten, all but one.
const GUARDED_OF_TEN: usize = 9;
/// Guarded accesses, at least.
const FEWEST: usize = 3;

impl Rules<'_, '_> {
    pub fn majority(&mut self) {
        let mut classes: BTreeMap<Symbol, Vec<Access>> = BTreeMap::new();
        for access in self.accesses.clone().iter() {
            if self.counts(access) {
                let class = self.interpreter.class(access.address);
                let is_class = matches!(
                    self.interpreter.symbols.name(self.interpreter.symbols.object(class)),
                    Name::Typed(_) | Name::Global(_)
                );
                if is_class {
                    classes.entry(class).or_default().push(access.clone());
                }
            }
        }
        for accesses in classes.into_values() {
            self.majority_of(&accesses);
        }
    }

    fn counts(&self, access: &Access) -> bool {
        let symbols = &self.interpreter.symbols;
        let root = symbols.name(symbols.root(access.address));
        let root_kind = self.interpreter.roots[access.place.root].kind;
        let quiet = root_kind == RootKind::First && access.live.is_empty();
        !access.called_back
            && !access.atomic
            && !quiet
            && root_kind != RootKind::Unreached
            && !self.interpreter.events.initialising.contains(&access.place.context)
            && !matches!(root, Name::Heap(..) | Name::Local(..))
            && !self.explained.contains(&access.place.at)
            && !self.explained_objects.contains(&access.address)
    }

    fn majority_of(&mut self, accesses: &[Access]) {
        let mut guards: BTreeMap<Symbol, Vec<CodePlace>> = BTreeMap::new();
        let mut places: Vec<CodePlace> = Vec::new();
        for access in accesses {
            places.push(access.place.at);
            for guard in self.guards_of(access) {
                guards.entry(guard).or_default().push(access.place.at);
            }
        }
        places.sort();
        places.dedup();
        // A place counts as guarded if it is in every context.
        let mut best: Option<(usize, Symbol)> = None;
        for guard in guards.keys().copied().collect::<Vec<_>>() {
            let mut guarded = places.clone();
            for access in accesses {
                if !self.guards_of(access).contains(&guard) {
                    guarded.retain(|at| *at != access.place.at);
                }
            }
            if best.is_none_or(|(count, _)| guarded.len() > count) {
                best = Some((guarded.len(), guard));
            }
        }
        let Some((guarded, guard)) = best else { return };
        let all = places.len();
        let enough = guarded >= FEWEST
            && guarded < all
            && (guarded * 10 >= all * GUARDED_OF_TEN || all - guarded == 1);
        if !enough || !accesses.iter().any(|a| a.write) {
            return;
        }
        let mut open = accesses.to_vec();
        open.retain(|access| !self.guards_of(access).contains(&guard));
        let Some(first) = open.iter().max_by_key(|a| (a.write, std::cmp::Reverse(a.place.at))) else {
            return;
        };
        let Some(with) =
            accesses.iter().find(|a| self.guards_of(a).contains(&guard) && (a.write || first.write))
        else {
            return;
        };
        // Reported as a pair already.
        if self
            .found
            .iter()
            .any(|c| c.rule == LintRule::RaceMajorityGuard && c.spots.iter().any(|s| s.at == first.place.at))
        {
            return;
        }
        let name = self.text(first.address);
        let lock = with
            .place
            .held
            .iter()
            .find(|h| self.guard_of(with, h.lock) == Some(guard))
            .map(|h| self.text(h.lock));
        let verb = if first.write { "written" } else { "read" };
        let message = format!(
            "`{name}` is {verb} without a lock here; {guarded} of {all} accesses hold `{}`",
            lock.unwrap_or_else(|| self.text(guard))
        );
        let spots = vec![
            self.spot(&first.place, format!("`{name}` is {verb} without the lock")),
            self.spot(&with.place, format!("an access of `{}` with the lock", self.text(with.address))),
        ];
        self.report(LintRule::RaceMajorityGuard, message, spots);
    }

    fn guards_of(&mut self, access: &Access) -> Vec<Symbol> {
        let locks: Vec<Symbol> = access.place.held.iter().map(|held| held.lock).collect();
        locks.into_iter().filter_map(|lock| self.guard_of(access, lock)).collect()
    }

    /// A lock with one instance, or the class of a lock of the same object.
    fn guard_of(&mut self, access: &Access, lock: Symbol) -> Option<Symbol> {
        if self.facts.is_single(self.interpreter, lock) {
            return Some(lock);
        }
        let (base, _) = self.interpreter.symbols.split(lock);
        let mut part = access.address;
        while part != base {
            part = match self.interpreter.symbols.name(part) {
                Name::Offset(inner, _) | Name::Element(inner, ..) => *inner,
                _ => return None,
            };
        }
        Some(self.interpreter.class(lock))
    }
}
