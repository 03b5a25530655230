//! A run to an error, found backwards.
//!
//! From a state at a place, some step led there whose own state was reached earlier, that is, in a ring of a smaller
//! number. Behind a call, a summary was applied: the path leads through a return of the callee, back to its entry, and
//! then on to the call. At the entry of a procedure into which the path did not come from behind, some call made it.
//! Numbers fall, so this ends; but a summary can represent a run that is exponentially longer than the program, hence
//! the limit.
//!
//! A long run has as many rings as steps; the ring of a state is found by bisection (`Halves`), not by testing all.

use super::halves::Halves;
use super::steps::after_call;
use super::{Error, Summaries};
use crate::answer::{Reason, look};
use crate::encoding::Moment;
use raddle_bdd::Bdd;
use raddle_bp::flow::{Formula, NodeId, Operation, Procedure, ProcedureId, ThreadEntry, Variable};
use raddle_bp::interpreter::{Counterexample, Frame, State, Step, Thread, Violation};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// One state at one place.
struct Spot {
    procedure: ProcedureId,
    node: NodeId,
    entry_globals: Vec<bool>,
    /// The parameters when the procedure was entered.
    arguments: Vec<bool>,
    globals: Vec<bool>,
    locals: Vec<bool>,
}

/// A step backwards.
enum Back {
    Step {
        from: Spot,
        step: Step,
    },
    /// Over a call: to the return of the callee first, and from its entry to the call.
    Call {
        call: Spot,
        call_choices: Vec<bool>,
        exit: Spot,
        exit_choices: Vec<bool>,
    },
}

impl Summaries<'_> {
    pub(super) fn counterexample(&self, error: &Error, limit: usize) -> Result<Counterexample, Reason> {
        let mut backwards =
            Backwards { of: self, halves: FxHashMap::default(), relations: FxHashMap::default() };
        backwards.run(error, limit)
    }
}

/// The sets that the way back needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Rings {
    Place(ProcedureId, NodeId),
    Entries(ProcedureId),
    Summaries(ProcedureId),
}

/// The search for the way, and what it works out only once.
struct Backwards<'s, 'a> {
    of: &'s Summaries<'a>,
    halves: FxHashMap<Rings, Halves>,
    /// Of conditions: with their choices. Of assignments and calls: what they relate, without.
    relations: FxHashMap<(ProcedureId, NodeId), Bdd>,
}

impl Backwards<'_, '_> {
    fn run(&mut self, error: &Error, limit: usize) -> Result<Counterexample, Reason> {
        let of = self.of;
        let node = of.flow.node(error.procedure, error.node);
        let (mut spot, mut reversed, violation) = match &node.operation {
            Operation::Assert(formula) if !self.is_error_label(node) => {
                let fails = self.of.encoding.formula(formula, &|_| Moment::Now)?.not()?;
                let values = pick(&error.states.and(&fails)?);
                let step = Step { thread: 0, successor: 0, choices: self.choices(&values, node.choices) };
                let violation = Violation::AssertionFailed { thread: 0, place: node.place };
                (self.spot(error.procedure, error.node, &values), vec![step], violation)
            }
            _ => {
                let values = pick(&error.states);
                let violation = Violation::LabelReached { thread: 0, place: node.place };
                (self.spot(error.procedure, error.node, &values), Vec::new(), violation)
            }
        };
        let mut waiting: Vec<(Spot, Vec<bool>)> = Vec::new();
        loop {
            if reversed.len() > limit {
                return Err(Reason::LongCounterexample(limit));
            }
            look(&of.encoding.budget)?;
            if self.is_entry(&spot) {
                let (call, mut choices) = match waiting.pop() {
                    Some(call) => call,
                    None if spot.procedure == self.of.flow.main => break,
                    None => self.some_call(&spot)?,
                };
                choices.extend(&spot.locals[spot.arguments.len()..]);
                reversed.push(Step { thread: 0, successor: 0, choices });
                spot = call;
                continue;
            }
            match self.back(&spot)? {
                Back::Step { from, step } => {
                    reversed.push(step);
                    spot = from;
                }
                Back::Call { call, call_choices, exit, exit_choices } => {
                    reversed.push(Step { thread: 0, successor: 0, choices: exit_choices });
                    waiting.push((call, call_choices));
                    spot = exit;
                }
            }
        }
        reversed.reverse();
        let frame = Frame { procedure: spot.procedure, node: spot.node, locals: spot.locals };
        let threads = vec![Some(Thread { frames: vec![frame] })];
        let initial = State { globals: spot.globals, threads, atomic: None };
        Ok(Counterexample { initial, steps: reversed, violation })
    }

