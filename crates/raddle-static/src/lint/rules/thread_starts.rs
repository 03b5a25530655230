//! escaping-local and unjoined-thread: what threads are given, and what becomes of them.

use raddle_trace::LintRule;

use super::Rules;
use crate::lint::events::{Creation, Return};
use crate::lint::interpret::RootKind;
use crate::lint::state::{Handle, is_same_handle};
use crate::lint::symbols::{Name, Symbol};

impl Rules<'_, '_> {
    /// The function of a local returns while a thread that was given its address may run.
    pub fn escaping_locals(&mut self) {
        for creation in self.interpreter.events.creations.clone() {
            let object = self.interpreter.symbols.object(creation.argument);
            let Name::Local(function, _) = *self.interpreter.symbols.name(object) else { continue };
            let Some(root) = creation.root else { continue };
            let returns: Vec<Return> = self.interpreter.events.returns.clone();
            let outlived = returns.iter().find(|end| {
                let live = |handle: &Handle| !end.joined.iter().any(|joined| is_same_handle(joined, handle));
                end.place.at.0 == function
                    && end.place.root == creation.place.root
                    && !self.is_main(end)
                    && end.created.iter().any(|(handle, roots)| live(handle) && roots.contains(&root))
            });
            let Some(end) = outlived else { continue };
            let name = self.text(object);
            let spots = vec![
                self.spot(&creation.place, format!("the thread is given the address of `{name}`")),
                self.spot(
                    &end.place,
                    format!("`{name}` dies with the return of `{}`", self.function_name(function)),
                ),
            ];
            let message = format!(
                "the thread is given the address of the local `{name}`, and `{}` returns without joining it",
                self.function_name(function)
            );
            self.report(LintRule::EscapingLocal, message, spots);
        }
    }

    /// The process ends with the return of the first function.
    fn is_main(&self, end: &Return) -> bool {
        let first = self.interpreter.roots[end.place.root].kind == RootKind::First;
        let direct = end.place.calls.as_ref().is_some_and(|call| call.outer.is_none());
        first && direct
    }

    pub fn unjoined(&mut self) {
        for creation in self.interpreter.events.creations.clone() {
            let known = self.interpreter.roots[creation.place.root].kind != RootKind::Unreached;
            if creation.attributes
                || !known
                || creation.handle.0 == Symbol::UNKNOWN
                || self.is_joined(&creation)
            {
                continue;
            }
            let Some(root) = creation.root else { continue };
            // A thread that never returns has nothing to be joined for.
            let returns = self
                .interpreter
                .events
                .returns
                .iter()
                .any(|end| end.place.root == root && end.place.calls.is_none());
            if !returns {
                continue;
            }
            let name = self.function_name(self.interpreter.roots[root].function).to_string();
            let spots = vec![self.spot(&creation.place, format!("a thread is created that runs `{name}`"))];
            self.report(
                LintRule::UnjoinedThread,
                format!("the thread that runs `{name}` is neither joined nor detached"),
                spots,
            );
        }
    }

    fn is_joined(&mut self, creation: &Creation) -> bool {
        let joins = self.interpreter.events.joins.clone();
        joins.iter().any(|(_, handle)| {
            // A thread without a name: itself, or any.
            if handle.0 == Symbol::UNKNOWN || is_same_handle(handle, &creation.handle) {
                return true;
            }
            match (handle.1, creation.handle.1) {
                (Some(a), Some(b)) => self.interpreter.class(a) == self.interpreter.class(b),
                _ => {
                    let (a, b) = (handle.0, creation.handle.0);
                    self.interpreter.class(a) == self.interpreter.class(b)
                }
            }
        })
    }
}
