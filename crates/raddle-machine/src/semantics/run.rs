//! One step in progress: the inner loop, and what comes of each reason to leave it.
//!
//! `credit` counts the visible operations that this step may still execute: one, many while the thread runs alone, any
//! number inside a kernel section.

use raddle_ir::{Operand, OperandKind, Register};
use raddle_semantics::Value;

use crate::semantics::address32::CROWDED;
use crate::semantics::fault::{CodePoint, Fault, FaultKind, RunEnd};
use crate::semantics::machine::Machine;
use crate::semantics::object::ObjectKind;
use crate::semantics::pointer;
use crate::semantics::readiness::Blocked;
use crate::semantics::state::State;
use crate::semantics::thread::{ChoiceRequest, Status, Thread, ThreadIndex};
use crate::semantics::undefined_names::missing_object;
use crate::semantics::watch::{Scene, Watch};

/// Why the inner loop stopped.
pub(crate) enum Exit {
    /// Before a visible operation that this step may not execute.
    Park,
    /// At an instruction for `cold`.
    Cold,
    Raise(FaultKind, Option<u64>),
    Unsupported(String),
    Choose(ChoiceRequest),
    /// Too many instructions without a visible operation.
    Limit,
    ThreadEnd,
    /// While probing: the section is about to have an effect.
    Effect,
}

/// Frames deeper than this are given up.
pub(crate) const MAX_FRAMES: usize = 20_000;

/// Beyond `MAX_FRAMES`.
pub(crate) fn too_many_frames() -> Exit {
    Exit::Unsupported(format!(
        "more than {MAX_FRAMES} nested calls; the recursion may not terminate: check whether it can end"
    ))
}
/// Visible operations in one step of a thread that runs alone.
const ALONE_CREDIT: u32 = 1 << 16;

/// Jumps and calls of one local computation before it is suspected of never ending.
pub(crate) const FIRST_STRETCH: u64 = 200_000;

/// What a section needs to be taken back.
pub(crate) struct Rollback {
    pub frames: usize,
    pub pc: u32,
    pub registers: Vec<Value>,
    pub stack_count: u32,
    pub next32: u32,
}

/// One step in progress.
pub(crate) struct Run<'a, W: Watch> {
    pub machine: &'a Machine,
    pub state: &'a mut State,
    pub index: ThreadIndex,
    pub watch: &'a mut W,
    pub faults: Vec<Fault>,
    pub credit: u32,
    /// The credit to come back to after the section.
    pub outer_credit: u32,
    pub in_section: bool,
    pub rollback: Option<Rollback>,
    /// The credit that the step began with.
    pub first_credit: u32,
    /// Visible operations of this step before the section: then a wait in it belongs to the next step.
    pub earlier: bool,
    /// Jumps and calls before the loop is left to check for endless repetition.
    pub budget: u64,
    /// How many more there may be.
    pub budget_left: u64,
    /// The credit when the budget was given: with less credit, there was a visible operation since.
    pub budget_credit: u32,
    pub spawned: Vec<ThreadIndex>,
    /// The credit after the last yield: with less, it was not the last operation.
    pub yield_credit: Option<u32>,
    /// The step turned out to be disabled.
    pub blocked: Option<Blocked>,
    pub escaped: bool,
}

impl<'a, W: Watch> Run<'a, W> {
    pub fn new(machine: &'a Machine, state: &'a mut State, index: ThreadIndex, watch: &'a mut W) -> Self {
        let alone = state.running == 1 && machine.settings.fuse_alone;
        let in_section = state.section == Some(index);
        let credit = if alone { ALONE_CREDIT } else { 1 };
        Run {
            machine,
            index,
            watch,
            faults: Vec::new(),
            credit: if in_section { u32::MAX } else { credit },
            outer_credit: if in_section { 0 } else { credit },
            in_section,
            rollback: None,
            first_credit: credit,
            earlier: false,
            budget: FIRST_STRETCH.min(machine.settings.local_limit).max(1),
            budget_left: machine.settings.local_limit.saturating_sub(FIRST_STRETCH),
            budget_credit: u32::MAX,
            spawned: Vec::new(),
            yield_credit: None,
            blocked: None,
            escaped: false,
            state,
        }
    }

    /// What is left for operations outside the section, if it is in one.
    pub fn credit_outside(&self) -> u32 {
        if self.in_section { self.outer_credit } else { self.credit }
    }

    pub fn thread(&mut self) -> &mut Thread {
        self.state.threads[self.index.index()].write()
    }
    pub fn thread_ref(&self) -> &Thread {
        &self.state.threads[self.index.index()]
    }
    pub fn here(&self) -> CodePoint {
        let frame = self.thread_ref().frame();
        CodePoint { function: frame.function, pc: frame.pc }
    }
    pub fn get(&self, operand: Operand) -> Value {
        let thread = self.thread_ref();
        let frame = thread.frame();
        match operand.kind() {
            OperandKind::Register(r) => thread.registers[frame.base as usize + r.index()],
            OperandKind::Constant(c) => self.machine.ready[frame.function.index()].constants[c.index()],
        }
    }
    pub fn set(&mut self, register: Register, value: Value) {
        let thread = self.thread();
        let base = thread.frame().base as usize;
        thread.registers[base + register.index()] = value;
    }
    pub fn advance(&mut self) {
        self.thread().frames.last_mut().expect("running").pc += 1;
    }
    /// Reports an event to the listener, with its scene.
    #[inline]
    pub fn notify(&mut self, f: impl FnOnce(&mut W, &Scene)) {
        if W::ACTIVE {
            let at = self.here();
            let scene = Scene {
                machine: self.machine,
                index: self.index,
                thread: &self.state.threads[self.index.index()],
                memory: &self.state.memory,
                at,
            };
            f(self.watch, &scene);
        }
    }

