//! lock-not-released, trylock-ignored, mutex-copied, blocking-call-under-spinlock: the use of single locks.

use std::collections::{BTreeMap, BTreeSet};

use raddle_analysis::{ANYWHERE, ObjectKind, Target};
use raddle_ir::{Callee, FunctionId, Inst};
use raddle_trace::LintRule;

use super::Rules;
use crate::CodePlace;
use crate::lint::events::Return;
use crate::lint::interpret::RootKind;
use crate::lint::state::Held;
use crate::lint::symbols::{Name, Symbol};

impl Rules<'_, '_> {
    /// Some paths return with a lock that others release, and no caller releases it.
    pub fn unreleased(&mut self) {
        let mut calls: BTreeMap<usize, Vec<Return>> = BTreeMap::new();
        for end in self.interpreter.events.returns.clone() {
            calls.entry(end.place.context).or_default().push(end);
        }
        let mut reported: BTreeSet<(CodePlace, CodePlace)> = BTreeSet::new();
        // The innermost function first: what it keeps, its callers keep too.
        let depth = |ends: &Vec<Return>| {
            let mut next = ends[0].place.calls.as_ref();
            let mut depth = 0;
            while let Some(call) = next {
                depth += 1;
                next = call.outer.as_ref();
            }
            depth
        };
        let mut kept: BTreeMap<CodePlace, FunctionId> = BTreeMap::new();
        let mut calls: Vec<Vec<Return>> = calls.into_values().collect();
        calls.sort_by_key(|ends| std::cmp::Reverse(depth(ends)));
        for ends in calls {
            for end in &ends {
                // The end of a thread ends its atomic sections.
                for held in
                    end.place.held.iter().filter(|held| !is_inherited(end, held) && held.kind != u32::MAX)
                {
                    let without = ends.iter().find(|other| {
                        other.released.contains(&held.lock)
                            && !other.place.held.iter().any(|h| h.lock == held.lock)
                    });
                    // A thread that ends takes its locks with it.
                    let root = &self.interpreter.roots[end.place.root];
                    let is_end = end.place.calls.is_none() && root.kind == RootKind::Created;
                    let inner = kept.get(&held.at).is_some_and(|function| *function != end.place.at.0);
                    if without.is_none() && !is_end || inner || self.is_released_by_callers(end, held) {
                        continue;
                    }
                    kept.insert(held.at, end.place.at.0);
                    if reported.insert((end.place.at, held.at)) {
                        self.report_unreleased(end, held, without);
                    }
                }
            }
        }
    }

    fn is_released_by_callers(&mut self, end: &Return, held: &Held) -> bool {
        let function = end.place.at.0;
        let class = self.interpreter.class(held.lock);
        let releases = self.interpreter.events.releases.clone();
        releases.iter().any(|release| {
            let elsewhere = release.place.at.0 != function;
            let inside = {
                let mut next = release.place.calls.as_ref();
                let mut found = false;
                while let Some(call) = next {
                    found |= call.at.0 == function;
                    next = call.outer.as_ref();
                }
                found
            };
            elsewhere
                && !inside
                && match release.taken {
                    Some(taken) => taken == held.at,
                    None => self.interpreter.class(release.lock) == class,
                }
        })
    }

    fn report_unreleased(&mut self, end: &Return, held: &Held, without: Option<&Return>) {
        let name = self.text(held.lock);
        let mut spots = vec![self.spot(&end.place, format!("returns with `{name}` held"))];
        spots.push(self.bare_spot(held.at, format!("`{name}` is taken")));
        let message = match without {
            Some(other) => {
                spots.push(self.spot(&other.place, "returns after its release"));
                format!(
                    "`{}` returns with `{name}` held on this path, and releases it on others",
                    self.function_name(end.place.at.0)
                )
            }
            None => format!("the thread `{}` ends with `{name}` held", self.function_name(end.place.at.0)),
        };
        self.report(LintRule::LockNotReleased, message, spots);
    }

