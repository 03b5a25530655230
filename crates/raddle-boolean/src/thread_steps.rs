//! What one thread can do, given the shared variables and its local state: control and slots, the latter as bits.
//!
//! Slots that are not live are zero, so that local states that differ in nothing that is read have the same number.

use crate::answer::{Reason, look};
use crate::control::{Control, Controls, slots, stack_bound};
use crate::liveness::Liveness;
use raddle_bp::flow::{Flow, Formula, Node, Operation, ThreadEntry, Variable};
use raddle_bp::interpreter::ThreadState;
use raddle_trace::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ops::Range;

/// More values to choose in one step are not tried one by one.
const MAXIMUM_CHOICES: u32 = 20;

/// A local state, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Local(pub(crate) u32);

impl Local {
    /// One of 64 bits, for quick comparisons of sets.
    pub(crate) fn bit(self) -> u64 {
        1 << (self.0 % 64)
    }
}

/// What one thread sees: the shared variables and its local state.
pub(crate) type Pair = (u64, Local);

/// What threads see in states, each given by its shared variables and the local states in it.
pub(crate) fn pairs<L: IntoIterator<Item = Local>>(
    states: impl Iterator<Item = (u64, L)>,
) -> FxHashSet<Pair> {
    states.flat_map(|(globals, locals)| locals.into_iter().map(move |local| (globals, local))).collect()
}

/// All local states that were reached.
pub(crate) struct Locals<'a> {
    controls: Controls<'a>,
    all: Vec<(Control, u64)>,
    numbers: FxHashMap<(Control, u64), Local>,
}

/// What a thread can do in a thread state.
pub(crate) struct ThreadSteps {
    pub moves: Vec<Move>,
    /// Its assertion fails, with these choices.
    pub fails_with: Option<u64>,
    /// It cannot make its call.
    pub stack_full: bool,
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub globals: u64,
    /// None: the thread ends.
    pub after: Option<Local>,
    /// A thread starts there, if there may be one more.
    pub started: Option<Local>,
    pub atomicity: Atomicity,
    pub successor: usize,
    /// The first of the choices that lead there, as bits: those of the node, then the locals of an entered procedure.
    pub choices: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Atomicity {
    Begins,
    Ends,
    /// Inside if it was, outside if it was; the end of a thread ends its section anyway.
    Stays,
}

impl<'a> Locals<'a> {
    /// None yet. `max_stack`: procedures on one stack where there is recursion. `forget_dead`: slots are distinguished
    /// only where they are live.
    ///
    /// # Errors
    ///
    /// If a state has no room in words.
    pub(crate) fn new(flow: &'a Flow, max_stack: usize, forget_dead: bool) -> Result<Locals<'a>, Reason> {
        let max_stack = stack_bound(flow, max_stack);
        if flow.globals.len() > 64 || slots(flow, max_stack) > 64 {
            return Err(Reason::Unsupported("more than 64 shared variables, or 64 local ones on a stack"));
        }
        let liveness = if forget_dead { Liveness::new(flow) } else { Liveness::unknown(flow) };
        let controls = Controls::new(flow, max_stack, liveness);
        Ok(Locals { controls, all: Vec::new(), numbers: FxHashMap::default() })
    }

    /// The local states in which threads can begin in `main`, rising, and the values of shared variables there: all.
    pub(crate) fn initial(&mut self) -> Result<(Vec<Local>, Range<u64>), Reason> {
        let flow = self.controls.flow;
        let (globals, own) = (flow.globals.len(), flow.procedure(flow.main).locals.len());
        if globals > 30 || own > 16 {
            return Err(Reason::Unsupported("too many initial states to enumerate"));
        }
        let start = self.controls.start(flow.main);
        let mut values: Vec<Local> = (0..1u64 << own).map(|slots| self.number(start, slots)).collect();
        values.sort_unstable();
        values.dedup();
        Ok((values, 0..1 << globals))
    }

    pub(crate) fn number(&mut self, control: Control, slots: u64) -> Local {
        let live = self.controls.get(control).live.iter().fold(0, |mask, slot| mask | 1u64 << slot);
        let slots = slots & live;
        let next = Local(self.all.len() as u32);
        let number = *self.numbers.entry((control, slots)).or_insert(next);
        if number == next {
            self.all.push((control, slots));
        }
        number
    }

    pub(crate) fn controls(&self) -> &Controls<'a> {
        &self.controls
    }

