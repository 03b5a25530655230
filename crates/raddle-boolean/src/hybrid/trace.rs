//! A run to an error, backwards from level to level; without reductions, a shortest one.
//!
//! A state that was new at a level has a predecessor that was new at the level before. Which locations lead to which
//! was kept; one state of theirs, with the choices of the step, is picked from the relation that the search used.
//! Threads that were put in order get their numbers back at the end, forwards.

use super::effects::step;
use super::location::Location;
use super::{Edge, Error, Hybrid};
use crate::answer::{Reason, look};
use crate::control::Control;
use raddle_bp::flow::{Operation, ThreadEntry};
use raddle_bp::interpreter::{Counterexample, Frame, State, Step, Thread, Violation};

/// A step of the run, by the place of its thread among those that were put in order.
struct Hop {
    place: usize,
    successor: usize,
    choices: Vec<bool>,
    /// The place of the thread that it starts.
    started: Option<usize>,
    /// The step ends its thread.
    ended: bool,
}

/// A step, if one was taken, and the values of all variables before it.
type Back = (Option<Hop>, Vec<bool>);

impl Hybrid<'_> {
    pub(super) fn counterexample(&self, error: &Error) -> Result<Counterexample, Reason> {
        let location = &self.known[error.location].location;
        let control = location.control(error.thread).expect("a running thread");
        let node = self.controls.node(control);
        let mut last = None;
        let mut values = match &node.operation {
            Operation::Assert(formula) if error.assertion => {
                let base = self.controls.get(control).base;
                let fails = self.effects.formula(error.thread, base, formula, &[])?.not()?;
                let values = error.states.and(&fails)?.some_valuation().expect("it fails somewhere");
                last = Some(self.choices(&values, node.choices));
                values
            }
            _ => error.states.some_valuation().expect("not empty"),
        };

        // Steps, if any, and how threads were put in order after each.
        let mut reversed: Vec<(Option<Hop>, Vec<usize>)> = Vec::new();
        let mut number = error.location;
        for level in (0..error.level).rev() {
            // The order of edges must not depend on hashing.
            let mut edges: Vec<&Edge> = self.known[number].edges.iter().collect();
            edges.sort_unstable();
            let mut found = None;
            for edge in edges {
                look(&self.effects.budget)?;
                if let Some((hop, before)) = self.back(number, edge, level, &values)? {
                    found = Some((edge, hop, before));
                    break;
                }
            }
            let (edge, hop, before) = found.expect("a level is reached from the one before");
            reversed.push((hop, self.order(number, edge)));
            values = before;
            number = edge.from;
        }
        let first = &self.known[number].location;
        let initial = self.initial(first, &values);

        let mut names: Vec<usize> = (0..first.threads.len()).collect();
        let mut steps = Vec::new();
        for (hop, order) in reversed.into_iter().rev() {
            // By places before the order: a thread that has ended has no name.
            let mut raw: Vec<Option<usize>> = names.iter().copied().map(Some).collect();
            if let Some(Hop { place, successor, choices, started, ended }) = hop {
                steps.push(Step { thread: raw[place].expect("it runs"), successor, choices });
                if let Some(new) = started {
                    let free = (0..).find(|name| !raw.contains(&Some(*name))).expect("there are enough");
                    raw.resize(raw.len().max(new + 1), None);
                    raw[new] = Some(free);
                }
                if ended {
                    raw[place] = None;
                }
            }
            // A place without a thread keeps a name that is never read.
            names =
                order.iter().map(|place| raw.get(*place).copied().flatten().unwrap_or(usize::MAX)).collect();
        }
        let violation = if let Some(choices) = last {
            let thread = names[error.thread];
            steps.push(Step { thread, successor: 0, choices });
            Violation::AssertionFailed { thread, place: node.place }
        } else {
            // The replay names the first thread at the label.
            let label = self.error_label.as_ref().expect("a label was reached");
            let at = |control: &Control| self.controls.node(*control).labels.iter().any(|l| l == label);
            let here = location.active().filter(|(_, control)| at(control));
            let first = here.map(|(thread, control)| (names[thread], control)).min();
            let (thread, control) = first.expect("a thread is at the label");
            Violation::LabelReached { thread, place: self.controls.node(control).place }
        };
        Ok(Counterexample { initial, steps, violation })
    }

    /// A state that was new at a level of another location and from which an edge leads to the given one, with the
    /// step.
    fn back(
        &self,
        number: usize,
        edge: &Edge,
        level: usize,
        values: &[bool],
    ) -> Result<Option<Back>, Reason> {
        let Some((_, ring)) = self.known[edge.from].rings.iter().find(|(l, _)| *l == level) else {
            return Ok(None);
        };
        let before = &self.known[edge.from].location;
        // As it was before threads were put in order.
        let sorted = &self.known[number].location;
        let order = self.order(number, edge);
        let places = order.iter().max().map_or(0, |most| most + 1);
        let mut after = Location { threads: vec![None; places], atomic: None, alone: None };
        let mut unsorted = values.to_vec();
        for (place, was) in order.iter().enumerate() {
            after.threads[*was] = sorted.threads[place];
            for slot in sorted.control(place).map_or(&[][..], |control| &self.controls.get(control).live) {
                let from = self.effects.slot(place, *slot) as usize;
                unsorted[self.effects.slot(*was, *slot) as usize] = values[from];
            }
        }
        let live = self.effects.live(&self.controls, &after);
        let diagrams = &self.effects.diagrams;
        let Some((thread, successor)) = edge.step else {
            let cube = diagrams.cube(live.iter().map(|n| (*n, unsorted[*n as usize])))?;
            return Ok(ring.and(&cube)?.some_valuation().map(|picked| (None, picked)));
        };
        let control = before.control(thread).expect("a running thread");
        let started = self.started(before, thread, &after);
        let step = step(before, &after, thread, started);
        let effect = self.effects.build(&self.controls, step)?;
        let kept = live.iter().filter(|n| !effect.assigned.contains(n));
        let kept = kept.map(|n| (*n, unsorted[*n as usize]));
        let set = effect.assigned.iter().filter(|n| live.contains(n)).map(|n| (n + 1, unsorted[*n as usize]));
        let cube = diagrams.cube(kept.chain(set))?;
        let Some(picked) = ring.and(&cube)?.and(&effect.relation)?.some_valuation() else {
            return Ok(None);
        };
        let mut choices = self.choices(&picked, self.controls.node(control).choices);
        choices.extend(self.entered(control, thread, started, &unsorted));
        let ended = after.threads.get(thread).copied().flatten().is_none();
        Ok(Some((Some(Hop { place: thread, successor, choices, started, ended }), picked)))
    }

    /// For each thread of a location, its number before threads were put in order.
    fn order(&self, number: usize, edge: &Edge) -> Vec<usize> {
        match edge.order.as_slice() {
            [] => (0..self.known[number].location.threads.len()).collect(),
            order => order.to_vec(),
        }
    }

    /// The number of the thread that a step from one location to another starts.
    fn started(&self, before: &Location, thread: usize, after: &Location) -> Option<usize> {
        let control = before.control(thread).expect("a running thread");
        if !matches!(self.controls.node(control).operation, Operation::StartThread(_)) {
            return None;
        }
        let was = |n: usize| before.threads.get(n).copied().flatten().is_some();
        (0..after.threads.len()).find(|n| after.threads[*n].is_some() && !was(*n))
    }

    /// The first values of the locals, parameters apart, of the procedure that a step enters; they are free, so they
    /// are what they are in the state after it.
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

    fn initial(&self, location: &Location, values: &[bool]) -> State {
        let globals =
            (0..self.flow.globals.len() as u32).map(|index| values[self.effects.global(index) as usize]);
        let threads = location.active().map(|(thread, control)| {
            let stack = self.controls.get(control);
            let (procedure, node) = stack.top();
            let locals = (0..stack.end).map(|slot| values[self.effects.slot(thread, slot) as usize]);
            Some(Thread { frames: vec![Frame { procedure, node, locals: locals.collect() }] })
        });
        State { globals: globals.collect(), threads: threads.collect(), atomic: None }
    }

    fn choices(&self, values: &[bool], count: u32) -> Vec<bool> {
        (0..count).map(|number| values[self.effects.choice(number) as usize]).collect()
    }
}
