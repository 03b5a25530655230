//! What the step of a thread does: to the location, and to the data.
//!
//! Data are shared variables and, for each thread, the slots of its stack; the copies of a slot of all threads are
//! adjacent in the order, for a copied thread equals its parent. A slot that is not live is unconstrained: what a step
//! makes dead is quantified, so that states that differ in nothing that is read are one.

use super::location::{Location, Spot};
use crate::answer::Reason;
use crate::control::{Control, Controls, slots};
use crate::formula_diagrams::diagram;
use crate::variable_order::numbers;
use raddle_bdd::{Bdd, Diagrams, Renaming, Variables};
use raddle_bp::flow::{Flow, Formula, Operation, ThreadEntry, Variable};
use raddle_trace::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

/// A step of a thread, as far as data are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Step {
    pub thread: usize,
    pub before: Control,
    /// None: the thread ends.
    pub after: Option<Control>,
    /// The number of the thread that is started, and where.
    pub started: Option<(usize, Control)>,
}

/// The step of a thread from one location to another, in which that thread is started.
pub(super) fn step(before: &Location, after: &Location, thread: usize, started: Option<usize>) -> Step {
    Step {
        thread,
        before: before.control(thread).expect("a running thread"),
        after: after.control(thread),
        started: started.map(|number| (number, after.control(number).expect("it was started"))),
    }
}

/// What a step does to the location.
pub(super) enum Change {
    /// The call is not made.
    StackFull,
    Moved {
        location: Location,
        /// A thread was not started.
        refused: bool,
        /// A thread was started, and has this number.
        started: Option<usize>,
    },
}

/// Where all threads are after a step to one of the successors.
pub(super) fn target(
    controls: &mut Controls<'_>,
    location: &Location,
    thread: usize,
    successor: usize,
    max_threads: usize,
) -> Change {
    let control = location.control(thread).expect("a running thread");
    let node = controls.node(control);
    let mut after = location.clone();
    if let Some(next) = node.next.get(successor) {
        after.threads[thread] = Some(Spot::At(controls.at(control, *next)));
    }
    let (mut refused, mut started) = (false, None);
    match &node.operation {
        Operation::Skip | Operation::Assume(_) | Operation::Assert(_) | Operation::Assign { .. } => {}
        Operation::Call { procedure, .. } => match controls.call(control, *procedure) {
            Some(entered) => after.threads[thread] = Some(Spot::At(entered)),
            None => return Change::StackFull,
        },
        Operation::Return(_) => match controls.give_back(control) {
            Some(caller) => after.threads[thread] = Some(Spot::At(caller)),
            None => end(&mut after, thread),
        },
        Operation::EndThread => end(&mut after, thread),
        Operation::AtomicBegin => after.atomic = Some(thread),
        Operation::AtomicEnd => after.atomic = None,
        Operation::StartThread(entry) => {
            if location.running() >= max_threads {
                refused = true;
            } else {
                let new = match entry {
                    ThreadEntry::Copy(node) => controls.at(control, *node),
                    ThreadEntry::Call { procedure, .. } => controls.start(*procedure),
                };
                let number = after.threads.iter().position(Option::is_none).unwrap_or(after.threads.len());
                if number == after.threads.len() {
                    after.threads.push(None);
                }
                after.threads[number] = Some(Spot::At(new));
                started = Some(number);
            }
        }
    }
    Change::Moved { location: after, refused, started }
}

fn end(location: &mut Location, thread: usize) {
    location.threads[thread] = None;
    while location.threads.last().is_some_and(Option::is_none) {
        location.threads.pop();
    }
    if location.atomic == Some(thread) {
        location.atomic = None;
    }
}

/// What a step does to the data.
pub(super) struct Effect {
    /// The variables that get a value, at their next copy, by the state now and the choices.
    pub relation: Bdd,
    /// The same without choices.
    chosen: Bdd,
    /// Those of them that are live afterwards.
    pub assigned: Vec<u32>,
    quantified: Variables,
    renaming: Renaming,
}

