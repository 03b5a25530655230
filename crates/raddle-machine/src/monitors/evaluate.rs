//! Expressions over a state: C code that is run on a copy, without effect on the program.
//!
//! Invariants and the propositions of temporal formulas are functions without parameters. They run as a thread of their
//! own inside a kernel section: no other thread steps, and the sections of others are ignored. What the function
//! reads is recorded, so that an engine can cache the value for as long as those bytes stay the same.
//!
//! An error during the evaluation (a null pointer, a lock, an endless loop) is no fault of the program: the
//! expression has no value in that state, and the caller gets a sentence that says why.

use raddle_ir::{FunctionId, GlobalId, Inst, Width};

use crate::monitors::footprint::{Footprint, Touch};
use crate::semantics::copy_on_write::Shared;
use crate::semantics::expression::{Expression, ExpressionCode};
use crate::semantics::fault::{FaultKind, RunEnd};
use crate::semantics::machine::{Machine, new_thread};
use crate::semantics::object::{Object, ObjectKind};
use crate::semantics::pointer::{self, MAX_THREAD, ObjectId, ObjectName};
use crate::semantics::run::{Exit, Run};
use crate::semantics::state::State;
use crate::semantics::thread::{Status, ThreadIndex};
use raddle_semantics::Value;

/// Functions that `raddle_invariant` can register; the model's table has one place more.
pub const MOST_REGISTERED: u64 = 16;

/// Bytes of the buffer that an abstraction function is given.
pub const BUFFER: u32 = 4096;

/// The value of an expression in a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evaluation {
    pub holds: bool,
    /// Of several functions, the first that returned 0.
    pub refuted_by: Option<FunctionId>,
    /// What was read of the program's memory.
    pub reads: Vec<Touch>,
    /// It depends on addresses.
    pub exposed: bool,
}

/// A state in which an invariant does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenInvariant {
    /// The place in `Settings::invariants`.
    pub index: usize,
    pub refuted_by: Option<FunctionId>,
    pub reads: Vec<Touch>,
}

impl Machine {
    /// The value of an expression in a state; `Err` says why it has none.
    pub fn evaluate(&self, state: &State, expression: &Expression) -> Result<Evaluation, String> {
        let mut result = Evaluation { holds: true, ..Evaluation::default() };
        match expression.code {
            ExpressionCode::Function(function) => result.holds = self.ask(state, function, &mut result)?,
            ExpressionCode::Registered { table } => {
                for function in self.registered(state, table, &mut result)? {
                    if !self.ask(state, function, &mut result)? {
                        result.holds = false;
                        result.refuted_by = Some(function);
                        break;
                    }
                }
            }
        }
        Ok(result)
    }

    /// The invariants of the settings that do not hold in a state; beside them, those without a value, and why.
    pub fn broken_invariants(&self, state: &State) -> (Vec<BrokenInvariant>, Vec<(usize, String)>) {
        let (mut broken, mut troubles) = (Vec::new(), Vec::new());
        if !state.is_observed() {
            return (broken, troubles);
        }
        for (index, expression) in self.settings.invariants.iter().enumerate() {
            match self.evaluate(state, expression) {
                Ok(e) if e.holds => {}
                Ok(e) => broken.push(BrokenInvariant { index, refuted_by: e.refuted_by, reads: e.reads }),
                Err(why) => troubles.push((index, why)),
            }
        }
        (broken, troubles)
    }

    fn registered(
        &self,
        state: &State,
        table: GlobalId,
        result: &mut Evaluation,
    ) -> Result<Vec<FunctionId>, String> {
        let mut memory = state.memory.clone();
        let word = memory.word() as u64;
        let base = ObjectId::global(table.0).base();
        let mut functions = Vec::new();
        for place in 0..=MOST_REGISTERED {
            let loaded = memory.load(base + place * word, Width::Pointer);
            let pointer = loaded.map_err(|_| "the table of registered invariants is damaged")?.bits;
            match pointer::object(pointer).name() {
                _ if pointer == 0 => break,
                ObjectName::Function(index) if self.program.functions.len() > index as usize => {
                    let function = FunctionId(index);
                    if !self.program.function(function).parameters.is_empty() {
                        return Err("`raddle_invariant` was given a function with parameters".into());
                    }
                    functions.push(function);
                }
                _ => return Err("the argument of `raddle_invariant` is not a function".into()),
            }
        }
        let length = (MOST_REGISTERED + 1) * word;
        let order = raddle_ir::MemoryOrder::NotAtomic;
        let touch = Touch {
            pointer: base,
            length: length as u32,
            write: false,
            order,
            internal: true,
            section: false,
        };
        result.reads.push(touch);
        Ok(functions)
    }

