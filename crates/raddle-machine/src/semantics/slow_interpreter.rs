//! For tests only: the instructions of the inner loop once more, from their descriptions in `raddle-semantics` alone.
//! Scalars go through `evaluate`, everything else through a plain `match` on the list of effects. The test below runs it
//! beside the inner loop, step by step, and compares states, faults and events.
//!
//! Shared with the inner loop: memory and its door, kernel operations, and accesses that take several steps.

mod differential;

use raddle_ir::{CastOp, CompareOp, Inst, Operand, OperandKind, Register};
use raddle_semantics::{
    self as scalar, ArithmeticFault, Check, Choice, Concrete, Effect, Extent, MemoryAccess, MemoryUse, Value,
    Written, effects, mask,
};

use crate::semantics::address32::take_address32;
use crate::semantics::fault::{CodePoint, Fault, FaultKind};
use crate::semantics::inner_loop::{UNREACHABLE, width_bits};
use crate::semantics::machine::{block_pointer, crosses, is_pointer};
use crate::semantics::memory::MemoryFault;
use crate::semantics::memory_access::{MemoryPort, Report};
use crate::semantics::object::{Object, ObjectKind};
use crate::semantics::pointer::{self, ObjectId, ObjectName};
use crate::semantics::run::{Exit, MAX_FRAMES, OPEN_SECTION, Run, too_many_frames, user_point};
use crate::semantics::thread::{ChoiceKind, ChoiceRequest, Frame};
use crate::semantics::undefined_names::missing_body;
use crate::semantics::watch::{AccessKind, Scene, Watch};

/// What one instruction keeps between its effects.
#[derive(Default)]
struct Progress {
    /// Operands whose indeterminate bits were chosen.
    chosen: Vec<(Operand, Value)>,
    /// A fault of the scalar, which waits for a choice of its result.
    out_of_range: Option<ArithmeticFault>,
    may_fail: bool,
    fails: bool,
    /// Control went elsewhere.
    moved: bool,
}

type Faults = Vec<(CodePoint, ArithmeticFault, CodePoint)>;

