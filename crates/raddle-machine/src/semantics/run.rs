//! The inner loop: instructions of one thread, from one visible operation to before the next.
//!
//! `credit` counts the visible operations that this step may still execute: one, many while the thread runs alone, any
//! number inside a kernel section. An instruction that needs more than the thread and memory leaves the loop as
//! [`Exit::Cold`] and is done in `semantics/kernel.rs` or `semantics/transfer.rs`.

use raddle_ir::{Callee, CastOp, FloatKind, Function, Inst, Operand, OperandKind, Register, Width};

use crate::semantics::arithmetic::{self, ArithmeticFault};
use crate::semantics::fault::{CodePoint, Fault, FaultKind, RunEnd};
use crate::semantics::machine::{Machine, block_pointer, crosses, is_pointer};
use crate::semantics::memory::MemoryFault;
use crate::semantics::object::{Object, ObjectKind};
use crate::semantics::pointer::{self, ObjectId, ObjectName};
use crate::semantics::readiness::Blocked;
use crate::semantics::state::State;
use crate::semantics::thread::{ChoiceKind, ChoiceRequest, Frame, Status, Thread, ThreadIndex};
use crate::semantics::undefined_names::{missing_body, missing_object};
use crate::semantics::value::{Value, mask};
use crate::semantics::watch::{AccessEvent, AccessKind, Scene, Watch};

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
const MAX_FRAMES: usize = 20_000;
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
    pub fn tell(&mut self, f: impl FnOnce(&mut W, &Scene)) {
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
            match self.hot::<false>() {
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
                    "a computation of more than {limit} jumps and calls without a visible operation; it may never end"
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
        self.tell(|w, s| w.fault(s, &fault));
        self.faults.push(fault);
    }

    #[inline(never)]
    pub fn hot<const PROBE: bool>(&mut self) -> Exit {
        let machine = self.machine;
        let program = &*machine.program;
        let check_overflow = machine.settings.overflow;
        let mut credit = self.credit;
        let mut budget = self.budget;
        let in_section = self.in_section;
        // The frame that began the section, which may have to be taken back.
        let section_frame = self.rollback.as_ref().map_or(usize::MAX, |rollback| rollback.frames - 1);
        let index = self.index;
        let idle = self.watch.idle();
        let State { threads, memory, .. } = &mut *self.state;
        let thread = threads[index.index()].write();
        let mut arithmetic_faults: Vec<(CodePoint, ArithmeticFault, CodePoint)> = Vec::new();

        let exit = 'frames: loop {
            let depth = thread.frames.len() - 1;
            let frame = &thread.frames[depth];
            let function_id = frame.function;
            let function = &program.functions[function_id.index()];
            let code = &function.code[..];
            let blocks = &function.blocks[..];
            let constants = &machine.ready[function_id.index()].constants[..];
            let crossing = machine.ready[function_id.index()].crossing;
            let mut pc = frame.pc as usize;
            let base = frame.base as usize;
            let mut registers = &mut thread.registers[base..];

            macro_rules! get {
                ($operand:expr) => {
                    match $operand.kind() {
                        OperandKind::Register(r) => registers[r.index()],
                        OperandKind::Constant(c) => constants[c.index()],
                    }
                };
            }
            macro_rules! set {
                ($register:expr, $value:expr) => {{
                    let value = $value;
                    registers[$register.index()] = value;
                }};
            }
            macro_rules! leave {
                ($exit:expr) => {{
                    thread.frames[depth].pc = pc as u32;
                    break 'frames $exit;
                }};
            }
            macro_rules! jump {
                ($block:expr) => {{
                    budget -= 1;
                    if budget == 0 {
                        leave!(Exit::Limit);
                    }
                    pc = blocks[$block.index()].start as usize;
                    continue;
                }};
            }
            // A visible operation: executed only on credit.
            macro_rules! gate {
                ($visible:expr) => {
                    if $visible {
                        if credit == 0 {
                            leave!(Exit::Park);
                        }
                        credit -= 1;
                    }
                };
            }
            // A plain visible access that crosses an eight-byte boundary is more than one operation.
            macro_rules! in_words {
                ($access:expr, $address:expr, $width:expr) => {
                    if $access.visible
                        && $address.bits & 7 != 0
                        && ($address.bits & 7) + $width.bytes(program.data_model) as u64 > 8
                        && !$access.is_atomic()
                        && !in_section
                        && $address.undefined == 0
                    {
                        leave!(Exit::Cold);
                    }
                };
            }
            // A pointer is moved to an integer register, or back: a conversion.
            macro_rules! moved {
                ($value:expr) => {
                    if crossing && !pointer::is_integer($value.bits) && crosses(function, &code[pc]) {
                        memory.exposed = true;
                    }
                };
            }
            // An operand that must be determinate: a fault, or a choice when memory safety is not checked.
            macro_rules! determinate {
                ($operand:expr, $bits:expr) => {{
                    let value = get!($operand);
                    if value.undefined != 0 {
                        if machine.settings.memory_safety {
                            leave!(Exit::Raise(FaultKind::Memory(MemoryFault::Indeterminate), None));
                        }
                        match thread.resolved.take() {
                            Some(answer) => {
                                let value = Value::of(value.bits | answer & value.undefined);
                                // It may be an address.
                                memory.exposed |= !pointer::is_integer(value.bits);
                                if let OperandKind::Register(r) = $operand.kind() {
                                    registers[r.index()] = value;
                                }
                                value
                            }
                            None => {
                                let bits: u8 = $bits;
                                leave!(Exit::Choose(ChoiceRequest {
                                    last: mask(bits),
                                    kind: ChoiceKind::Indeterminate { bits }
                                }))
                            }
                        }
                    } else {
                        value
                    }
                }};
            }
            macro_rules! arithmetic {
                ($destination:expr, $checked:expr) => {{
                    let (value, fault) = $checked;
                    set!($destination, value);
                    if let Some(fault) = fault {
                        if check_overflow {
                            thread.frames[depth].pc = pc as u32;
                            let at = CodePoint { function: function_id, pc: pc as u32 };
                            arithmetic_faults.push((at, fault, user_point(machine, thread)));
                            registers = &mut thread.registers[base..];
                        }
                    }
                    pc += 1;
                }};
            }
            macro_rules! told {
                ($kind:expr, $pointer:expr, $width:expr, $order:expr, $old:expr, $new:expr) => {
                    if W::ACTIVE && idle {
                        self.watch.passed();
                    } else if W::ACTIVE {
                        thread.frames[depth].pc = pc as u32;
                        let event = AccessEvent {
                            kind: $kind,
                            pointer: $pointer,
                            length: $width.bytes(program.data_model),
                            order: $order,
                            in_section,
                            width: Some($width),
                            old: $old,
                            new: $new,
                        };
                        let at = CodePoint { function: function_id, pc: pc as u32 };
                        self.watch.access(
                            &Scene { machine, index, thread: &*thread, memory: &*memory, at },
                            &event,
                        );
                        registers = &mut thread.registers[base..];
                    }
                };
            }

            // A stack object is about to end.
            macro_rules! gone {
                ($object:expr) => {
                    if W::ACTIVE {
                        let at = CodePoint { function: function_id, pc: pc as u32 };
                        let size = memory.object($object).map_or(0, Object::size);
                        let scene = Scene { machine, index, thread: &*thread, memory: &*memory, at };
                        self.watch.gone(&scene, $object.base(), size);
                    }
                };
            }

            loop {
                match &code[pc] {
                    Inst::Copy { destination, source } => {
                        let v = get!(source);
                        moved!(v);
                        set!(destination, v);
                        pc += 1;
                    }
                    Inst::Binary { op, bits, signed_wrap, destination, a, b } => {
                        arithmetic!(destination, arithmetic::binary(*op, *bits, *signed_wrap, get!(a), get!(b)));
                    }
                    Inst::Compare { op, bits, pointers, destination, a, b } => {
                        let (x, y) = (get!(a), get!(b));
                        if *pointers
                            && pointer::object(x.bits) != pointer::object(y.bits)
                            && !matches!(op, raddle_ir::CompareOp::Eq | raddle_ir::CompareOp::Ne)
                        {
                            memory.exposed = true;
                        }
                        set!(destination, arithmetic::compare(*op, *bits, x, y));
                        pc += 1;
                    }
                    Inst::Cast { op, from, to, destination, source } => {
                        let v = get!(source);
                        let m = mask(*to);
                        set!(
                            destination,
                            match op {
                                CastOp::Truncate => Value { bits: v.bits & m, undefined: v.undefined & m },
                                CastOp::ZeroExtend => {
                                    Value { bits: v.bits, undefined: v.undefined & mask(*from) }
                                }
                                CastOp::SignExtend => arithmetic::sign_extend(v, *from, *to),
                                CastOp::PointerToInt => {
                                    let v = memory.integer_from_pointer(v);
                                    Value { bits: v.bits & m, undefined: v.undefined & m }
                                }
                                CastOp::IntToPointer if v.undefined == 0 => memory.pointer_from_integer(v),
                                CastOp::IntToPointer => v,
                            }
                        );
                        pc += 1;
                    }
                    Inst::Select { destination, condition, yes, no } => {
                        let c = get!(condition);
                        let v = if c.undefined & 1 != 0 {
                            let (y, n) = (get!(yes), get!(no));
                            let undefined = y.undefined | n.undefined | (y.bits ^ n.bits);
                            Value { bits: y.bits & !undefined, undefined }
                        } else if c.bits & 1 != 0 {
                            get!(yes)
                        } else {
                            get!(no)
                        };
                        moved!(v);
                        set!(destination, v);
                        pc += 1;
                    }
                    Inst::PointerAdd { bits, destination, base: from, index, scale, offset } => {
                        let (b, i) = (get!(from), get!(index));
                        let v = if (b.undefined | i.undefined) == 0 {
                            let delta = crate::semantics::value::signed(i.bits, *bits)
                                .wrapping_mul(*scale as i64)
                                .wrapping_add(*offset as i64);
                            Value::of(pointer::moved(b.bits, delta))
                        } else {
                            Value::UNDEFINED
                        };
                        set!(destination, v);
                        pc += 1;
                    }
                    Inst::Load { width, access, destination, address } => {
                        let a = get!(address);
                        in_words!(access, a, *width);
                        gate!(access.visible);
                        let a = if a.undefined == 0 { a } else { determinate!(address, 64) };
                        match memory.load(a.bits, *width) {
                            Ok(value) => {
                                if access.visible {
                                    told!(AccessKind::Read, a.bits, *width, access.order, value, value);
                                }
                                set!(destination, value);
                                pc += 1;
                            }
                            Err(fault) => leave!(Exit::Raise(FaultKind::Memory(fault), Some(a.bits))),
                        }
                    }
                    Inst::Store { width, access, address, source } => {
                        if PROBE {
                            leave!(Exit::Effect);
                        }
                        let a = get!(address);
                        in_words!(access, a, *width);
                        gate!(access.visible);
                        let a = if a.undefined == 0 { a } else { determinate!(address, 64) };
                        let new = get!(source);
                        let old = if W::ACTIVE && access.visible && !idle {
                            // Read for the listener only: not a conversion by the program.
                            let exposed = memory.exposed;
                            let old = memory.load(a.bits, *width).unwrap_or_default();
                            memory.exposed = exposed;
                            old
                        } else {
                            Value::default()
                        };
                        match memory.store(a.bits, *width, new) {
                            Ok(()) => {
                                if access.visible {
                                    told!(AccessKind::Write, a.bits, *width, access.order, old, new);
                                }
                                pc += 1;
                            }
                            Err(fault) => leave!(Exit::Raise(FaultKind::Memory(fault), Some(a.bits))),
                        }
                    }
                    Inst::Jump { target } => jump!(target),
                    Inst::Branch { condition, yes, no } => {
                        let c = get!(condition);
                        let c = if c.undefined & 1 == 0 { c } else { determinate!(condition, 1) };
                        if c.bits & 1 != 0 {
                            jump!(yes)
                        } else {
                            jump!(no)
                        }
                    }
                    Inst::Switch(switch) => {
                        let v = determinate!(switch.value, 64);
                        let target = match switch.cases.binary_search_by_key(&v.bits, |(value, _)| *value) {
                            Ok(i) => switch.cases[i].1,
                            Err(_) => switch.default,
                        };
                        jump!(target)
                    }
                    Inst::IndirectJump { address, targets } => {
                        let v = determinate!(address, 64);
                        let target = targets.iter().find(|b| block_pointer(function_id.0, b.0) == v.bits);
                        match target {
                            Some(target) => jump!(target),
                            None => leave!(Exit::Raise(FaultKind::Memory(MemoryFault::Wild), Some(v.bits))),
                        }
                    }
                    Inst::Call(call) => {
                        budget -= 1;
                        if budget == 0 {
                            leave!(Exit::Limit);
                        }
                        let callee = match call.callee {
                            Callee::Direct(f) => f,
                            Callee::Indirect(operand) => {
                                let v = determinate!(operand, 64);
                                match pointer::object(v.bits).name() {
                                    ObjectName::Function(i) if pointer::offset(v.bits) == 0 => raddle_ir::FunctionId(i),
                                    _ => {
                                        let fault = memory.explain(v.bits, 1);
                                        leave!(Exit::Raise(FaultKind::Memory(fault), Some(v.bits)))
                                    }
                                }
                            }
                        };
                        let target = &program.functions[callee.index()];
                        if target.blocks.is_empty() {
                            leave!(Exit::Unsupported(missing_body(program, callee)));
                        }
                        if matches!(call.callee, Callee::Indirect(_))
                            && !function.library
                            && !machine.ready[callee.index()].call_types.fits(program, function, call)
                        {
                            let at = pointer::function_pointer(callee.0);
                            leave!(Exit::Raise(FaultKind::Memory(MemoryFault::FunctionType), Some(at)));
                        }
                        if depth >= MAX_FRAMES {
                            leave!(Exit::Unsupported(format!("more than {MAX_FRAMES} nested calls")));
                        }
                        let fixed = call.arguments.len() - call.variadic.len();
                        let mut variadic = Vec::new();
                        if target.variadic {
                            for (argument, width) in call.arguments[fixed..].iter().zip(&call.variadic) {
                                variadic.push((get!(argument), *width));
                            }
                        }
                        thread.frames[depth].pc = pc as u32 + 1;
                        let new_base = thread.registers.len();
                        let count = machine.ready[callee.index()].registers as usize;
                        thread.registers.resize(new_base + count, Value::UNDEFINED);
                        for (parameter, argument) in target.parameters.iter().zip(&call.arguments) {
                            let value = match argument.kind() {
                                OperandKind::Register(r) => thread.registers[base + r.index()],
                                OperandKind::Constant(c) => constants[c.index()],
                            };
                            if !pointer::is_integer(value.bits) && mismatch(function, argument, target, *parameter) {
                                memory.exposed = true;
                            }
                            thread.registers[new_base + parameter.index()] = value;
                        }
                        machine.settings.coverage.enter(callee);
                        thread.frames.push(Frame {
                            function: callee,
                            pc: 0,
                            base: new_base as u32,
                            objects: Vec::new(),
                            variadic,
                            jump_mark: 0,
                        });
                        continue 'frames;
                    }
                    Inst::Return { values } => {
                        if depth == 0 {
                            leave!(Exit::ThreadEnd);
                        }
                        if depth == section_frame {
                            leave!(Exit::Unsupported(OPEN_SECTION.into()));
                        }
                        // Almost always none or one.
                        let first = values.first().map(|v| get!(v)).unwrap_or_default();
                        let rest: Vec<Value> = values.iter().skip(1).map(|v| get!(v)).collect();
                        if W::ACTIVE && function.library {
                            let caller = &thread.frames[depth - 1];
                            if !program.functions[caller.function.index()].library {
                                let at = CodePoint { function: caller.function, pc: caller.pc - 1 };
                                let value = values.first().map(|_| first);
                                let scene = Scene { machine, index, thread: &*thread, memory: &*memory, at };
                                self.watch.library_return(&scene, function_id, value);
                            }
                        }
                        let gone = thread.frames.pop().expect("depth > 0");
                        if depth == 1 && thread.frames[0].function == program.entry {
                            // The return of main ends the process: its frame stays alive for the other threads.
                            thread.frames[0].objects.extend(gone.objects);
                        } else {
                            for object in gone.objects {
                                gone!(object);
                                memory.remove(object);
                            }
                        }
                        thread.registers.truncate(gone.base as usize);
                        let caller = &thread.frames[depth - 1];
                        let call_pc = caller.pc as usize - 1;
                        let caller_base = caller.base as usize;
                        if let Inst::Call(call) = &program.functions[caller.function.index()].code[call_pc] {
                            for (i, register) in call.results.iter().enumerate() {
                                let value = if i == 0 {
                                    if values.is_empty() { Value::UNDEFINED } else { first }
                                } else {
                                    rest.get(i - 1).copied().unwrap_or(Value::UNDEFINED)
                                };
                                let into = &program.functions[caller.function.index()];
                                if !pointer::is_integer(value.bits)
                                    && values.get(i).is_some_and(|v| mismatch(function, v, into, *register))
                                {
                                    memory.exposed = true;
                                }
                                thread.registers[caller_base + register.index()] = value;
                            }
                        }
                        continue 'frames;
                    }
                    Inst::Alloca { destination, size, .. } => {
                        let size = determinate!(size, 64).bits;
                        if size > pointer::MAX_OBJECT {
                            leave!(Exit::Unsupported(format!("a stack object of {size} bytes")));
                        }
                        if thread.stack_count >= pointer::MAX_COUNT {
                            leave!(Exit::Unsupported("too many stack objects in one run".into()));
                        }
                        let id = ObjectId::stack(thread.number, thread.stack_count);
                        thread.stack_count += 1;
                        let kind = ObjectKind::Stack { function: function_id, pc: pc as u32 };
                        let mut object = Object::new(kind, size as u32, false);
                        let next32 = &mut thread.next32;
                        object.base32 = take_address32(thread.number, next32, size as u32, &mut memory.crowded);
                        memory.add(id, object);
                        thread.frames[depth].objects.push(id);
                        set!(destination, Value::of(id.base()));
                        pc += 1;
                    }
                    Inst::FloatBinary { op, kind, destination, a, b } => {
                        set!(destination, arithmetic::float_binary(*op, *kind, get!(a), get!(b)));
                        pc += 1;
                    }
                    Inst::FloatUnary { op, kind, destination, source } => {
                        set!(destination, arithmetic::float_unary(*op, *kind, get!(source)));
                        pc += 1;
                    }
                    Inst::FloatMultiplyAdd { kind, fused, destination, a, b, c } => {
                        set!(destination, arithmetic::float_multiply_add(*kind, *fused, get!(a), get!(b), get!(c)));
                        pc += 1;
                    }
                    Inst::FloatCompare { op, kind, destination, a, b } => {
                        set!(destination, arithmetic::float_compare(op.0, *kind, get!(a), get!(b)));
                        pc += 1;
                    }
                    Inst::FloatCast { op, kind, bits, destination, source } => {
                        let (value, fault) = arithmetic::float_cast(*op, *kind, *bits, get!(source));
                        match (fault, thread.resolved) {
                            (None, _) => {
                                set!(destination, value);
                                pc += 1;
                            }
                            // Any value; the fault was raised with the request for the choice.
                            (Some(_), Some(answer)) => {
                                thread.resolved = None;
                                set!(destination, Value::of(answer));
                                pc += 1;
                            }
                            (Some(fault), None) => {
                                if check_overflow {
                                    thread.frames[depth].pc = pc as u32;
                                    let at = CodePoint { function: function_id, pc: pc as u32 };
                                    arithmetic_faults.push((at, fault, user_point(machine, thread)));
                                }
                                leave!(Exit::Choose(ChoiceRequest {
                                    last: mask(*bits),
                                    kind: ChoiceKind::Indeterminate { bits: *bits }
                                }));
                            }
                        }
                    }
                    Inst::Overflow { op, bits, destination, overflow, a, b } => {
                        let (x, y) = (get!(a), get!(b));
                        if (x.undefined | y.undefined) == 0 {
                            let (value, flag) = arithmetic::overflow(*op, *bits, x.bits, y.bits);
                            set!(destination, Value::of(value));
                            set!(overflow, Value::of(flag as u64));
                        } else {
                            set!(destination, Value::undefined_bits(*bits));
                            set!(overflow, Value { bits: 0, undefined: 1 });
                        }
                        pc += 1;
                    }
                    Inst::Bits { op, bits, destination, a, b, c } => {
                        let (x, y, z) = (get!(a), get!(b), get!(c));
                        let funnel =
                            matches!(op, raddle_ir::BitOp::FunnelLeft | raddle_ir::BitOp::FunnelRight);
                        let undefined = x.undefined | if funnel { y.undefined | z.undefined } else { 0 };
                        let value = if undefined == 0 || *op == raddle_ir::BitOp::Settle {
                            Value::of(arithmetic::bit_operation(*op, *bits, x.bits, y.bits, z.bits))
                        } else {
                            Value::undefined_bits(*bits)
                        };
                        set!(destination, value);
                        pc += 1;
                    }
                    Inst::Wide(wide) => {
                        if let Some(fault) = crate::semantics::wide::execute(wide, registers)
                            && check_overflow {
                                thread.frames[depth].pc = pc as u32;
                                let at = CodePoint { function: function_id, pc: pc as u32 };
                                arithmetic_faults.push((at, fault, user_point(machine, thread)));
                                registers = &mut thread.registers[base..];
                            }
                        pc += 1;
                    }
                    Inst::Freeze { bits, destination, source } => {
                        let value = get!(source);
                        moved!(value);
                        if value.undefined & mask(*bits) == 0 {
                            set!(destination, Value::of(value.bits));
                        } else {
                            match thread.resolved.take() {
                                Some(answer) => set!(destination, Value::of(value.bits | answer & value.undefined)),
                                // With memory safety checked, the use after the freeze is what counts; the optimiser
                                // freezes what it may not branch on, so the mark must survive.
                                None if machine.settings.memory_safety => set!(destination, value),
                                None => leave!(Exit::Choose(ChoiceRequest {
                                    last: mask(*bits),
                                    kind: ChoiceKind::Indeterminate { bits: *bits }
                                })),
                            }
                        }
                        pc += 1;
                    }
                    Inst::Update { op, width, access, destination, address, source } => {
                        if PROBE {
                            leave!(Exit::Effect);
                        }
                        let a = get!(address);
                        gate!(access.visible);
                        let a = if a.undefined == 0 { a } else { determinate!(address, 64) };
                        let operand = get!(source);
                        let (bits, kind) = width_bits(*width, program.data_model);
                        let result = memory.load(a.bits, *width).and_then(|old| {
                            let new = arithmetic::update(*op, bits, kind, old, operand);
                            memory.store(a.bits, *width, new).map(|()| (old, new))
                        });
                        match result {
                            Ok((old, new)) => {
                                if access.visible {
                                    told!(AccessKind::Update, a.bits, *width, access.order, old, new);
                                }
                                set!(destination, old);
                                pc += 1;
                            }
                            Err(fault) => leave!(Exit::Raise(FaultKind::Memory(fault), Some(a.bits))),
                        }
                    }
                    Inst::CompareExchange {
                        width,
                        access,
                        failure,
                        weak,
                        old: old_register,
                        success,
                        address,
                        expected,
                        new,
                    } => {
                        if PROBE {
                            leave!(Exit::Effect);
                        }
                        // A weak one may fail spuriously: chosen before the operation, so that nothing comes between
                        // the choice's use and the comparison.
                        let may_fail = *weak && !in_section;
                        if may_fail && thread.resolved.is_none() {
                            leave!(Exit::Choose(ChoiceRequest { last: 1, kind: ChoiceKind::SpuriousFailure }));
                        }
                        gate!(access.visible);
                        let fails = may_fail && thread.resolved.take() == Some(1);
                        let a = get!(address);
                        let a = if a.undefined == 0 { a } else { determinate!(address, 64) };
                        let (want, put) = (get!(expected), get!(new));
                        let old = match memory.load(a.bits, *width) {
                            Ok(old) => old,
                            Err(fault) => leave!(Exit::Raise(FaultKind::Memory(fault), Some(a.bits))),
                        };
                        // As C++20 has it, padding does not count: bytes that are indeterminate on either side are
                        // equal. Where no byte is determinate, it is no padding.
                        let unknown = old.undefined | want.undefined;
                        let whole = mask(width_bits(*width, program.data_model).0);
                        let equal = if unknown == 0 || unknown & whole == whole {
                            arithmetic::compare(raddle_ir::CompareOp::Eq, 64, old, want)
                        } else {
                            Value::of(((old.bits ^ want.bits) & !unknown == 0) as u64)
                        };
                        if equal.undefined != 0 {
                            leave!(Exit::Raise(FaultKind::Memory(MemoryFault::Indeterminate), Some(a.bits)));
                        }
                        let swap = equal.bits == 1 && !fails;
                        if swap {
                            if let Err(fault) = memory.store(a.bits, *width, put) {
                                leave!(Exit::Raise(FaultKind::Memory(fault), Some(a.bits)));
                            }
                            if access.visible {
                                told!(AccessKind::Update, a.bits, *width, access.order, old, put);
                            }
                        } else if access.visible {
                            told!(AccessKind::Read, a.bits, *width, *failure, old, old);
                            if W::ACTIVE && !idle {
                                let at = CodePoint { function: function_id, pc: pc as u32 };
                                let scene = Scene { machine, index, thread: &*thread, memory: &*memory, at };
                                self.watch.exchange_failed(&scene);
                                registers = &mut thread.registers[base..];
                            }
                        }
                        set!(old_register, old);
                        set!(success, Value::of(swap as u64));
                        pc += 1;
                    }
                    Inst::ThreadLocal { destination, global, offset } => {
                        match thread.thread_locals.iter().find(|(g, _)| g == global) {
                            Some((_, id)) => {
                                let value = Value::of(id.base().wrapping_add(*offset as u64));
                                set!(destination, value);
                                pc += 1;
                            }
                            None => leave!(Exit::Cold),
                        }
                    }
                    Inst::StackSave { destination } => {
                        set!(destination, Value::of(thread.frames[depth].objects.len() as u64));
                        pc += 1;
                    }
                    Inst::StackRestore { saved } => {
                        let height = get!(saved).bits as usize;
                        while thread.frames[depth].objects.len() > height {
                            let object = thread.frames[depth].objects.pop().expect("longer than height");
                            gone!(object);
                            memory.remove(object);
                        }
                        registers = &mut thread.registers[base..];
                        pc += 1;
                    }
                    Inst::LifetimeStart { address } | Inst::LifetimeEnd { address } => {
                        let ended = matches!(&code[pc], Inst::LifetimeEnd { .. });
                        let id = pointer::object(get!(address).bits);
                        gone!(id);
                        registers = &mut thread.registers[base..];
                        if let Some(object) = memory.edit(id) {
                            object.forget_content();
                            object.dead = ended;
                        }
                        pc += 1;
                    }
                    Inst::Fence { order } => {
                        if W::ACTIVE {
                            thread.frames[depth].pc = pc as u32;
                            let at = CodePoint { function: function_id, pc: pc as u32 };
                            self.watch.fence(&Scene { machine, index, thread: &*thread, memory: &*memory, at }, *order);
                            registers = &mut thread.registers[base..];
                        }
                        pc += 1;
                    }
                    Inst::VaEnd { .. } => pc += 1,
                    Inst::Unsupported { reason } => leave!(Exit::Unsupported(reason.to_string())),
                    Inst::Unreachable => leave!(Exit::Unsupported(
                        "control reached a place that the compiler took to be unreachable (undefined behaviour, or \
                         a function that was declared not to return did return)"
                            .into()
                    )),
                    Inst::Kernel { .. }
                    | Inst::MemoryCopy { .. }
                    | Inst::MemorySet { .. }
                    | Inst::VaStart { .. }
                    | Inst::VaCopy { .. }
                    | Inst::SetJump { .. }
                    | Inst::LongJump { .. } => leave!(Exit::Cold),
                }
            }
        };
        self.credit = credit;
        self.budget = budget;
        for (at, fault, user) in arithmetic_faults {
            let thread = self.index;
            let kind = FaultKind::Arithmetic(fault);
            let fault = Fault { kind, thread, at, user, message: String::new(), pointer: None };
            self.tell(|w, s| w.fault(s, &fault));
            self.faults.push(fault);
        }
        exit
    }
}