    /// Runs until the step is over.
    pub fn go(&mut self) {
        loop {
            match self.inner() {
                Exit::Park => return,
                Exit::Cold => {
                    if !self.cold() {
                        return;
                    }
                }
                Exit::Effect => unreachable!("only while probing"),
                exit => {
                    if !self.conclude(exit) {
                        return;
                    }
                }
            }
        }
    }

    #[cfg(not(test))]
    fn inner(&mut self) -> Exit {
        self.hot::<false>()
    }

    #[cfg(test)]
    fn inner(&mut self) -> Exit {
        if self.machine.slow { self.slow() } else { self.hot::<false>() }
    }

    /// Handles an exit from the loop. True: continue.
    pub fn conclude(&mut self, exit: Exit) -> bool {
        match exit {
            Exit::Raise(_, Some(pointer)) if self.undefined_object(pointer).is_some() => {
                let id = self.undefined_object(pointer).expect("just found");
                self.unsupported(missing_object(&self.machine.program, id));
                false
            }
            Exit::Raise(kind, pointer) => {
                self.raise(kind, String::new(), pointer);
                self.state.end = Some(RunEnd::MemoryFault);
                false
            }
            Exit::Unsupported(reason) => {
                self.unsupported(reason);
                false
            }
            Exit::Choose(request) => {
                self.thread().pending = Some(request);
                if self.in_section {
                    self.state.section = Some(self.index);
                }
                false
            }
            Exit::Limit => {
                // A section is one operation: what it touches on its way does not give it more time. And what it
                // repeats is not its local state alone, so it cannot be known to loop.
                if !self.in_section && self.credit != self.budget_credit {
                    self.fresh_budget();
                    return true;
                }
                if self.in_section {
                    self.budget = self.budget_left.clamp(1, FIRST_STRETCH);
                    self.budget_left = self.budget_left.saturating_sub(FIRST_STRETCH);
                } else if self.repeats() {
                    self.thread().status = Status::Diverged;
                    self.state.running -= 1;
                    return false;
                }
                if self.budget_left > 0 {
                    return true;
                }
                let limit = self.machine.settings.local_limit;
                self.unsupported(format!(
                    "local computation exceeds {limit} jumps; it may not terminate: check whether its loop can end"
                ));
                false
            }
            Exit::ThreadEnd => {
                self.thread_end();
                false
            }
            Exit::Park | Exit::Cold | Exit::Effect => true,
        }
    }

    pub fn unsupported(&mut self, reason: String) {
        let at = self.here();
        let user = user_point(self.machine, self.thread_ref());
        self.state.end = Some(RunEnd::Unsupported { reason, at, user });
    }

    /// Two objects may have the same four-byte address.
    #[cold]
    pub fn crowded(&mut self) {
        if self.state.end.is_none() && self.thread_ref().is_running() {
            self.unsupported(CROWDED.into());
        }
    }

    /// The object without a definition that a refused access was made to; such objects have no bytes.
    fn undefined_object(&self, pointer: u64) -> Option<raddle_ir::GlobalId> {
        match self.state.memory.object(pointer::object(pointer))?.kind {
            ObjectKind::Global(id) if self.machine.program.global(id).external => Some(id),
            _ => None,
        }
    }

    /// Records a fault of the program at the current instruction.
    pub fn raise(&mut self, kind: FaultKind, message: String, pointer: Option<u64>) {
        let at = self.here();
        let user = user_point(self.machine, self.thread_ref());
        let fault = Fault { kind, thread: self.index, at, user, message, pointer };
        self.notify(|w, s| w.fault(s, &fault));
        self.faults.push(fault);
    }
}

/// Where the user's code was: the innermost frame outside the library. A frame that called has its call there.
pub fn user_point(machine: &Machine, thread: &Thread) -> CodePoint {
    let last = thread.frames.len().saturating_sub(1);
    for (i, frame) in thread.frames.iter().enumerate().rev() {
        if !machine.program.function(frame.function).library {
            let pc = if i == last { frame.pc } else { frame.pc.saturating_sub(1) };
            return CodePoint { function: frame.function, pc };
        }
    }
    let frame = thread.frames.first();
    CodePoint {
        function: frame.map_or(machine.program.entry, |f| f.function),
        pc: frame.map_or(0, |f| f.pc.saturating_sub(1)),
    }
}

/// A model that is wrong: what it did in the section could not be taken back.
pub(crate) const OPEN_SECTION: &str = "model error: return with an open kernel section";