    fn is_error_label(&self, node: &raddle_bp::flow::Node) -> bool {
        self.of.error_label.as_ref().is_some_and(|label| node.labels.iter().any(|l| l == label))
    }

    /// Whether the state is one in which the procedure is entered.
    fn is_entry(&self, spot: &Spot) -> bool {
        if spot.node != Procedure::ENTRY || !self.of.remembers_entry(spot.procedure) {
            return spot.node == Procedure::ENTRY;
        }
        spot.globals == spot.entry_globals && spot.locals[..spot.arguments.len()] == spot.arguments
    }

    fn back(&mut self, spot: &Spot) -> Result<Back, Reason> {
        let of = self.of;
        let procedure = of.flow.procedure(spot.procedure);
        let before = self.made(Rings::Place(spot.procedure, spot.node), spot)?;
        let entry = self.entry_cube(spot)?;
        // The way through the oldest ring tends to be the shortest.
        let mut best: Option<(u64, NodeId, usize, Vec<bool>)> = None;
        for (index, node) in procedure.nodes.iter().enumerate() {
            let Some(successor) = node.next.iter().position(|next| *next == spot.node) else { continue };
            let id = NodeId(index as u32);
            let condition = self.condition_before(spot, id, before)?.and(&entry)?;
            let oldest = best.as_ref().map_or(before, |(number, ..)| *number);
            if let Some((number, values)) =
                self.oldest(Rings::Place(spot.procedure, id), &condition, oldest)?
            {
                best = Some((number, id, successor, values));
            }
        }
        let (_, id, successor, values) = best.expect("what was reached was reached from somewhere");
        let from = self.spot(spot.procedure, id, &values);
        let node = procedure.node(id);
        let mut choices = self.chosen(spot.procedure, id, &values)?;
        match &node.operation {
            Operation::Call { procedure: callee, .. } => {
                let (exit, exit_choices) = self.exit(*callee, &values, before)?;
                Ok(Back::Call { call: from, call_choices: choices, exit, exit_choices })
            }
            Operation::StartThread(ThreadEntry::Call { procedure: callee, .. }) => {
                // The thread is not started, so nothing depends on what its locals would be.
                let callee = self.of.flow.procedure(*callee);
                choices.resize(choices.len() + callee.locals.len() - callee.parameters, false);
                Ok(Back::Step { from, step: Step { thread: 0, successor, choices } })
            }
            _ => Ok(Back::Step { from, step: Step { thread: 0, successor, choices } }),
        }
    }

    /// In which states, choices included, the step of a node leads to the spot.
    fn condition_before(&mut self, spot: &Spot, node: NodeId, before: u64) -> Result<Bdd, Reason> {
        let of = self.of;
        let encoding = &of.encoding;
        let operation = &of.flow.node(spot.procedure, node).operation;
        let relation = self.relation(spot.procedure, node)?;
        let kept = |targets: &[Variable]| {
            let kept: Vec<_> = spot.values().filter(|(variable, _)| !targets.contains(variable)).collect();
            encoding.cube(kept.into_iter().map(|(variable, value)| (variable, Moment::Now, value)))
        };
        match operation {
            Operation::Assume(_) | Operation::Assert(_) => Ok(kept(&[])?.and(&relation)?),
            Operation::Assign { targets, .. } => {
                let set = targets.iter().map(|target| (*target, Moment::Next, spot.value(*target)));
                Ok(encoding.cube(set)?.and(&kept(targets)?)?.and(&relation)?)
            }
            Operation::Call { procedure: callee, targets, .. } => {
                let mut values = Vec::new();
                for (index, target) in targets.iter().enumerate() {
                    if let Some(target) = target {
                        let result = Variable::Local(index as u32);
                        values.push((result, Moment::Result, spot.value(*target)));
                    }
                }
                let assigned: Vec<Variable> = targets.iter().flatten().copied().collect();
                for (variable, value) in spot.values().filter(|(variable, _)| !assigned.contains(variable)) {
                    values.push((variable, after_call(variable), value));
                }
                let nothing = encoding.diagrams.constant(false);
                let summary = self.halves(Rings::Summaries(*callee))?.before(before, nothing)?;
                Ok(encoding.cube(values)?.and(&relation)?.and(&summary.rename(&of.steps.to_caller)?)?)
            }
            _ => Ok(kept(&[])?),
        }
    }