    /// Results of tries and timed locks that nothing reads.
    pub fn ignored_tries(&mut self) {
        for index in 0..self.interpreter.program.functions.len() {
            let function = self.interpreter.function(FunctionId::new(index));
            if function.library {
                continue;
            }
            for (pc, inst) in function.code.iter().enumerate() {
                let Inst::Call(call) = inst else { continue };
                let Callee::Direct(callee) = call.callee else { continue };
                let tries = self.interpreter.roles.get(callee).and_then(|role| role.takes.as_ref());
                if tries.is_none_or(|take| take.not.is_none()) {
                    continue;
                }
                let is_read = call.results.first().is_some_and(|result| {
                    function.code.iter().any(|other| {
                        let mut reads = false;
                        other.for_each_operand(|operand| reads |= operand.as_register() == Some(*result));
                        reads
                    })
                });
                if !is_read {
                    let name = self.function_name(callee).to_string();
                    let at = (FunctionId::new(index), pc as u32);
                    let spots = vec![self.bare_spot(at, "the lock may not be held after this call")];
                    self.report(
                        LintRule::TrylockIgnored,
                        format!("the result of `{name}` is ignored"),
                        spots,
                    );
                }
            }
        }
    }

    /// Copies of bytes that contain a lock.
    pub fn copies(&mut self) {
        let used: Vec<Symbol> = self.interpreter.events.acquires.iter().map(|a| a.lock).collect();
        let mut classes: BTreeSet<(String, i64)> = BTreeSet::new();
        for lock in used {
            let (base, at) = self.interpreter.symbols.split(lock);
            if let Some(name) = self.interpreter.structure(base) {
                classes.insert((name, at));
            }
        }
        for (place, source, bytes) in self.interpreter.events.copies.clone() {
            let structure = self.interpreter.structure(source);
            let by_type = structure
                .as_ref()
                .is_some_and(|name| classes.iter().any(|(other, at)| other == name && *at < bytes));
            let function = self.interpreter.function(place.at.0);
            let by_targets = match &function.code[place.at.1 as usize] {
                Inst::MemoryCopy { source, .. } => {
                    let targets =
                        self.interpreter.objects.operand(self.interpreter.program, place.at.0, *source);
                    // Only where both places are known: members of a block that has a lock elsewhere are no locks.
                    let is_lock = |target: Target| {
                        self.locks.cells.iter().any(|(cell, _)| {
                            cell.object == target.object
                                && cell.offset != ANYWHERE
                                && target.offset != ANYWHERE
                                && (target.offset..target.offset.saturating_add(bytes as i32))
                                    .contains(&cell.offset)
                        })
                    };
                    // A block of a wrapper of `malloc` may be one of another type, and a pointer may point elsewhere.
                    let is_block = |target: Target| {
                        matches!(self.interpreter.objects.kind(target.object), ObjectKind::Heap(..))
                    };
                    let of_other_type = structure.is_some() && targets.iter().all(is_block);
                    !targets.is_empty() && targets.iter().all(is_lock) && !of_other_type
                }
                _ => false,
            };
            if by_type || by_targets {
                let name = match self.interpreter.symbols.name(source) {
                    Name::Unknown => "an object".to_string(),
                    _ => format!("`{}`", self.text(source)),
                };
                let spots = vec![self.spot(&place, "the copy is another lock")];
                self.report(
                    LintRule::MutexCopied,
                    format!("{name}, which contains a lock, is copied by value"),
                    spots,
                );
            }
        }
    }

    pub fn blocking_calls(&mut self) {
        for (place, callee, held) in self.interpreter.events.blocked.clone() {
            let lock = self.text(held.lock);
            let name = self.function_name(callee).to_string();
            let spots = vec![
                self.spot(&place, format!("calls `{name}` while holding `{lock}`")),
                self.bare_spot(held.at, format!("the spin lock `{lock}` is taken")),
            ];
            self.report(
                LintRule::BlockingCallUnderSpinlock,
                format!("`{name}` may block or take long, and the spin lock `{lock}` is held"),
                spots,
            );
        }
    }
}

fn is_inherited(end: &Return, held: &Held) -> bool {
    end.entry.iter().any(|other| other.lock == held.lock && other.at == held.at)
}