    /// Where a thread is.
    pub(crate) fn control(&self, local: Local) -> Control {
        self.all[local.0 as usize].0
    }

    /// How many there are; their numbers are those below.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The step that is next.
    pub(crate) fn node(&self, local: Local) -> &'a Node {
        self.controls.node(self.all[local.0 as usize].0)
    }

    /// The values of the locals of the active procedure.
    pub(crate) fn values(&self, local: Local) -> Vec<bool> {
        let (control, slots) = self.all[local.0 as usize];
        let stack = self.controls.get(control);
        (stack.base..stack.end).map(|slot| bit(slots, slot)).collect()
    }

    /// What threads saw.
    pub(crate) fn thread_states(&self, pairs: &FxHashSet<Pair>) -> BTreeSet<ThreadState> {
        pairs.iter().map(|(globals, local)| self.thread_state(*globals, *local)).collect()
    }

    fn thread_state(&self, globals: u64, local: Local) -> ThreadState {
        let (procedure, node) = self.controls.get(self.all[local.0 as usize].0).top();
        let globals = (0..self.controls.flow.globals.len() as u32).map(|index| bit(globals, index)).collect();
        ThreadState { procedure, node, globals, locals: self.values(local) }
    }

    /// How many values are chosen in the step of a local state: those of the node and those of entered locals.
    pub(crate) fn choice_bits(&self, local: Local) -> u32 {
        let node = self.node(local);
        node.choices + self.entered(node)
    }

    fn entered(&self, node: &Node) -> u32 {
        match &node.operation {
            Operation::Call { procedure, .. }
            | Operation::StartThread(ThreadEntry::Call { procedure, .. }) => {
                let procedure = self.controls.flow.procedure(*procedure);
                (procedure.locals.len() - procedure.parameters) as u32
            }
            _ => 0,
        }
    }

    pub(crate) fn steps(
        &mut self,
        globals: u64,
        local: Local,
        budget: &Budget,
    ) -> Result<ThreadSteps, Reason> {
        let bits = self.choice_bits(local);
        if bits > MAXIMUM_CHOICES {
            return Err(Reason::Unsupported("too many choices in one step to enumerate"));
        }
        let node = self.node(local);
        let mut steps = ThreadSteps { moves: Vec::new(), fails_with: None, stack_full: false };
        let mut seen = FxHashSet::default();
        for successor in 0..node.next.len().max(1) {
            for choices in 0..1u64 << bits {
                // A step with twenty choices takes as long as a million others.
                if choices % 4096 == 0 {
                    look(budget)?;
                }
                match self.step(globals, local, successor, choices) {
                    Outcome::Blocked => {}
                    Outcome::StackFull => steps.stack_full = true,
                    Outcome::Fails => {
                        steps.fails_with.get_or_insert(choices);
                    }
                    Outcome::Moves(step) => {
                        if seen.insert((step.globals, step.after, step.started)) {
                            steps.moves.push(step);
                        }
                    }
                }
            }
        }
        Ok(steps)
    }