impl<W: Watch> Run<'_, W> {
    /// As `hot`, without probing.
    pub(crate) fn slow(&mut self) -> Exit {
        let mut faults = Faults::new();
        let exit = loop {
            if let Err(exit) = self.slow_instruction(&mut faults) {
                break exit;
            }
        };
        // The inner loop reports them when it is left.
        for (at, fault, user) in faults {
            let (thread, kind) = (self.index, FaultKind::Arithmetic(fault));
            let fault = Fault { kind, thread, at, user, message: String::new(), pointer: None };
            self.notify(|w, s| w.fault(s, &fault));
            self.faults.push(fault);
        }
        exit
    }

    fn slow_instruction(&mut self, faults: &mut Faults) -> Result<(), Exit> {
        let point = self.here();
        let program = self.machine.program.clone();
        let inst = &program.function(point.function).code[point.pc as usize];
        let effects = effects(inst);
        if effects.iter().any(|effect| self.is_cold(effect)) {
            return Err(Exit::Cold);
        }
        let mut progress = Progress::default();
        for effect in &effects {
            self.slow_effect(inst, effect, &mut progress, faults)?;
        }
        if !progress.moved {
            self.advance();
        }
        Ok(())
    }

    /// What is not done in the inner loop.
    fn is_cold(&self, effect: &Effect) -> bool {
        match effect {
            Effect::Kernel { .. } | Effect::LongJump { .. } => true,
            Effect::ThreadLocal { global, .. } => {
                !self.thread_ref().thread_locals.iter().any(|(known, _)| known == global)
            }
            Effect::Check(check) => match check {
                Check::Determinate { or_chosen, .. } => !or_chosen,
                Check::Disjoint { .. } => true,
            },
            Effect::Access(access) => match access.extent {
                // Plain and visible, across a boundary of eight bytes: several steps.
                Extent::Width(width) => {
                    let address = self.get(access.address);
                    let length = width.bytes(self.machine.program.data_model) as u64;
                    access.visible
                        && (address.bits & 7) + length > 8
                        && access.order == raddle_ir::MemoryOrder::NotAtomic
                        && !self.in_section
                        && address.is_defined()
                }
                _ => true,
            },
            _ => false,
        }
    }

    fn operand(&self, progress: &Progress, operand: Operand) -> Value {
        let chosen = progress.chosen.iter().find(|(known, _)| *known == operand);
        chosen.map_or_else(|| self.get(operand), |(_, value)| *value)
    }

    fn slow_effect(
        &mut self,
        inst: &Inst,
        effect: &Effect,
        progress: &mut Progress,
        faults: &mut Faults,
    ) -> Result<(), Exit> {
        let point = self.here();
        let machine = self.machine;
        let function = machine.program.function(point.function);
        match effect {
            Effect::Scalar => {
                let found = scalar::evaluate(&Concrete, inst, |o| self.get(o)).expect("scalar");
                let fault = found.faults;
                if matches!(inst, Inst::FloatCast { .. }) && fault.is_some() {
                    progress.out_of_range = fault;
                    return Ok(());
                }
                for (register, value) in found.results {
                    self.note_crossing(function, inst, value);
                    self.set(register, value);
                }
                if let Some(fault) = fault {
                    self.note_fault(fault, faults);
                }
            }
            Effect::Pointer => {
                let (register, value) = self.pointer_result(inst);
                self.set(register, value);
            }
            Effect::SchedulingPoint => {
                if !self.take_credit() {
                    return Err(Exit::Park);
                }
            }
            Effect::Check(Check::Determinate { operand, bits, .. }) => {
                progress.fails |= progress.may_fail && self.thread().resolved.take() == Some(1);
                progress.may_fail = false;
                self.slow_determinate(*operand, *bits, progress)?;
            }
            Effect::Choose(choice) => self.slow_choice(function, inst, *choice, progress, faults)?,
            Effect::Access(access) => self.slow_access(access, progress)?,
            Effect::Fence(order) => {
                if W::ACTIVE {
                    let mut port = MemoryPort { watch: &mut *self.watch, idle: false, in_section: false };
                    let thread = &self.state.threads[self.index.index()];
                    let (index, memory) = (self.index, &self.state.memory);
                    port.fence(&Scene { machine, index, thread, memory, at: point }, *order);
                }
            }
            Effect::Allocate { size, into } => {
                let size = self.operand(progress, *size).bits;
                if size > pointer::MAX_OBJECT {
                    return Err(Exit::Unsupported(format!("a stack object of {size} bytes")));
                }
                let thread = self.state.threads[self.index.index()].write();
                if thread.stack_count >= pointer::MAX_COUNT {
                    return Err(Exit::Unsupported("too many stack objects in one run".into()));
                }
                let id = ObjectId::stack(thread.number, thread.stack_count);
                thread.stack_count += 1;
                let kind = ObjectKind::Stack { function: point.function, pc: point.pc };
                let mut object = Object::new(kind, size as u32, false);
                let crowded = &mut self.state.memory.crowded;
                object.base32 = take_address32(thread.number, &mut thread.next32, size as u32, crowded);
                self.state.memory.add(id, object);
                thread.frames.last_mut().expect("running").objects.push(id);
                self.set(*into, Value::of(id.base()));
            }
            Effect::ThreadLocal { global, offset, into } => {
                let own = self.thread_ref().thread_locals.iter().find(|(known, _)| known == global);
                let base = own.expect("else it is cold").1.base();
                self.set(*into, Value::of(base.wrapping_add(*offset as u64)));
            }
            Effect::StackHeight { into } => {
                let height = self.thread_ref().frame().objects.len() as u64;
                self.set(*into, Value::of(height));
            }
            Effect::StackRestore { height } => {
                let height = self.get(*height).bits as usize;
                while self.thread_ref().frame().objects.len() > height {
                    let id = self.thread().frames.last_mut().expect("running").objects.pop();
                    self.remove(id.expect("longer than height"));
                }
            }
            Effect::Lifetime { address, ends } => {
                let id = pointer::object(self.get(*address).bits);
                let size = self.state.memory.object(id).map_or(0, Object::size);
                self.notify(|w, s| w.gone(s, id.base(), size));
                if let Some(object) = self.state.memory.edit(id) {
                    object.forget_content();
                    object.dead = *ends;
                }
            }
            Effect::Call(call) => self.slow_call(call, progress)?,
            Effect::Return(values) => self.slow_return(values, progress)?,
            Effect::Jump(target) => self.jump(*target, progress)?,
            Effect::Branch { condition, yes, no } => {
                let holds = self.operand(progress, *condition).bits & 1 != 0;
                self.jump(if holds { *yes } else { *no }, progress)?;
            }
            Effect::Switch(switch) => {
                let value = self.operand(progress, switch.value).bits;
                let case = switch.cases.iter().find(|(case, _)| *case == value);
                self.jump(case.map_or(switch.default, |(_, target)| *target), progress)?;
            }
            Effect::IndirectJump { address, targets } => {
                let at = self.operand(progress, *address).bits;
                let block = |b: &&raddle_ir::BlockId| block_pointer(point.function.0, b.0) == at;
                let wild = Exit::Raise(FaultKind::Memory(MemoryFault::Wild), Some(at));
                self.jump(*targets.iter().find(block).ok_or(wild)?, progress)?;
            }
            Effect::Unsupported(reason) => return Err(Exit::Unsupported(reason.to_string())),
            Effect::Unreachable => return Err(Exit::Unsupported(UNREACHABLE.into())),
            Effect::Check(Check::Disjoint { .. }) | Effect::Kernel { .. } | Effect::LongJump { .. } => {
                unreachable!("cold")
            }
        }
        Ok(())
    }

    fn note_fault(&mut self, fault: ArithmeticFault, faults: &mut Faults) {
        if self.machine.settings.overflow {
            faults.push((self.here(), fault, user_point(self.machine, self.thread_ref())));
        }
    }

    fn note_crossing(&mut self, function: &raddle_ir::Function, inst: &Inst, value: Value) {
        self.state.memory.exposed |= !pointer::is_integer(value.bits) && crosses(function, inst);
    }

    fn pointer_result(&mut self, inst: &Inst) -> (Register, Value) {
        match inst {
            Inst::PointerAdd { bits, destination, base, index, scale, offset } => {
                let moved = |pointer: &u64, delta: &u64| pointer::moved(*pointer, *delta as i64);
                let (base, index) = (self.get(*base), self.get(*index));
                let by = (*scale, *offset);
                (*destination, scalar::pointer_add(&Concrete, *bits, &base, &index, by, moved))
            }
            Inst::Cast { op, from, to, destination, source } => {
                let value = self.get(*source);
                let memory = &mut self.state.memory;
                let value = match op {
                    CastOp::PointerToInt => memory.integer_from_pointer(value),
                    _ if value.is_defined() => memory.pointer_from_integer(value),
                    _ => value,
                };
                (*destination, scalar::cast(&Concrete, *op, *from, *to, &value))
            }
            Inst::Compare { op, bits, destination, a, b, .. } => {
                let (a, b) = (self.get(*a), self.get(*b));
                // The order of two objects depends on their addresses.
                let orders = !matches!(op, CompareOp::Eq | CompareOp::Ne);
                self.state.memory.exposed |= orders && pointer::object(a.bits) != pointer::object(b.bits);
                (*destination, scalar::compare(&Concrete, *op, *bits, &a, &b))
            }
            _ => unreachable!("no other instruction computes with pointers"),
        }
    }

    fn slow_determinate(&mut self, operand: Operand, bits: u8, progress: &mut Progress) -> Result<(), Exit> {
        let value = self.get(operand);
        if scalar::is_determinate(&Concrete, bits, &value) {
            return Ok(());
        }
        if self.machine.settings.memory_safety {
            return Err(Exit::Raise(FaultKind::Memory(MemoryFault::Indeterminate), None));
        }
        let kind = ChoiceKind::Indeterminate { bits };
        let request = ChoiceRequest { last: mask(bits), kind };
        let answer = self.thread().resolved.take().ok_or(Exit::Choose(request))?;
        let value = Value::of(value.bits | answer & value.undefined);
        self.state.memory.exposed |= !pointer::is_integer(value.bits);
        if let OperandKind::Register(register) = operand.kind() {
            self.set(register, value);
        }
        progress.chosen.push((operand, value));
        Ok(())
    }

    fn slow_choice(
        &mut self,
        function: &raddle_ir::Function,
        inst: &Inst,
        choice: Choice,
        progress: &mut Progress,
        faults: &mut Faults,
    ) -> Result<(), Exit> {
        let indeterminate = |bits: u8| {
            Exit::Choose(ChoiceRequest { last: mask(bits), kind: ChoiceKind::Indeterminate { bits } })
        };
        match choice {
            Choice::SpuriousFailure => {
                progress.may_fail = !self.in_section;
                if progress.may_fail && self.thread_ref().resolved.is_none() {
                    return Err(Exit::Choose(ChoiceRequest { last: 1, kind: ChoiceKind::SpuriousFailure }));
                }
            }
            Choice::Frozen { source, bits, into } => {
                let value = self.get(source);
                self.note_crossing(function, inst, value);
                let frozen = if scalar::is_determinate(&Concrete, bits, &value) {
                    Value::of(value.bits)
                } else if let Some(answer) = self.thread().resolved.take() {
                    Value::of(value.bits | answer & value.undefined)
                } else if self.machine.settings.memory_safety {
                    value
                } else {
                    return Err(indeterminate(bits));
                };
                self.set(into, frozen);
            }
            Choice::OutOfRange { bits, into } => {
                if let Some(fault) = progress.out_of_range {
                    let Some(answer) = self.thread().resolved.take() else {
                        self.note_fault(fault, faults);
                        return Err(indeterminate(bits));
                    };
                    self.set(into, Value::of(answer));
                }
            }
        }
        Ok(())
    }

    fn slow_access(&mut self, access: &MemoryAccess, progress: &Progress) -> Result<(), Exit> {
        let Extent::Width(width) = access.extent else { unreachable!("cold") };
        let at = self.operand(progress, access.address).bits;
        let plain = raddle_ir::Access {
            order: access.order,
            volatile: access.volatile,
            visible: access.visible,
            ..raddle_ir::Access::PLAIN
        };
        let (bits, kind) = width_bits(width, self.machine.program.data_model);
        let get = |o: Operand| self.operand(progress, o);
        let operands = match access.usage {
            MemoryUse::Read { .. } => [Value::default(); 2],
            MemoryUse::Write(Written::Operand(source)) => [get(source); 2],
            MemoryUse::Update { operand, .. } => [get(operand); 2],
            MemoryUse::Exchange { expected, new, .. } => [get(expected), get(new)],
            MemoryUse::Write(_) => unreachable!("cold"),
        };
        let (index, here, machine) = (self.index, self.here(), self.machine);
        let (idle, in_section) = (self.watch.idle(), self.in_section);
        let mut port = MemoryPort { watch: &mut *self.watch, idle, in_section };
        let memory = &mut self.state.memory;
        let [first, second] = operands;
        let raise = |f| Exit::Raise(FaultKind::Memory(f), Some(at));
        let (kind, order, old, new, done) = match access.usage {
            MemoryUse::Read { .. } => {
                let (value, done) = port.load(memory, at, width).map_err(raise)?;
                (AccessKind::Read, access.order, value, value, done)
            }
            MemoryUse::Write(_) => {
                let (old, done) = port.store(memory, at, width, &plain, first).map_err(raise)?;
                (AccessKind::Write, access.order, old, first, done)
            }
            MemoryUse::Update { op, .. } => {
                let changed =
                    |old: &Value| scalar::update(&Concrete, op, bits, kind, old, &first).expect("concrete");
                let (old, new, done) = port.update(memory, at, width, changed).map_err(raise)?;
                (AccessKind::Update, access.order, old, new, done)
            }
            MemoryUse::Exchange { failure, .. } => {
                let expected = |old: &Value| scalar::exchange_equal(&Concrete, bits, old, &first);
                let exchanged = port.exchange(memory, at, width, expected, second, progress.fails);
                match exchanged.map_err(raise)? {
                    (old, true, done) => (AccessKind::Update, access.order, old, second, done),
                    (old, false, done) => (AccessKind::Read, failure, old, old, done),
                }
            }
        };
        let failed = matches!(access.usage, MemoryUse::Exchange { .. }) && kind == AccessKind::Read;
        if W::ACTIVE && port.listens(&done, access.visible) {
            let thread = &self.state.threads[index.index()];
            let scene = Scene { machine, index, thread, memory: &self.state.memory, at: here };
            port.notify(&scene, done, Report { kind, pointer: at, width, order, old, new, failed });
        }
        match access.usage {
            MemoryUse::Read { into: Some(into) } | MemoryUse::Update { into, .. } => {
                self.set(into, old);
            }
            MemoryUse::Exchange { old: found, success, .. } => {
                self.set(found, old);
                self.set(success, Value::of(!failed as u64));
            }
            _ => {}
        }
        Ok(())
    }

    /// A jump or call: after so many, the loop is left.
    fn spend(&mut self) -> Result<(), Exit> {
        self.budget -= 1;
        if self.budget == 0 { Err(Exit::Limit) } else { Ok(()) }
    }

    fn jump(&mut self, target: raddle_ir::BlockId, progress: &mut Progress) -> Result<(), Exit> {
        self.spend()?;
        let function = self.machine.program.function(self.here().function);
        let start = function.blocks[target.index()].start;
        self.thread().frames.last_mut().expect("running").pc = start;
        progress.moved = true;
        Ok(())
    }

    fn slow_call(&mut self, call: &raddle_ir::Call, progress: &mut Progress) -> Result<(), Exit> {
        self.spend()?;
        let machine = self.machine;
        let program = &*machine.program;
        let caller = program.function(self.here().function);
        let (callee, indirect) = match call.callee {
            raddle_ir::Callee::Direct(callee) => (callee, false),
            raddle_ir::Callee::Indirect(operand) => {
                let at = self.operand(progress, operand).bits;
                match pointer::object(at).name() {
                    ObjectName::Function(i) if pointer::offset(at) == 0 => (raddle_ir::FunctionId(i), true),
                    _ => {
                        let fault = self.state.memory.explain(at, 1);
                        return Err(Exit::Raise(FaultKind::Memory(fault), Some(at)));
                    }
                }
            }
        };
        let target = program.function(callee);
        if !target.has_body() {
            return Err(Exit::Unsupported(missing_body(program, callee)));
        }
        let fits = || machine.ready[callee.index()].call_types.fits(program, caller, call);
        if indirect && !caller.library && !fits() {
            let at = pointer::function_pointer(callee.0);
            return Err(Exit::Raise(FaultKind::Memory(MemoryFault::FunctionType), Some(at)));
        }
        if self.thread_ref().frames.len() > MAX_FRAMES {
            return Err(too_many_frames());
        }
        let arguments: Vec<Value> = call.arguments.iter().map(|o| self.get(*o)).collect();
        let fixed = arguments.len() - call.variadic.len();
        let extra = arguments[fixed..].iter().copied().zip(call.variadic.iter().copied());
        let variadic = if target.variadic { extra.collect() } else { Vec::new() };
        self.advance();
        let base = self.thread_ref().registers.len();
        let count = machine.ready[callee.index()].registers as usize;
        self.thread().registers.resize(base + count, Value::UNDEFINED);
        for ((parameter, argument), value) in target.parameters.iter().zip(&call.arguments).zip(&arguments) {
            self.moved_between((caller, *argument), (target, *parameter), *value);
            self.thread().registers[base + parameter.index()] = *value;
        }
        machine.settings.coverage.enter(callee);
        let (function, base) = (callee, base as u32);
        let frame = Frame { function, pc: 0, base, objects: Vec::new(), variadic, jump_mark: 0 };
        self.thread().frames.push(frame);
        progress.moved = true;
        Ok(())
    }

    /// A value goes from one function to another: between a pointer and an integer it is a conversion.
    fn moved_between(
        &mut self,
        (from, operand): (&raddle_ir::Function, Operand),
        (to, register): (&raddle_ir::Function, Register),
        value: Value,
    ) {
        let differs = operand.as_register().is_some_and(|r| is_pointer(from, r) != is_pointer(to, register));
        self.state.memory.exposed |= differs && !pointer::is_integer(value.bits);
    }

    fn slow_return(&mut self, values: &[Operand], progress: &mut Progress) -> Result<(), Exit> {
        let depth = self.thread_ref().frames.len() - 1;
        if depth == 0 {
            return Err(Exit::ThreadEnd);
        }
        if self.rollback.as_ref().is_some_and(|rollback| rollback.frames - 1 == depth) {
            return Err(Exit::Unsupported(OPEN_SECTION.into()));
        }
        let machine = self.machine;
        let program = &*machine.program;
        let callee = self.here().function;
        let results: Vec<Value> = values.iter().map(|o| self.get(*o)).collect();
        let caller = self.thread_ref().frames[depth - 1].clone();
        let into = program.function(caller.function);
        if W::ACTIVE && program.function(callee).library && !into.library {
            let at = CodePoint { function: caller.function, pc: caller.pc - 1 };
            let thread = &self.state.threads[self.index.index()];
            let scene = Scene { machine, index: self.index, thread, memory: &self.state.memory, at };
            self.watch.library_return(&scene, callee, results.first().copied());
        }
        // The inner loop reports the ends of objects at the return, when the frame is gone.
        let at = self.here();
        let gone = self.thread().frames.pop().expect("depth > 0");
        if depth == 1 && self.thread_ref().frames[0].function == program.entry {
            self.thread().frames[0].objects.extend(gone.objects);
        } else {
            for id in gone.objects {
                if W::ACTIVE {
                    let size = self.state.memory.object(id).map_or(0, Object::size);
                    let thread = &self.state.threads[self.index.index()];
                    let scene = Scene { machine, index: self.index, thread, memory: &self.state.memory, at };
                    self.watch.gone(&scene, id.base(), size);
                }
                self.state.memory.remove(id);
            }
        }
        self.thread().registers.truncate(gone.base as usize);
        if let Inst::Call(call) = &into.code[caller.pc as usize - 1] {
            for (i, register) in call.results.iter().enumerate() {
                let value = results.get(i).copied().unwrap_or(Value::UNDEFINED);
                if let Some(operand) = values.get(i) {
                    self.moved_between((program.function(callee), *operand), (into, *register), value);
                }
                self.set(*register, value);
            }
        }
        progress.moved = true;
        Ok(())
    }
}
