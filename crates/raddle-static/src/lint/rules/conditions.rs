//! wait-outside-loop, wait-without-mutex, lost-signal: the protocol of condition variables.

use std::collections::BTreeSet;

use raddle_ir::{Callee, FunctionId, Inst};
use raddle_trace::LintRule;

use super::{Rules, cycle};
use crate::CodePlace;
use crate::lint::events::{Access, Wait};
use crate::lint::symbols::Symbol;

/// Callers that are asked for a loop.
const DEEPEST: u32 = 2;

impl Rules<'_, '_> {
    pub fn waits(&mut self) {
        for wait in self.interpreter.events.waits.clone() {
            self.wait_without_mutex(&wait);
        }
        let reported: Vec<CodePlace> = self.found.iter().map(|c| c.spots[0].at).collect();
        for index in 0..self.interpreter.program.functions.len() {
            let id = FunctionId::new(index);
            let function = self.interpreter.function(id);
            if function.library {
                continue;
            }
            for (pc, inst) in function.code.iter().enumerate() {
                let at = (id, pc as u32);
                if let Some(callee) = self.waiting_callee(inst)
                    && !reported.contains(&at)
                    && !self.is_in_test_loop(at, DEEPEST)
                {
                    let message = format!(
                        "`{}` is not called in a loop that tests the condition with the mutex held",
                        self.function_name(callee)
                    );
                    let spots =
                        vec![self.bare_spot(
                            at,
                            "may return without a signal, or when the condition is false again",
                        )];
                    self.report(LintRule::WaitOutsideLoop, message, spots);
                }
            }
        }
    }

    /// A call that waits without a limit of time: sleeping for a time is often done outside a loop.
    fn waiting_callee(&self, inst: &Inst) -> Option<FunctionId> {
        let Inst::Call(call) = inst else { return None };
        let Callee::Direct(callee) = call.callee else { return None };
        self.interpreter.roles.get(callee)?.waits?;
        (call.arguments.len() == 2).then_some(callee)
    }

    /// Control comes back to the call without a release of a lock on the way, here or in all callers.
    fn is_in_test_loop(&self, (function, pc): CodePlace, depth: u32) -> bool {
        let body = self.interpreter.function(function);
        if cycle(body, pc, &|inst| self.releases(inst, DEEPEST)) {
            return true;
        }
        let mut callers = Vec::new();
        for (index, other) in
            self.interpreter.program.functions.iter().enumerate().filter(|(_, f)| !f.library)
        {
            for (at, inst) in other.code.iter().enumerate() {
                if matches!(inst, Inst::Call(call) if call.callee == Callee::Direct(function)) {
                    callers.push((FunctionId::new(index), at as u32));
                }
            }
        }
        depth > 0
            && !callers.is_empty()
            && !body.code.iter().any(|inst| self.releases(inst, 0))
            && callers.iter().all(|at| self.is_in_test_loop(*at, depth - 1))
    }

    fn releases(&self, inst: &Inst, depth: u32) -> bool {
        let Inst::Call(call) = inst else { return false };
        let Callee::Direct(callee) = call.callee else { return false };
        match self.interpreter.roles.get(callee) {
            Some(role) => role.gives.is_some(),
            None => {
                depth > 0
                    && self.interpreter.function(callee).code.iter().any(|i| self.releases(i, depth - 1))
            }
        }
    }

    fn wait_without_mutex(&mut self, wait: &Wait) {
        if wait.holds_mutex || !self.is_reached(&wait.place) {
            return;
        }
        // The callers of an exported function may hold the lock of a parameter.
        let class = self.interpreter.class(wait.mutex);
        let alike = wait.place.held.iter().any(|held| self.interpreter.class(held.lock) == class);
        let given = self.is_exported(&wait.place) && !self.facts.is_single(self.interpreter, wait.mutex);
        let nested = self.is_exported(&wait.place) && wait.place.calls.is_none();
        if alike || given || nested {
            return;
        }
        let mutex = self.text(wait.mutex);
        let spots = vec![
            self.spot(&wait.place, format!("waits for `{}` without `{mutex}`", self.text(wait.condition))),
        ];
        self.report(
            LintRule::WaitWithoutMutex,
            format!("the wait gives up `{mutex}`, which is not held here"),
            spots,
        );
    }

    /// Signals outside the mutex after a change of the condition outside it.
    pub fn lost_signals(&mut self) {
        let waits = self.interpreter.events.waits.clone();
        for signal in self.interpreter.events.signals.clone() {
            if !self.is_reached(&signal.place) {
                continue;
            }
            let class = self.interpreter.class(signal.condition);
            for wait in &waits {
                if self.interpreter.class(wait.condition) != class {
                    continue;
                }
                let mutex = self.interpreter.class(wait.mutex);
                if signal.place.held.iter().any(|held| self.interpreter.class(held.lock) == mutex) {
                    continue;
                }
                let tested = self.tested(wait);
                let accesses = self.accesses.clone();
                let changes = accesses.iter().find(|a| {
                    a.write
                        && a.place.root == signal.place.root
                        && a.place.at.0 == signal.place.at.0
                        && tested.iter().any(|t| t.0 == a.address)
                        && !a.place.held.iter().any(|held| self.interpreter.class(held.lock) == mutex)
                });
                let Some(change) = changes else { continue };
                let Some((_, test)) = tested.iter().find(|t| t.0 == change.address) else { continue };
                let name = self.text(change.address);
                let spots = vec![
                    self.spot(
                        &signal.place,
                        format!(
                            "signals `{}` without `{}`",
                            self.text(signal.condition),
                            self.text(wait.mutex)
                        ),
                    ),
                    self.spot(&change.place, format!("changes `{name}` without the mutex")),
                    self.spot(&test.place, format!("a waiter tests `{name}`")),
                    self.spot(&wait.place, "and waits"),
                ];
                let message = format!(
                    "`{name}` is changed and `{}` signalled without `{}`: between the test and the wait of a waiter the signal is lost",
                    self.text(signal.condition),
                    self.text(wait.mutex)
                );
                self.explained.insert(change.place.at);
                self.report(LintRule::LostSignal, message, spots);
                break;
            }
        }
    }

    /// What is read in the loop of a wait.
    fn tested(&mut self, wait: &Wait) -> Vec<(Symbol, Access)> {
        let (function, pc) = wait.place.at;
        let body = self.interpreter.function(function);
        let mut seen = BTreeSet::new();
        let mut out = Vec::new();
        for access in self.accesses.clone().iter() {
            let same = access.place.at.0 == function && access.place.root == wait.place.root && !access.write;
            if same && seen.insert(access.address) {
                let near = cycle(body, access.place.at.1, &|_| false) || access.place.at.1 < pc;
                if near {
                    out.push((access.address, access.clone()));
                }
            }
        }
        out
    }
}