pub(super) struct Effects {
    pub diagrams: Diagrams,
    globals: u32,
    /// By variable, shared ones first and then slots: the number of its first copy.
    first: Vec<u32>,
    /// The numbers of shared variables.
    shared: FxHashSet<u32>,
    choices: u32,
    all_choices: Variables,
    built: FxHashMap<Step, Effect>,
    assertions: FxHashMap<(usize, Control), Bdd>,
    /// Exchanges of variables, by their pairs.
    sorts: FxHashMap<Vec<(u32, u32)>, Renaming>,
    /// When to stop.
    pub budget: Budget,
}

impl Effects {
    pub(super) fn new(
        flow: &Flow,
        threads: usize,
        max_stack: usize,
        nodes: usize,
        ordered: bool,
        budget: &Budget,
    ) -> Result<Effects, Reason> {
        let (globals, threads) = (flow.globals.len() as u32, threads as u32);
        let choices =
            flow.procedures.iter().flat_map(|p| &p.nodes).map(|node| node.choices).max().unwrap_or(0);
        let slots = slots(flow, max_stack);
        let before = 2 * (globals + threads * slots);
        let diagrams = Diagrams::new(before + choices, nodes)?;
        let all_choices = diagrams.set(before..before + choices)?;
        // A slot above those of the first procedure may be a local of several; the order takes it for the local of its
        // number.
        let first = numbers(flow, slots, ordered, (2, 2 * threads));
        Ok(Effects {
            diagrams,
            globals,
            shared: first[..globals as usize].iter().copied().collect(),
            first,
            choices: before,
            all_choices,
            built: FxHashMap::default(),
            assertions: FxHashMap::default(),
            sorts: FxHashMap::default(),
            budget: budget.clone(),
        })
    }

    /// The number of a shared variable; the copy for the next state follows each number.
    pub(super) fn global(&self, index: u32) -> u32 {
        self.first[index as usize]
    }

    /// The number of a slot of a thread.
    pub(super) fn slot(&self, thread: usize, slot: u32) -> u32 {
        self.first[(self.globals + slot) as usize] + 2 * thread as u32
    }

    pub(super) fn choice(&self, number: u32) -> u32 {
        self.choices + number
    }

    /// A variable of the procedure whose slots begin at `base`.
    fn number(&self, thread: usize, base: u32, variable: Variable) -> u32 {
        match variable {
            Variable::Global(index) => self.global(index),
            Variable::Local(index) => self.slot(thread, base + index),
        }
    }

    /// The variables that mean something at a location.
    pub(super) fn live(&self, controls: &Controls<'_>, location: &Location) -> Vec<u32> {
        let globals = (0..self.globals).map(|index| self.global(index));
        let slots = location.active().flat_map(|(thread, control)| {
            controls.get(control).live.iter().map(move |slot| self.slot(thread, *slot))
        });
        globals.chain(slots).collect()
    }

    /// Without the variables of some threads.
    pub(super) fn forget(
        &self,
        controls: &Controls<'_>,
        location: &Location,
        threads: impl Iterator<Item = usize>,
        states: &Bdd,
    ) -> Result<Bdd, Reason> {
        let slots = threads.filter_map(|thread| Some((thread, location.control(thread)?))).flat_map(
            |(thread, control)| controls.get(control).live.iter().map(move |slot| self.slot(thread, *slot)),
        );
        Ok(states.exists(&self.diagrams.set(slots)?)?)
    }

    /// The states of a location whose threads have been put into another order: for each its number before, or nothing.
    pub(super) fn sort(
        &mut self,
        controls: &Controls<'_>,
        location: &Location,
        order: &[usize],
        states: &Bdd,
    ) -> Result<Bdd, Reason> {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let moved = |thread: usize| order.get(thread).is_some_and(|was| *was != thread);
        for (thread, control) in location.active().filter(|(thread, _)| moved(*thread)) {
            let live = controls.get(control).live.iter();
            pairs.extend(live.map(|slot| (self.slot(order[thread], *slot), self.slot(thread, *slot))));
        }
        if pairs.is_empty() {
            return Ok(states.clone());
        }
        if !self.sorts.contains_key(&pairs) {
            let renaming = self.diagrams.renaming(pairs.iter().copied());
            self.sorts.insert(pairs.clone(), renaming);
        }
        Ok(states.rename(&self.sorts[&pairs])?)
    }

