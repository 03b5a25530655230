//! A run of counted threads, with numbers given to its threads.

use crate::counted::Counted;
use crate::thread_steps::{Atomicity, Local, Locals, Move};
use raddle_bp::flow::{Flow, Procedure};
use raddle_bp::interpreter::{Counterexample, Frame, State, Step, Thread, Violation};

/// One step of a run of counted threads.
pub(crate) struct Hop<'a> {
    /// How many threads ran before it.
    pub running: usize,
    /// Where the thread was that took it.
    pub local: Local,
    pub step: &'a Move,
}

/// What a run ends with: a thread in this local state, with the choices in which its assertion fails, or at the error
/// label.
#[derive(Clone, Copy)]
pub(crate) struct End {
    pub local: Local,
    pub fails_with: Option<u64>,
}

/// What the numbers of threads depend on, beside the run.
pub(crate) struct Naming<'a> {
    pub flow: &'a Flow,
    pub locals: &'a Locals<'a>,
    pub error_label: Option<&'a str>,
    pub max_threads: usize,
}

impl Naming<'_> {
    pub(crate) fn counterexample(&self, first: &Counted, hops: &[Hop<'_>], end: End) -> Counterexample {
        let all = first.others.iter().flat_map(|(local, count)| std::iter::repeat_n(*local, *count as usize));
        let mut threads: Vec<Option<Local>> = all.map(Some).collect();
        let initial = self.initial(first.globals, &threads);

        let mut inside: Option<usize> = None;
        let mut steps = Vec::with_capacity(hops.len() + 1);
        for Hop { running, local, step } in hops {
            let thread = who(&threads, inside, *local);
            let choices = self.choices(*local, step.choices);
            steps.push(Step { thread, successor: step.successor, choices });
            threads[thread] = step.after;
            if step.started.is_some() && *running < self.max_threads {
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

        let node = self.locals.node(end.local);
        let violation = match end.fails_with {
            Some(choices) => {
                let thread = who(&threads, inside, end.local);
                let choices = self.choices(end.local, choices);
                steps.push(Step { thread, successor: 0, choices });
                Violation::AssertionFailed { thread, place: node.place }
            }
            None => {
                // The replay names the first thread at the label.
                let label = self.error_label.expect("a label was reached");
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