    fn step(&mut self, globals: u64, local: Local, successor: usize, choices: u64) -> Outcome {
        let (control, slots) = self.all[local.0 as usize];
        let node = self.controls.node(control);
        let (base, end) = (self.controls.get(control).base, self.controls.get(control).end);
        let data = Data { globals, slots, base };
        let value = |formula: &Formula| data.value(formula, choices, None);
        let fresh = choices >> node.choices;
        // The slots of a procedure that is entered, from the given one on.
        let entered = |first: u32, arguments: &[Formula]| {
            let mut slots = 0;
            for (index, argument) in arguments.iter().enumerate() {
                slots |= u64::from(value(argument)) << (first + index as u32);
            }
            // There may be 64 slots, and none behind them.
            slots | fresh.checked_shl(first + arguments.len() as u32).unwrap_or(0)
        };
        let mut after = data;
        let mut atomicity = Atomicity::Stays;
        let mut started = None;
        let mut next = node.next.get(successor).map(|next| self.controls.at(control, *next));
        match &node.operation {
            Operation::Skip => {}
            Operation::Assume(condition) => {
                if !value(condition) {
                    return Outcome::Blocked;
                }
            }
            Operation::Assert(condition) => {
                if !value(condition) {
                    return Outcome::Fails;
                }
            }
            Operation::Assign { targets, values, constrain } => {
                for (target, formula) in targets.iter().zip(values) {
                    after.set(*target, value(formula));
                }
                if constrain.as_ref().is_some_and(|c| !data.value(c, choices, Some(&after))) {
                    return Outcome::Blocked;
                }
            }
            Operation::Call { procedure, arguments, .. } => {
                next = self.controls.call(control, *procedure);
                if next.is_none() {
                    return Outcome::StackFull;
                }
                after.slots |= entered(end, arguments);
            }
            Operation::Return(values) => {
                // The slots of the procedure are live no more, which clears them.
                next = self.controls.give_back(control);
                if let Some((call, caller)) = self.controls.caller(control) {
                    let Operation::Call { targets, .. } = &call.operation else { unreachable!("a call") };
                    after.base = caller;
                    for (target, formula) in targets.iter().zip(values) {
                        if let Some(target) = target {
                            after.set(*target, value(formula));
                        }
                    }
                }
            }
            Operation::StartThread(ThreadEntry::Copy(node)) => {
                let control = self.controls.at(control, *node);
                started = Some((control, slots));
            }
            Operation::StartThread(ThreadEntry::Call { procedure, arguments }) => {
                started = Some((self.controls.start(*procedure), entered(0, arguments)));
            }
            Operation::EndThread => {}
            Operation::AtomicBegin => atomicity = Atomicity::Begins,
            Operation::AtomicEnd => atomicity = Atomicity::Ends,
        }
        let started = started.map(|(control, slots)| self.number(control, slots));
        let local = next.map(|control| self.number(control, after.slots));
        Outcome::Moves(Move { globals: after.globals, after: local, started, atomicity, successor, choices })
    }
}

enum Outcome {
    Moves(Move),
    Blocked,
    Fails,
    StackFull,
}

/// The data that one thread sees.
#[derive(Clone, Copy)]
struct Data {
    globals: u64,
    slots: u64,
    base: u32,
}

impl Data {
    fn get(&self, variable: Variable) -> bool {
        match variable {
            Variable::Global(index) => bit(self.globals, index),
            Variable::Local(index) => bit(self.slots, self.base + index),
        }
    }

    fn set(&mut self, variable: Variable, value: bool) {
        let (word, position) = match variable {
            Variable::Global(index) => (&mut self.globals, index),
            Variable::Local(index) => (&mut self.slots, self.base + index),
        };
        *word = *word & !(1 << position) | u64::from(value) << position;
    }

    fn value(&self, formula: &Formula, choices: u64, next: Option<&Data>) -> bool {
        formula.evaluate(&|leaf| match leaf {
            Formula::Now(variable) => self.get(*variable),
            Formula::Next(variable) => next.expect("only in constraints").get(*variable),
            Formula::Choice(number) => bit(choices, *number),
            _ => unreachable!("no other leaves"),
        })
    }
}

fn bit(word: u64, position: u32) -> bool {
    word >> position & 1 == 1
}
