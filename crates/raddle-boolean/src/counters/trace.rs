//! The run to an error, with numbers given back to its threads.

use super::{Counters, Error, Origin};
use crate::thread_steps::{Atomicity, Local};
use raddle_bp::flow::Procedure;
use raddle_bp::interpreter::{Counterexample, Frame, State, Step, Thread, Violation};

impl Counters<'_> {
    pub(super) fn counterexample(&self, error: &Error) -> Counterexample {
        let mut origins: Vec<Origin> = Vec::new();
        let mut number = error.state;
        while let Some(origin) = self.states[number as usize].1 {
            origins.push(origin);
            number = origin.before;
        }
        let first = &self.states[number as usize].0;
        let all = first.others.iter().flat_map(|(local, count)| std::iter::repeat_n(*local, *count as usize));
        let mut threads: Vec<Option<Local>> = all.map(Some).collect();
        let initial = self.initial(first.globals, &threads);

        let mut inside: Option<usize> = None;
        let mut steps = Vec::with_capacity(origins.len() + 1);
        for origin in origins.iter().rev() {
            let before = &self.states[origin.before as usize].0;
            let thread = who(&threads, inside, origin.local);
            let known = &self.known_steps[&(before.globals, origin.local)];
            let step = &known.moves[origin.step as usize];
            let choices = self.choices(origin.local, step.choices);
            steps.push(Step { thread, successor: step.successor, choices });
            threads[thread] = step.after;
            if step.started.is_some() && before.running() < self.config.max_threads {
                // The thread that takes the step still counts as running: its number is not free.
                let free = (0..threads.len()).find(|n| *n != thread && threads[*n].is_none());
                match free {
                    Some(free) => threads[free] = step.started,
                    None => threads.push(step.started),
                }
            }
            inside = match step.atomicity {
                Atomicity::Begins => Some(thread),
                Atomicity::Ends => None,
                Atomicity::Stays => inside.filter(|_| step.after.is_some()),
            };
            while threads.last().is_some_and(Option::is_none) {
                threads.pop();
            }
        }

        let node = self.locals.node(error.local);
        let violation = match error.fails_with {
            Some(choices) => {
                let thread = who(&threads, inside, error.local);
                let choices = self.choices(error.local, choices);
                steps.push(Step { thread, successor: 0, choices });
                Violation::AssertionFailed { thread, place: node.place }
            }
            None => {
                // Whoever replays names the first thread at the label.
                let label = self.error_label.as_ref().expect("a label was reached");
                let at = |local: &Local| self.locals.node(*local).labels.iter().any(|l| l == label);
                let thread = threads.iter().position(|local| local.as_ref().is_some_and(at));
                let thread = thread.expect("a thread is at the label");
                let place = self.locals.node(threads[thread].expect("it runs")).place;
                Violation::LabelReached { thread, place }
            }
        };
        Counterexample { initial, steps, violation }
    }

    fn initial(&self, globals: u64, threads: &[Option<Local>]) -> State {
        let thread = |local: &Option<Local>| {
            let locals = self.locals.values((*local)?);
            let frame = Frame { procedure: self.flow.main, node: Procedure::ENTRY, locals };
            Some(Thread { frames: vec![frame] })
        };
        State {
            globals: (0..self.flow.globals.len()).map(|index| globals >> index & 1 == 1).collect(),
            threads: threads.iter().map(thread).collect(),
            atomic: None,
        }
    }

    fn choices(&self, local: Local, choices: u64) -> Vec<bool> {
        (0..self.locals.choice_bits(local)).map(|number| choices >> number & 1 == 1).collect()
    }
}

/// A thread in the local state that may take a step.
fn who(threads: &[Option<Local>], inside: Option<usize>, local: Local) -> usize {
    inside
        .unwrap_or_else(|| threads.iter().position(|other| *other == Some(local)).expect("a thread is there"))
}