    /// Where a thread can take a step after which it goes on; a failed assertion is none.
    pub(super) fn can_move(
        &self,
        controls: &Controls<'_>,
        thread: usize,
        control: Control,
    ) -> Result<Bdd, Reason> {
        match &controls.node(control).operation {
            Operation::Assume(condition) | Operation::Assert(condition) => {
                let holds = self.formula(thread, controls.get(control).base, condition, &[])?;
                Ok(holds.exists(&self.all_choices)?)
            }
            Operation::Assign { constrain: Some(_), .. } => self.constrained(controls, thread, control),
            _ => Ok(self.diagrams.constant(true)),
        }
    }

    /// Where the constraint of an assignment can hold.
    fn constrained(&self, controls: &Controls<'_>, thread: usize, control: Control) -> Result<Bdd, Reason> {
        let base = controls.get(control).base;
        let Operation::Assign { targets, values, constrain } = &controls.node(control).operation else {
            unreachable!("asked only of assignments")
        };
        let assigned: Vec<u32> = targets.iter().map(|target| self.number(thread, base, *target)).collect();
        let mut relation = self.diagrams.constant(true);
        for (number, value) in assigned.iter().zip(values) {
            let value = self.formula(thread, base, value, &assigned)?;
            relation = relation.and(&self.diagrams.variable(number + 1).equal(&value)?)?;
        }
        if let Some(condition) = constrain {
            relation = relation.and(&self.formula(thread, base, condition, &assigned)?)?;
        }
        let next = self.diagrams.set(assigned.iter().map(|number| number + 1))?;
        Ok(relation.exists(&next)?.exists(&self.all_choices)?)
    }

    /// The states in which the step leads from those given.
    pub(super) fn image(&mut self, controls: &Controls<'_>, step: Step, states: &Bdd) -> Result<Bdd, Reason> {
        if !self.built.contains_key(&step) {
            let effect = self.build(controls, step)?;
            self.built.insert(step, effect);
        }
        let effect = &self.built[&step];
        Ok(states.and_exists(&effect.chosen, &effect.quantified)?.rename(&effect.renaming)?)
    }

    /// Where the assertion of a thread can fail, if it is at one.
    pub(super) fn assertion(
        &mut self,
        controls: &Controls<'_>,
        thread: usize,
        control: Control,
    ) -> Result<Option<Bdd>, Reason> {
        let Operation::Assert(formula) = &controls.node(control).operation else { return Ok(None) };
        if let Some(fails) = self.assertions.get(&(thread, control)) {
            return Ok(Some(fails.clone()));
        }
        let holds = self.formula(thread, controls.get(control).base, formula, &[])?;
        let fails = holds.not()?.exists(&self.all_choices)?;
        self.assertions.insert((thread, control), fails.clone());
        Ok(Some(fails))
    }

    /// A formula of the procedure whose slots begin at `base`; what is in `assigned` has a next value.
    pub(super) fn formula(
        &self,
        thread: usize,
        base: u32,
        formula: &Formula,
        assigned: &[u32],
    ) -> Result<Bdd, Reason> {
        let leaf = |leaf: &Formula| match leaf {
            Formula::Constant(value) => self.diagrams.constant(*value),
            Formula::Now(variable) => self.diagrams.variable(self.number(thread, base, *variable)).clone(),
            Formula::Next(variable) => {
                let number = self.number(thread, base, *variable);
                let next = u32::from(assigned.contains(&number));
                self.diagrams.variable(number + next).clone()
            }
            Formula::Choice(number) => self.diagrams.variable(self.choice(*number)).clone(),
            _ => unreachable!("an operator is not a leaf"),
        };
        diagram(formula, &leaf, &self.budget)
    }

