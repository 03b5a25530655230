//! The run to an error, backwards from the state in which it was found.

use super::{Counters, Error, Origin};
use crate::naming::{End, Hop, Naming};
use raddle_bp::interpreter::Counterexample;

impl Counters<'_> {
    pub(super) fn counterexample(&self, error: &Error) -> Counterexample {
        let mut origins: Vec<Origin> = Vec::new();
        let mut number = error.state;
        while let Some(origin) = self.states[number as usize].1 {
            origins.push(origin);
            number = origin.before;
        }
        let first = &self.states[number as usize].0;
        let hops = origins.iter().rev().map(|origin| {
            let before = &self.states[origin.before as usize].0;
            let known = &self.known_steps[&(before.globals, origin.local)];
            Hop { running: before.running(), local: origin.local, step: &known.moves[origin.step as usize] }
        });
        let naming = Naming {
            flow: self.flow,
            locals: &self.locals,
            error_label: self.error_label.as_deref(),
            max_threads: self.config.max_threads,
        };
        let end = End { local: error.local, fails_with: error.fails_with };
        naming.counterexample(first, &hops.collect::<Vec<_>>(), end)
    }
}
