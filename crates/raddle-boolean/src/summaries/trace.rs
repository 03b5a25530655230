//! A run to an error, found backwards.
//!
//! From a state at a place, some step led there whose own state was reached earlier, that is, in a ring of a smaller
//! number. Behind a call, a summary was applied: the way leads through a return of the callee, back to its entry, and
//! then on to the call. At the entry of a procedure into which the way did not come from behind, some call made it.
//! Numbers fall, so this ends; but a summary can stand for a run that is exponentially longer than the program, hence the
//! limit.

use super::steps::after_call;
use super::{Error, Rings, Summaries};
use crate::answer::Reason;
use crate::encoding::Moment;
use raddle_bdd::{Bdd, OutOfNodes};
use raddle_bp::flow::{NodeId, Operation, Procedure, ProcedureId, ThreadEntry, Variable};
use raddle_bp::interpreter::{Counterexample, Frame, State, Step, Thread, Violation};
use raddle_trace::Budget;

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
    pub(super) fn counterexample(
        &self,
        error: &Error,
        limit: usize,
        budget: &Budget,
    ) -> Result<Counterexample, Reason> {
        let node = self.flow.node(error.procedure, error.node);
        let (mut spot, mut reversed, violation) = match &node.operation {
            Operation::Assert(formula) if !self.is_error_label(node) => {
                let fails = self.encoding.formula(formula, &|_| Moment::Now)?.not()?;
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
            if let Some(reason) = budget.stop_reason() {
                return Err(Reason::Stopped(reason));
            }
            if self.is_entry(&spot) {
                let (call, mut choices) = match waiting.pop() {
                    Some(call) => call,
                    None if spot.procedure == self.flow.main => break,
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
        self.error_label.as_ref().is_some_and(|label| node.labels.iter().any(|l| l == label))
    }

    /// Whether the state is one in which the procedure is entered.
    fn is_entry(&self, spot: &Spot) -> bool {
        if spot.node != Procedure::ENTRY || !self.remembers_entry(spot.procedure) {
            return spot.node == Procedure::ENTRY;
        }
        spot.globals == spot.entry_globals && spot.locals[..spot.arguments.len()] == spot.arguments
    }

    fn back(&self, spot: &Spot) -> Result<Back, OutOfNodes> {
        let procedure = self.flow.procedure(spot.procedure);
        let before =
            self.made(&self.places[spot.procedure.0 as usize][spot.node.0 as usize].reached, spot)?;
        let entry = self.entry_cube(spot)?;
        // The way through the oldest ring tends to be the shortest.
        let mut best: Option<(u64, NodeId, usize, Vec<bool>)> = None;
        for (index, node) in procedure.nodes.iter().enumerate() {
            let Some(successor) = node.next.iter().position(|next| *next == spot.node) else { continue };
            let id = NodeId(index as u32);
            let condition = self.condition_before(spot, id, before)?.and(&entry)?;
            let oldest = best.as_ref().map_or(before, |(number, ..)| *number);
            for (number, ring) in self.places[spot.procedure.0 as usize][index].reached.before(oldest) {
                if let Some(values) = ring.and(&condition)?.some_valuation() {
                    best = Some((*number, id, successor, values));
                    break;
                }
            }
        }
        let (_, id, successor, values) = best.expect("what was reached was reached from somewhere");
        let from = self.spot(spot.procedure, id, &values);
        let node = procedure.node(id);
        let mut choices = self.choices(&values, node.choices);
        match &node.operation {
            Operation::Call { procedure: callee, .. } => {
                let (exit, exit_choices) = self.exit(*callee, &values, before)?;
                Ok(Back::Call { call: from, call_choices: choices, exit, exit_choices })
            }
            Operation::StartThread(ThreadEntry::Call { procedure: callee, .. }) => {
                // The thread is not started, so nothing depends on what its locals would be.
                let callee = self.flow.procedure(*callee);
                choices.resize(choices.len() + callee.locals.len() - callee.parameters, false);
                Ok(Back::Step { from, step: Step { thread: 0, successor, choices } })
            }
            _ => Ok(Back::Step { from, step: Step { thread: 0, successor, choices } }),
        }
    }

    /// In which states, choices included, the step of a node leads to the spot.
    fn condition_before(&self, spot: &Spot, node: NodeId, before: u64) -> Result<Bdd, OutOfNodes> {
        let encoding = &self.encoding;
        let operation = &self.flow.node(spot.procedure, node).operation;
        let kept = |targets: &[Variable]| {
            let kept: Vec<_> = spot.values().filter(|(variable, _)| !targets.contains(variable)).collect();
            encoding.cube(kept.into_iter().map(|(variable, value)| (variable, Moment::Now, value)))
        };
        match operation {
            Operation::Assume(formula) | Operation::Assert(formula) => {
                encoding.formula(formula, &|_| Moment::Now)?.and(&kept(&[])?)
            }
            Operation::Assign { targets, .. } => {
                let set = targets.iter().map(|target| (*target, Moment::Next, spot.value(*target)));
                encoding.assignment(operation)?.and(&encoding.cube(set)?)?.and(&kept(targets)?)
            }
            Operation::Call { procedure: callee, arguments, targets } => {
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
                let mut summary = encoding.diagrams.constant(false);
                for (_, ring) in self.summaries[callee.0 as usize].before(before) {
                    summary = summary.or(ring)?;
                }
                let summary = summary.rename(&self.steps.to_caller)?;
                let bound = encoding.binding(arguments, Moment::Argument)?;
                encoding.cube(values)?.and(&bound)?.and(&summary)
            }
            _ => kept(&[]),
        }
    }

    /// A return of the callee that hands back what the valuation at its call says, made before a moment.
    fn exit(
        &self,
        callee: ProcedureId,
        values: &[bool],
        before: u64,
    ) -> Result<(Spot, Vec<bool>), OutOfNodes> {
        let encoding = &self.encoding;
        let procedure = self.flow.procedure(callee);
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
            let Operation::Return(results) = &node.operation else { continue };
            let condition = encoding.binding(results, Moment::Result)?.and(&wanted)?;
            let oldest = best.as_ref().map_or(before, |(number, ..)| *number);
            for (number, ring) in self.places[callee.0 as usize][index].reached.before(oldest) {
                if let Some(values) = ring.and(&condition)?.some_valuation() {
                    best = Some((*number, NodeId(index as u32), values));
                    break;
                }
            }
        }
        let (_, node, values) = best.expect("a summary was made by a return");
        let choices = self.choices(&values, procedure.node(node).choices);
        Ok((self.spot(callee, node, &values), choices))
    }

    /// A call that enters the procedure as the spot says, and what is chosen in it.
    fn some_call(&self, spot: &Spot) -> Result<(Spot, Vec<bool>), OutOfNodes> {
        let encoding = &self.encoding;
        let before = self.made(&self.entries[spot.procedure.0 as usize], spot)?;
        let globals = encoding.all_globals().zip(&spot.entry_globals);
        let arguments = encoding.all_locals().zip(&spot.arguments);
        let wanted = encoding.cube(
            globals
                .map(|(variable, value)| (variable, Moment::Now, *value))
                .chain(arguments.map(|(variable, value)| (variable, Moment::Argument, *value))),
        )?;
        let mut best: Option<(u64, ProcedureId, NodeId, Vec<bool>)> = None;
        for (caller, node) in &self.callers[spot.procedure.0 as usize] {
            let Operation::Call { arguments, .. } = &self.flow.node(*caller, *node).operation else {
                unreachable!("a call")
            };
            let condition = encoding.binding(arguments, Moment::Argument)?.and(&wanted)?;
            let oldest = best.as_ref().map_or(before, |(number, ..)| *number);
            for (number, ring) in self.places[caller.0 as usize][node.0 as usize].reached.before(oldest) {
                if let Some(values) = ring.and(&condition)?.some_valuation() {
                    best = Some((*number, *caller, *node, values));
                    break;
                }
            }
        }
        let (_, caller, node, values) = best.expect("a procedure was entered by a call");
        let choices = self.choices(&values, self.flow.node(caller, node).choices);
        Ok((self.spot(caller, node, &values), choices))
    }

    /// The number of the ring in which the spot is.
    fn made(&self, rings: &Rings, spot: &Spot) -> Result<u64, OutOfNodes> {
        let now = spot.values().map(|(variable, value)| (variable, Moment::Now, value));
        let cube = self.encoding.cube(now)?.and(&self.entry_cube(spot)?)?;
        for (number, ring) in &rings.rings {
            if !ring.and(&cube)?.is_false() {
                return Ok(*number);
            }
        }
        unreachable!("only states that were reached are looked for")
    }

    fn entry_cube(&self, spot: &Spot) -> Result<Bdd, OutOfNodes> {
        let globals = self.encoding.all_globals().zip(&spot.entry_globals);
        let arguments = self.encoding.all_locals().zip(&spot.arguments);
        self.encoding
            .cube(globals.chain(arguments).map(|(variable, value)| (variable, Moment::Entry, *value)))
    }

    fn spot(&self, procedure: ProcedureId, node: NodeId, values: &[bool]) -> Spot {
        let of = self.flow.procedure(procedure);
        let read = |variable, moment| values[self.encoding.number(variable, moment) as usize];
        let locals = |count: usize, moment| {
            (0..count as u32).map(|index| read(Variable::Local(index), moment)).collect()
        };
        let globals = |moment| self.encoding.all_globals().map(|variable| read(variable, moment)).collect();
        Spot {
            procedure,
            node,
            entry_globals: globals(Moment::Entry),
            arguments: locals(of.parameters, Moment::Entry),
            globals: globals(Moment::Now),
            locals: locals(of.locals.len(), Moment::Now),
        }
    }

    fn choices(&self, values: &[bool], count: u32) -> Vec<bool> {
        (0..count).map(|number| values[self.encoding.choice(number) as usize]).collect()
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