/// A value goes from a pointer register of one function to an integer register of another, or back.
fn mismatch(from: &Function, operand: &Operand, to: &Function, register: Register) -> bool {
    operand.as_register().is_some_and(|r| is_pointer(from, r) != is_pointer(to, register))
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
pub(crate) const OPEN_SECTION: &str = "a model left the function in which it began a kernel section";

/// Bits of a memory width, and whether it is a float.
pub(crate) fn width_bits(width: Width, model: raddle_ir::DataModel) -> (u8, Option<FloatKind>) {
    match width {
        Width::Int(bits) => (bits, None),
        Width::Float => (32, Some(FloatKind::Float)),
        Width::Double => (64, Some(FloatKind::Double)),
        Width::Pointer => (model.pointer_bits(), None),
    }
}

/// The next four-byte address of a thread, in a range of its own: 512 MiB for main, 16 MiB for its first children,
/// 640 KiB for others. When the range is used up it begins anew, and `crowded` says so.
#[inline]
pub(crate) fn take_address32(thread: u32, next: &mut u32, size: u32, crowded: &mut bool) -> u32 {
    let (start, room) = match thread {
        1 => (FIRST_ADDRESS, 1 << 29),
        2..32 => (0x3000_0000 + (thread - 2) * (1 << 24), 1 << 24),
        _ => (0x4e00_0000 + (thread - 32) * 0xa_0000, 0xa_0000),
    };
    let take = (size + 16).next_multiple_of(16);
    if *next + take > room {
        *next = 0;
        *crowded = true;
    }
    let address = start + *next;
    *next = (*next + take).min(room);
    address
}

/// ILP32: the first address of main's objects; globals lie below.
pub(crate) const FIRST_ADDRESS: u32 = 0x1000_0000;

pub(crate) const CROWDED: &str = "in ILP32 the addresses of a thread, or of the globals, have run out, and the program \
                                  looks at addresses; try --data-model LP64";