    /// What an abstraction function, `void f(void *buffer)`, writes into a buffer of zeros on a copy of the state;
    /// without the zeros at its end. `Err` says why there is nothing.
    pub fn abstraction(&self, state: &State, function: FunctionId) -> Result<Vec<u8>, String> {
        let mut result = Evaluation::default();
        let buffer = self.run_function(state, function, &mut result)?.1;
        let length = buffer.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
        Ok(buffer[..length].to_vec())
    }

    /// Runs a function of an expression on a copy of the state.
    fn ask(&self, state: &State, function: FunctionId, result: &mut Evaluation) -> Result<bool, String> {
        match self.run_function(state, function, result)?.0 {
            Some(value) if value.is_defined() => Ok(value.bits as u32 != 0),
            _ => Err("its value is indeterminate".into()),
        }
    }

    /// Runs a function on a copy of the state: what it returns, and what it leaves in the buffer that it is given.
    fn run_function(
        &self,
        state: &State,
        function: FunctionId,
        result: &mut Evaluation,
    ) -> Result<(Option<Value>, Vec<u8>), String> {
        let code = self.program.function(function);
        if !code.has_body() {
            return Err(format!("`{}` has no body", code.name));
        }
        let mut copy = state.clone();
        copy.atomic = None;
        copy.end = None;
        // A number that no thread has, for the names of its stack objects.
        let number = (1..MAX_THREAD).rev().find(|n| state.thread_numbered(*n).is_none());
        let mut thread = new_thread(number.ok_or("too many threads")?, 0);
        self.push_entry(&mut thread, function);
        let buffer = ObjectId::heap(thread.number, 0);
        if let Some(parameter) = code.parameters.first() {
            copy.memory.add(buffer, Object::new(ObjectKind::Internal, BUFFER, true));
            thread.registers[parameter.index()] = Value::of(buffer.base());
            thread.heap_count = 1;
        }
        let index = ThreadIndex(copy.threads.len() as u32);
        copy.threads.push(Shared::new(thread));
        copy.running += 1;
        copy.section = Some(index);
        let mut listener = Footprint::default();
        let mut run = Run::new(self, &mut copy, index, &mut listener);
        let value = loop {
            let go_on = match run.hot::<false>() {
                Exit::ThreadEnd => {
                    let at = run.here();
                    let inst = &self.program.function(at.function).code[at.pc as usize];
                    let Inst::Return { values } = inst else { break None };
                    break Some(values.first().map(|v| run.get(*v)));
                }
                Exit::Cold => run.cold(),
                exit => run.conclude(exit),
            };
            if !go_on {
                break None;
            }
        };
        let fault = run.faults.iter().rev().find_map(|f| match &f.kind {
            FaultKind::Memory(kind) => Some(*kind),
            _ => None,
        });
        result.exposed |= copy.memory.exposed && !state.memory.exposed;
        for touch in listener.touches {
            let there = state.memory.object(pointer::object(touch.pointer)).is_some();
            let touch = Touch { write: false, ..touch };
            if there && !result.reads.contains(&touch) {
                result.reads.push(touch);
            }
        }
        let thread = copy.thread(index);
        if !thread.thread_locals.is_empty() {
            return Err("it reads a thread-local variable".into());
        }
        match (value, copy.end()) {
            (Some(value), _) => {
                let bytes = copy.memory.object(buffer).map_or(Vec::new(), |o| o.bytes().to_vec());
                Ok((value, bytes))
            }
            (None, Some(RunEnd::Unsupported { reason, .. })) => Err(reason.clone()),
            (None, Some(RunEnd::MemoryFault)) => Err(match fault {
                Some(kind) => format!("it {}", kind.clause()),
                None => "it has a memory fault".to_string(),
            }),
            (None, _) => Err(match thread.status {
                Status::Diverged => "it does not terminate",
                Status::Running if thread.pending.is_some() => "it requests nondeterministic input",
                _ => "it does not return",
            }
            .into()),
        }
    }
}
