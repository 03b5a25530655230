//! method-views: view consistency (von Praun and Gross, 2004; Artho, Havelund and Biere, *High-level data races*, 2003).
//!
//! The view of a critical section is the set of variables that it accesses, each read or updated. Of two sections of one
//! lock in one call of a function, the variables that each has in common with a section of another thread, with one side an
//! update, must form a chain: one set contains the other. Otherwise the function sees or leaves values that belong together at
//! two times.
//!
//! Neither sound nor complete. Only functions that threads call are judged, not what they start with: a whole thread has many
//! sections that have nothing to do with one another.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::FunctionId;
use raddle_trace::LintRule;

use super::Rules;
use crate::CodePlace;
use crate::lint::events::{Access, Acquire, Calls};
use crate::lint::interpret::RootKind;
use crate::lint::state::RootId;
use crate::lint::symbols::Symbol;

/// Critical sections that are compared.
const MOST_SECTIONS: usize = 200;

struct Section {
    root: RootId,
    lock: Symbol,
    acquire: Acquire,
    /// Variable: updated or only read, and an access.
    view: BTreeMap<Symbol, (bool, Access)>,
    /// Calls of functions that the section is in, with the place in each.
    within: Vec<(usize, FunctionId, CodePlace)>,
}

impl Rules<'_, '_> {
    pub fn method_views(&mut self) {
        let sections = self.sections();
        let mut reported: BTreeSet<(FunctionId, Symbol)> = BTreeSet::new();
        for (index, first) in sections.iter().enumerate() {
            for second in sections.iter().skip(index + 1) {
                if first.lock != second.lock
                    || first.root != second.root
                    || first.acquire.place.at == second.acquire.place.at
                {
                    continue;
                }
                let Some(method) = method(first, second) else { continue };
                if reported.contains(&(method, first.lock)) {
                    continue;
                }
                for other in sections.iter().filter(|other| other.lock == first.lock) {
                    if self
                        .facts
                        .may_overlap_at((first.root, &first.acquire.live), (other.root, &other.acquire.live))
                        && let Some((x, y)) = broken(first, second, other)
                    {
                        reported.insert((method, first.lock));
                        self.report_views(method, first, second, other, (x, y));
                        break;
                    }
                }
            }
        }
    }

    fn sections(&mut self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        for acquire in self.interpreter.events.acquires.clone() {
            let root = &self.interpreter.roots[acquire.place.root];
            let compared = matches!(root.kind, RootKind::First | RootKind::Created);
            if !compared
                || sections.len() >= MOST_SECTIONS
                || !self.facts.is_single(self.interpreter, acquire.lock)
            {
                continue;
            }
            let mut within = vec![(acquire.place.context, acquire.place.at.0, acquire.place.at)];
            let mut next: Option<&Calls> = acquire.place.calls.as_deref();
            while let Some(call) = next {
                within.push((usize::MAX, call.at.0, call.at));
                next = call.outer.as_deref();
            }
            // What the thread starts with, and the first function of the program.
            let start = root.function;
            within.retain(|(_, function, _)| {
                *function != start
                    && !self.interpreter.function(*function).library
                    && !self.is_first(*function)
            });
            sections.push(Section {
                root: acquire.place.root,
                lock: acquire.lock,
                acquire,
                view: BTreeMap::new(),
                within,
            });
        }
        for access in self.accesses.clone().iter() {
            if access.atomic || access.called_back || !self.facts.is_single(self.interpreter, access.address)
            {
                continue;
            }
            for held in access.place.held.iter() {
                for section in sections.iter_mut().filter(|s| {
                    s.root == access.place.root && s.lock == held.lock && s.acquire.place.at == held.at
                }) {
                    let entry =
                        section.view.entry(access.address).or_insert_with(|| (access.write, access.clone()));
                    entry.0 |= access.write;
                }
            }
        }
        sections
    }

    fn is_first(&self, function: FunctionId) -> bool {
        let program = self.interpreter.program;
        program.function(program.entry).code.iter().any(|inst| {
            matches!(inst, raddle_ir::Inst::Call(call) if call.callee == raddle_ir::Callee::Direct(function))
        })
    }

    fn report_views(
        &mut self,
        method: FunctionId,
        first: &Section,
        second: &Section,
        other: &Section,
        (x, y): (Symbol, Symbol),
    ) {
        let (a, b, lock) = (self.text(x), self.text(y), self.text(first.lock));
        let verb = |updated: bool| if updated { "updates" } else { "reads" };
        let (one, two) = (&first.view[&x], &second.view[&y]);
        let spots = vec![
            self.spot(&two.1.place, format!("{} `{b}` in a second section", verb(two.0))),
            self.spot(&one.1.place, format!("{} `{a}` in a first section of `{lock}`", verb(one.0))),
            self.spot(
                &other.acquire.place,
                format!("another thread accesses `{a}` and `{b}` in one section"),
            ),
        ];
        let message = format!(
            "`{}` accesses `{a}` and `{b}` in two sections of `{lock}`, and another thread updates them in one",
            self.function_name(method)
        );
        self.report(LintRule::MethodViews, message, spots);
    }
}

/// The innermost call of a function that both sections are in.
fn method(first: &Section, second: &Section) -> Option<FunctionId> {
    let same = |(context, function, at): &(usize, FunctionId, CodePlace)| {
        second.within.iter().any(|(other, f, place)| f == function && (context == other || at != place))
    };
    first.within.iter().find(|entry| same(entry)).map(|(_, function, _)| *function)
}

/// Variables that break the chain: each is in one section only, and the other thread updates both.
fn broken(first: &Section, second: &Section, other: &Section) -> Option<(Symbol, Symbol)> {
    let common = |section: &Section| -> BTreeSet<Symbol> {
        let overlaps = |(variable, (updated, _)): (&Symbol, &(bool, Access))| {
            let theirs = other.view.get(variable)?;
            (*updated || theirs.0).then_some(*variable)
        };
        section.view.iter().filter_map(overlaps).collect()
    };
    let (a, b) = (common(first), common(second));
    let updated = |variable: &&Symbol| other.view.get(*variable).is_some_and(|(updated, _)| *updated);
    let x = a.difference(&b).find(updated)?;
    let y = b.difference(&a).find(updated)?;
    Some((*x, *y))
}
