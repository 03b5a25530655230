//! A run to an error, backwards.
//!
//! Every state was new at some moment, and has a predecessor that was new at an earlier one. All steps that were ever worked
//! out and that lead to its shared variables are tried backwards, and the earliest predecessor is taken; whether a step
//! fits is judged by taking it forwards again. Moments fall, so this ends; the run need not be a shortest one.

use super::{Error, Key, SymbolicCounters};
use crate::counted::{Counted, add, remove};
use crate::naming::{End, Hop, Naming};
use crate::thread_steps::{Local, Move};
use raddle_bp::interpreter::{AtMost, Counterexample};
use rustc_hash::FxHashMap;

/// A step that was worked out: shared variables, local state, and which of its steps.
type Known = (u64, Local, usize);

impl SymbolicCounters<'_> {
    pub(super) fn counterexample(&self, error: Error) -> Counterexample {
        let (mut state, mut moment) = self.first_with(error);
        let mut leading: FxHashMap<u64, Vec<Known>> = FxHashMap::default();
        for ((globals, local), steps) in &self.known_steps {
            for (index, step) in steps.moves.iter().enumerate() {
                leading.entry(step.globals).or_default().push((*globals, *local, index));
            }
        }
        // The order must not depend on hashing.
        leading.values_mut().for_each(|steps| steps.sort_unstable());

        let mut reversed: Vec<(usize, Known)> = Vec::new();
        while !self.is_initial(moment) {
            let candidates = leading.get(&state.globals).map_or(&[][..], Vec::as_slice);
            let possible = candidates.iter().flat_map(|known| {
                self.before(&state, *known).into_iter().map(|(before, earlier)| (earlier, before, *known))
            });
            let (earlier, before, known) =
                possible.min_by_key(|(earlier, _, _)| *earlier).expect("it was reached from somewhere");
            assert!(earlier < moment, "what leads to a state was there before it");
            reversed.push((before.running(), known));
            (state, moment) = (before, earlier);
        }
        let hops = reversed.iter().rev().map(|(running, (globals, local, index))| Hop {
            running: *running,
            local: *local,
            step: self.known_step((*globals, *local, *index)),
        });
        let naming = Naming {
            flow: self.flow,
            locals: &self.locals,
            error_label: self.error_label.as_deref(),
            max_threads: self.config.max_threads,
        };
        let end = End { local: error.local, fails_with: error.fails_with };
        naming.counterexample(&state, &hops.collect::<Vec<_>>(), end)
    }

    fn known_step(&self, (globals, local, index): Known) -> &Move {
        &self.known_steps[&(globals, local)].moves[index]
    }

    /// Initial states were reached before all others.
    fn is_initial(&self, moment: u32) -> bool {
        moment < self.initial_moments
    }

    /// The first state with the thread of the error, and its moment.
    fn first_with(&self, error: Error) -> (Counted, u32) {
        let reached = &self.reached[error.number];
        let Key { globals, inside, .. } = reached.key;
        let found = reached.moments.iter().find_map(|(moment, set)| {
            let elements = match inside {
                Some(local) if local == error.local => self.sets.some(*set),
                _ => self.sets.some_with(*set, error.local.0),
            };
            Some((elements?, *moment))
        });
        let (elements, moment) = found.expect("the error was found there");
        let mut others = Vec::new();
        elements.iter().for_each(|element| add(&mut others, Local(*element)));
        (Counted { globals, inside, others: others.into_boxed_slice() }, moment)
    }

    /// The states from which the step leads to the given one, with the moments when they were new.
    fn before(&self, state: &Counted, known: Known) -> Vec<(Counted, u32)> {
        let (globals, local, _) = known;
        let step = self.known_step(known);
        let mut found = Vec::new();
        for inside in [None, Some(local)] {
            for refused in [false, true] {
                let mut others = state.others.to_vec();
                let left = step.after.filter(|_| step.inside(inside.is_some()).is_none());
                let started = step.started.filter(|_| !refused);
                if !left.into_iter().chain(started).all(|gone| take(&mut others, gone)) {
                    continue;
                }
                if inside.is_none() {
                    add(&mut others, local);
                }
                let before = Counted { globals, inside, others: others.into_boxed_slice() };
                let full = before.running() >= self.config.max_threads;
                if full && step.started.is_some() && self.config.at_most == AtMost::Wait {
                    continue;
                }
                if before.after(local, step, self.config.max_threads) == *state
                    && let Some(moment) = self.moment(&before)
                {
                    found.push((before, moment));
                }
            }
        }
        found
    }

    /// When a state was new, if it was reached.
    fn moment(&self, state: &Counted) -> Option<u32> {
        let key = Key { globals: state.globals, inside: state.inside, running: state.running() as u32 };
        let reached = &self.reached[*self.numbers.get(&key)?];
        let elements = state.others.iter().flat_map(|(l, count)| std::iter::repeat_n(l.0, *count as usize));
        let elements: Vec<u32> = elements.collect();
        reached.moments.iter().find(|(_, set)| self.sets.contains(*set, &elements)).map(|(moment, _)| *moment)
    }
}

/// One thread less in a local state, if there is one.
fn take(counters: &mut Vec<(Local, u32)>, local: Local) -> bool {
    let there = counters.binary_search_by_key(&local, |(other, _)| *other).is_ok();
    if there {
        remove(counters, local);
    }
    there
}
