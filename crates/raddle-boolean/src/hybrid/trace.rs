//! A shortest run to an error, backwards from level to level.
//!
//! A state that was new at a level has a predecessor that was new at the level before. Which locations lead to which was
//! kept; one state of theirs, with the choices of the step, is picked from the relation that the search used.

use super::effects::step;
use super::{Error, Hybrid};
use crate::answer::Reason;
use crate::control::Control;
use raddle_bp::flow::{Operation, ThreadEntry};
use raddle_bp::interpreter::{Counterexample, Frame, State, Step, Thread, Violation};

impl Hybrid<'_> {
    pub(super) fn counterexample(&self, error: &Error) -> Result<Counterexample, Reason> {
        let diagrams = &self.effects.diagrams;
        let location = &self.known[error.location].location;
        let control = location.threads[error.thread].expect("a running thread");
        let node = self.controls.node(control);
        let mut reversed = Vec::new();
        let mut values = match &node.operation {
            Operation::Assert(formula) if error.assertion => {
                let base = self.controls.get(control).base;
                let fails = self.effects.formula(error.thread, base, formula, &[])?.not()?;
                let values = error.states.and(&fails)?.some_valuation().expect("it fails somewhere");
                let choices = self.choices(&values, node.choices);
                reversed.push(Step { thread: error.thread, successor: 0, choices });
                values
            }
            _ => error.states.some_valuation().expect("not empty"),
        };
        let violation = if error.assertion {
            Violation::AssertionFailed { thread: error.thread, place: node.place }
        } else {
            Violation::LabelReached { thread: error.thread, place: node.place }
        };

        let mut number = error.location;
        for level in (0..error.level).rev() {
            // The order of edges must not depend on hashing.
            let mut edges: Vec<_> = self.known[number].edges.iter().copied().collect();
            edges.sort_unstable();
            let live = self.effects.live(&self.controls, &self.known[number].location.threads);
            let mut found = None;
            for (from, thread, successor) in edges {
                let Some((_, ring)) = self.known[from].rings.iter().find(|(l, _)| *l == level) else {
                    continue;
                };
                let before = &self.known[from].location;
                let control = before.threads[thread].expect("a running thread");
                let started = self.started(from, thread, number);
                let step = step(before, &self.known[number].location, thread, started);
                let effect = self.effects.build(&self.controls, step)?;
                let kept = live.iter().filter(|n| !effect.assigned.contains(n));
                let kept = kept.map(|n| (*n, values[*n as usize]));
                let set =
                    effect.assigned.iter().filter(|n| live.contains(n)).map(|n| (n + 1, values[*n as usize]));
                let cube = diagrams.cube(kept.chain(set))?;
                let Some(picked) = ring.and(&cube)?.and(&effect.relation)?.some_valuation() else { continue };
                found = Some((from, thread, successor, control, picked));
                break;
            }
            let (from, thread, successor, control, picked) =
                found.expect("a level is reached from the one before");
            let node = self.controls.node(control);
            let mut choices = self.choices(&picked, node.choices);
            choices.extend(self.entered(control, thread, self.started(from, thread, number), &values));
            reversed.push(Step { thread, successor, choices });
            values = picked;
            number = from;
        }
        reversed.reverse();
        let initial = self.initial(&self.known[number].location.threads, &values);
        Ok(Counterexample { initial, steps: reversed, violation })
    }

    /// The number of the thread that a step from one location to another starts.
    fn started(&self, from: usize, thread: usize, to: usize) -> Option<usize> {
        let (before, after) = (&self.known[from].location.threads, &self.known[to].location.threads);
        let control = before[thread].expect("a running thread");
        if !matches!(self.controls.node(control).operation, Operation::StartThread(_)) {
            return None;
        }
        (0..after.len()).find(|n| after[*n].is_some() && before.get(*n).copied().flatten().is_none())
    }

    /// The first values of the locals, parameters apart, of the procedure that a step enters; they are free, so they are
    /// what they are in the state after it.
    fn entered(&self, control: Control, thread: usize, started: Option<usize>, after: &[bool]) -> Vec<bool> {
        let (procedure, first) = match &self.controls.node(control).operation {
            Operation::Call { procedure, .. } => (procedure, Some((thread, self.controls.get(control).end))),
            Operation::StartThread(ThreadEntry::Call { procedure, .. }) => {
                (procedure, started.map(|new| (new, 0)))
            }
            _ => return Vec::new(),
        };
        let procedure = self.flow.procedure(*procedure);
        let fresh = procedure.parameters as u32..procedure.locals.len() as u32;
        match first {
            Some((thread, base)) => {
                fresh.map(|index| after[self.effects.slot(thread, base + index) as usize]).collect()
            }
            // Not started: nothing depends on them.
            None => fresh.map(|_| false).collect(),
        }
    }

    fn initial(&self, threads: &[Option<Control>], values: &[bool]) -> State {
        let globals =
            (0..self.flow.globals.len() as u32).map(|index| values[self.effects.global(index) as usize]);
        let thread = |(thread, control): (usize, &Option<Control>)| {
            let stack = self.controls.get((*control)?);
            let (procedure, node) = stack.top();
            let locals = (0..stack.end).map(|slot| values[self.effects.slot(thread, slot) as usize]);
            Some(Thread { frames: vec![Frame { procedure, node, locals: locals.collect() }] })
        };
        State {
            globals: globals.collect(),
            threads: threads.iter().enumerate().map(thread).collect(),
            atomic: None,
        }
    }

    fn choices(&self, values: &[bool], count: u32) -> Vec<bool> {
        (0..count).map(|number| values[self.effects.choice(number) as usize]).collect()
    }
}