    pub(super) fn build(&self, controls: &Controls<'_>, step: Step) -> Result<Effect, Reason> {
        let Step { thread, before, after, started } = step;
        let stack = controls.get(before);
        let node = controls.node(before);
        let base = stack.base;
        // What is assigned, and the formulas of the active procedure for it.
        let mut pairs: Vec<(u32, &Formula)> = Vec::new();
        let mut copied: Vec<(u32, u32)> = Vec::new();
        let mut condition: Option<&Formula> = None;
        match &node.operation {
            Operation::Skip | Operation::EndThread | Operation::AtomicBegin | Operation::AtomicEnd => {}
            Operation::Assume(formula) | Operation::Assert(formula) => condition = Some(formula),
            Operation::Assign { targets, values, constrain } => {
                pairs.extend(targets.iter().map(|t| self.number(thread, base, *t)).zip(values));
                condition = constrain.as_ref();
            }
            Operation::Call { arguments, .. } => {
                pairs.extend(
                    (stack.end..).zip(arguments).map(|(slot, value)| (self.slot(thread, slot), value)),
                );
            }
            Operation::Return(values) => {
                if let Some((call, caller)) = controls.caller(before) {
                    let Operation::Call { targets, .. } = &call.operation else { unreachable!("a call") };
                    for (target, value) in targets.iter().zip(values) {
                        pairs.extend(target.map(|target| (self.number(thread, caller, target), value)));
                    }
                }
            }
            Operation::StartThread(entry) => match (started, entry) {
                (None, _) => {}
                (Some((new, _)), ThreadEntry::Copy(_)) => {
                    let slots = 0..stack.end;
                    copied.extend(slots.map(|slot| (self.slot(new, slot), self.slot(thread, slot))));
                }
                (Some((new, _)), ThreadEntry::Call { arguments, .. }) => {
                    pairs.extend((0..).zip(arguments).map(|(slot, value)| (self.slot(new, slot), value)));
                }
            },
        }
        let live = |thread: usize, control: Option<Control>| {
            let live = control.map_or(&[][..], |control| &controls.get(control).live);
            live.iter().map(move |slot| self.slot(thread, *slot))
        };
        let live: FxHashSet<u32> =
            live(thread, after).chain(started.into_iter().flat_map(|(n, c)| live(n, Some(c)))).collect();
        // All that is assigned can be spoken of in a constraint; what is dead afterwards is quantified with the rest.
        let assigned: Vec<u32> =
            pairs.iter().map(|(number, _)| *number).chain(copied.iter().map(|c| c.0)).collect();
        let (kept, dead): (Vec<u32>, Vec<u32>) =
            assigned.iter().partition(|number| self.shared.contains(number) || live.contains(number));
        let forgotten =
            (0..stack.end).map(|slot| self.slot(thread, slot)).filter(|number| !live.contains(number));
        let quantified: FxHashSet<u32> =
            kept.iter().copied().chain(forgotten).chain(dead.iter().map(|number| number + 1)).collect();
        let mut relation = match condition {
            Some(formula) => self.formula(thread, base, formula, &assigned)?,
            None => self.diagrams.constant(true),
        };
        for (number, formula) in pairs {
            let value = self.formula(thread, base, formula, &assigned)?;
            relation = relation.and(&self.diagrams.variable(number + 1).equal(&value)?)?;
        }
        for (number, from) in copied {
            relation =
                relation.and(&self.diagrams.variable(number + 1).equal(self.diagrams.variable(from))?)?;
        }
        Ok(Effect {
            chosen: relation.exists(&self.all_choices)?,
            quantified: self.diagrams.set(quantified)?,
            renaming: self.diagrams.renaming(kept.iter().map(|number| (number + 1, *number))),
            relation,
            assigned: kept,
        })
    }
}