    /// A return of the callee that hands back what the valuation at its call says, made before a moment.
    fn exit(
        &mut self,
        callee: ProcedureId,
        values: &[bool],
        before: u64,
    ) -> Result<(Spot, Vec<bool>), Reason> {
        let of = self.of;
        let encoding = &of.encoding;
        let procedure = of.flow.procedure(callee);
        let read = |variable, moment| values[encoding.number(variable, moment) as usize];
        let mut wanted: Vec<(Variable, Moment, bool)> = Vec::new();
        for global in encoding.all_globals() {
            wanted.push((global, Moment::Entry, read(global, Moment::Now)));
            wanted.push((global, Moment::Now, read(global, Moment::Next)));
        }
        for parameter in (0..procedure.parameters as u32).map(Variable::Local) {
            wanted.push((parameter, Moment::Entry, read(parameter, Moment::Argument)));
        }
        for result in (0..procedure.results as u32).map(Variable::Local) {
            wanted.push((result, Moment::Result, read(result, Moment::Result)));
        }
        let wanted = encoding.cube(wanted)?;
        let mut best: Option<(u64, NodeId, Vec<bool>)> = None;
        for (index, node) in procedure.nodes.iter().enumerate() {
            let Operation::Return(_) = &node.operation else { continue };
            let id = NodeId(index as u32);
            let condition = self.relation(callee, id)?.and(&wanted)?;
            let oldest = best.as_ref().map_or(before, |(number, ..)| *number);
            if let Some((number, values)) = self.oldest(Rings::Place(callee, id), &condition, oldest)? {
                best = Some((number, id, values));
            }
        }
        let (_, node, values) = best.expect("a summary was made by a return");
        let choices = self.chosen(callee, node, &values)?;
        Ok((self.spot(callee, node, &values), choices))
    }

    /// A call that enters the procedure as the spot says, and what is chosen in it.
    fn some_call(&mut self, spot: &Spot) -> Result<(Spot, Vec<bool>), Reason> {
        let of = self.of;
        let encoding = &of.encoding;
        let before = self.made(Rings::Entries(spot.procedure), spot)?;
        let globals = encoding.all_globals().zip(&spot.entry_globals);
        let arguments = encoding.all_locals().zip(&spot.arguments);
        let wanted = encoding.cube(
            globals
                .map(|(variable, value)| (variable, Moment::Now, *value))
                .chain(arguments.map(|(variable, value)| (variable, Moment::Argument, *value))),
        )?;
        let mut best: Option<(u64, ProcedureId, NodeId, Vec<bool>)> = None;
        for (caller, node) in &of.callers[spot.procedure.0 as usize] {
            let condition = self.relation(*caller, *node)?.and(&wanted)?;
            let oldest = best.as_ref().map_or(before, |(number, ..)| *number);
            if let Some((number, values)) = self.oldest(Rings::Place(*caller, *node), &condition, oldest)? {
                best = Some((number, *caller, *node, values));
            }
        }
        let (_, caller, node, values) = best.expect("a procedure was entered by a call");
        let choices = self.chosen(caller, node, &values)?;
        Ok((self.spot(caller, node, &values), choices))
    }

    /// The number of the ring in which the spot is.
    fn made(&mut self, rings: Rings, spot: &Spot) -> Result<u64, Reason> {
        let now = spot.values().map(|(variable, value)| (variable, Moment::Now, value));
        let cube = self.of.encoding.cube(now)?.and(&self.entry_cube(spot)?)?;
        let (number, _) =
            self.oldest(rings, &cube, u64::MAX)?.expect("only states that were reached are looked for");
        Ok(number)
    }

    /// The oldest ring before a moment that meets a condition, with a valuation that does.
    fn oldest(
        &mut self,
        rings: Rings,
        condition: &Bdd,
        before: u64,
    ) -> Result<Option<(u64, Vec<bool>)>, Reason> {
        let found = self.halves(rings)?.oldest(condition)?;
        Ok(found.filter(|(number, _)| *number < before))
    }

    fn halves(&mut self, rings: Rings) -> Result<&Halves, Reason> {
        let of = self.of;
        Ok(match self.halves.entry(rings) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(Halves::new(match rings {
                Rings::Place(procedure, node) => {
                    &of.places[procedure.0 as usize][node.0 as usize].reached.rings
                }
                Rings::Entries(procedure) => &of.entries[procedure.0 as usize].rings,
                Rings::Summaries(procedure) => &of.summaries[procedure.0 as usize].rings,
            })?),
        })
    }

    /// What a step relates, worked out once.
    fn relation(&mut self, procedure: ProcedureId, node: NodeId) -> Result<Bdd, Reason> {
        let of = self.of;
        let encoding = &of.encoding;
        let operation = &of.flow.node(procedure, node).operation;
        Ok(match self.relations.entry((procedure, node)) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(unknown) => unknown
                .insert(match operation {
                    Operation::Call { arguments, .. } => encoding.binding(arguments, Moment::Argument)?,
                    Operation::Return(results) => encoding.binding(results, Moment::Result)?,
                    Operation::Assign { .. } => encoding.assignment(operation)?,
                    Operation::Assume(formula) | Operation::Assert(formula) => {
                        encoding.formula(formula, &|_| Moment::Now)?
                    }
                    _ => encoding.diagrams.constant(true),
                })
                .clone(),
        })
    }

    fn entry_cube(&self, spot: &Spot) -> Result<Bdd, Reason> {
        let globals = self.of.encoding.all_globals().zip(&spot.entry_globals);
        let arguments = self.of.encoding.all_locals().zip(&spot.arguments);
        let values = globals.chain(arguments).map(|(variable, value)| (variable, Moment::Entry, *value));
        Ok(self.of.encoding.cube(values)?)
    }

    fn spot(&self, procedure: ProcedureId, node: NodeId, values: &[bool]) -> Spot {
        let of = self.of.flow.procedure(procedure);
        let read = |variable, moment| values[self.of.encoding.number(variable, moment) as usize];
        let locals = |count: usize, moment| {
            (0..count as u32).map(|index| read(Variable::Local(index), moment)).collect()
        };
        let globals =
            |moment| self.of.encoding.all_globals().map(|variable| read(variable, moment)).collect();
        Spot {
            procedure,
            node,
            entry_globals: globals(Moment::Entry),
            arguments: locals(of.parameters, Moment::Entry),
            globals: globals(Moment::Now),
            locals: locals(of.locals.len(), Moment::Now),
        }
    }

    /// The choices of a step between what a valuation says of the moments before and after it.
    fn chosen(&self, procedure: ProcedureId, node: NodeId, values: &[bool]) -> Result<Vec<bool>, Reason> {
        let encoding = &self.of.encoding;
        let node = self.of.flow.node(procedure, node);
        let local = |index: usize| Variable::Local(index as u32);
        let read = |variable, moment| values[encoding.number(variable, moment) as usize];
        let (formulas, assigned): (Vec<(&Formula, bool)>, &[Variable]) = match &node.operation {
            Operation::Assign { targets, values, constrain } => {
                let wanted =
                    targets.iter().zip(values).map(|(target, value)| (value, read(*target, Moment::Next)));
                (wanted.chain(constrain.iter().map(|condition| (condition, true))).collect(), targets)
            }
            Operation::Call { arguments: formulas, .. } | Operation::Return(formulas) => {
                let is_call = matches!(node.operation, Operation::Call { .. });
                let moment = if is_call { Moment::Argument } else { Moment::Result };
                let formulas = formulas.iter().enumerate();
                (formulas.map(|(index, formula)| (formula, read(local(index), moment))).collect(), &[])
            }
            _ => return Ok(self.choices(values, node.choices)),
        };
        let next = |variable| if assigned.contains(&variable) { Moment::Next } else { Moment::Now };
        let mut choices = vec![false; node.choices as usize];
        for (formula, wanted) in formulas {
            // Each choice occurs in one formula: what is read there is all that matters for it.
            let (mut own, mut around) = (Vec::new(), Vec::new());
            formula.for_each_leaf(&mut |leaf| match leaf {
                Formula::Choice(number) => own.push(*number),
                Formula::Now(variable) => around.push((*variable, Moment::Now)),
                Formula::Next(variable) => around.push((*variable, next(*variable))),
                _ => {}
            });
            if own.is_empty() {
                continue;
            }
            let around =
                around.into_iter().map(|(variable, moment)| (variable, moment, read(variable, moment)));
            let formula = encoding.formula(formula, &next)?;
            let formula = if wanted { formula } else { formula.not()? };
            let found = pick(&formula.and(&encoding.cube(around)?)?);
            for number in own {
                choices[number as usize] = found[encoding.choice(number) as usize];
            }
        }
        Ok(choices)
    }

    fn choices(&self, values: &[bool], count: u32) -> Vec<bool> {
        (0..count).map(|number| values[self.of.encoding.choice(number) as usize]).collect()
    }
}

impl Spot {
    fn value(&self, variable: Variable) -> bool {
        match variable {
            Variable::Global(index) => self.globals[index as usize],
            Variable::Local(index) => self.locals[index as usize],
        }
    }

    /// All variables of the procedure with their values now.
    fn values(&self) -> impl Iterator<Item = (Variable, bool)> + '_ {
        let globals = self.globals.iter().enumerate().map(|(i, v)| (Variable::Global(i as u32), *v));
        globals.chain(self.locals.iter().enumerate().map(|(i, v)| (Variable::Local(i as u32), *v)))
    }
}

fn pick(states: &Bdd) -> Vec<bool> {
    states.some_valuation().expect("not empty")
}
