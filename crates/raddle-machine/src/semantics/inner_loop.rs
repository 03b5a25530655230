//! The inner loop: instructions of one thread, from one visible operation to before the next.
//!
//! Scalars are computed by `raddle-semantics` over its concrete domain; memory is accessed through the [`Door`]; control
//! is written here. An instruction that needs more than the thread and memory leaves the loop as [`Exit::Cold`] and is
//! done in `semantics/kernel.rs` or `semantics/transfer.rs`.
//!
//! It has more lines than other files because it is one function: its locals must stay in the processor's registers.

use raddle_ir::{Callee, CastOp, FloatKind, Function, Inst, Operand, OperandKind, Register, WideInst, Width};
use raddle_semantics::{self as scalar, ArithmeticFault, Checked, Concrete, Value, mask};

use crate::semantics::address32::take_address32;
use crate::semantics::fault::{CodePoint, Fault, FaultKind};
use crate::semantics::machine::{block_pointer, crosses, is_pointer};
use crate::semantics::memory::MemoryFault;
use crate::semantics::memory_access::{MemoryPort, Report};
use crate::semantics::object::{Object, ObjectKind};
use crate::semantics::pointer::{self, ObjectId, ObjectName};
use crate::semantics::run::{Exit, MAX_FRAMES, OPEN_SECTION, Run, too_many_frames, user_point};
use crate::semantics::state::State;
use crate::semantics::thread::{ChoiceKind, ChoiceRequest, Frame};
use crate::semantics::undefined_names::missing_body;
use crate::semantics::watch::{AccessKind, Scene, Watch};

impl<W: Watch> Run<'_, W> {
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
        let mut port = MemoryPort { watch: &mut *self.watch, idle, in_section };
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
                    let Checked { value, faults } = $checked;
                    set!($destination, value);
                    if let Some(fault) = faults {
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
            // The access goes to the listeners.
            macro_rules! told {
                ($unreported:expr, $access:expr, $report:expr) => {
                    if W::ACTIVE && port.listens(&$unreported, $access.visible) {
                        thread.frames[depth].pc = pc as u32;
                        let at = CodePoint { function: function_id, pc: pc as u32 };
                        let scene = Scene { machine, index, thread: &*thread, memory: &*memory, at };
                        port.notify(&scene, $unreported, $report);
                        registers = &mut thread.registers[base..];
                    }
                };
            }
            macro_rules! report {
                ($kind:expr, $pointer:expr, $width:expr, $order:expr, $old:expr, $new:expr, $failed:expr) => {
                    Report {
                        kind: $kind,
                        pointer: $pointer,
                        width: *$width,
                        order: $order,
                        old: $old,
                        new: $new,
                        failed: $failed,
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
                        port.watch.gone(&scene, $object.base(), size);
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
                        let (x, y) = (get!(a), get!(b));
                        arithmetic!(destination, scalar::binary(&Concrete, *op, *bits, *signed_wrap, &x, &y));
                    }
                    Inst::Compare { op, bits, pointers, destination, a, b } => {
                        let (x, y) = (get!(a), get!(b));
                        if *pointers
                            && pointer::object(x.bits) != pointer::object(y.bits)
                            && !matches!(op, raddle_ir::CompareOp::Eq | raddle_ir::CompareOp::Ne)
                        {
                            memory.exposed = true;
                        }
                        set!(destination, scalar::compare(&Concrete, *op, *bits, &x, &y));
                        pc += 1;
                    }
                    Inst::Cast { op, from, to, destination, source } => {
                        let v = get!(source);
                        let v = match op {
                            CastOp::PointerToInt => memory.integer_from_pointer(v),
                            CastOp::IntToPointer if v.undefined == 0 => memory.pointer_from_integer(v),
                            _ => v,
                        };
                        set!(destination, scalar::cast(&Concrete, *op, *from, *to, &v));
                        pc += 1;
                    }
                    Inst::Select { destination, condition, yes, no } => {
                        let c = get!(condition);
                        let v = scalar::select(&Concrete, &c, || get!(yes), || get!(no));
                        moved!(v);
                        set!(destination, v);
                        pc += 1;
                    }
                    Inst::PointerAdd { bits, destination, base: from, index, scale, offset } => {
                        let (b, i) = (get!(from), get!(index));
                        let moved = |pointer: &u64, delta: &u64| pointer::moved(*pointer, *delta as i64);
                        set!(
                            destination,
                            scalar::pointer_add(&Concrete, *bits, &b, &i, (*scale, *offset), moved)
                        );
                        pc += 1;
                    }
                    Inst::Load { width, access, destination, address } => {
                        let a = get!(address);
                        in_words!(access, a, *width);
                        gate!(access.visible);
                        let a = if a.undefined == 0 { a } else { determinate!(address, 64) };
                        match port.load(memory, a.bits, *width) {
                            Ok((value, done)) => {
                                let kind = AccessKind::Read;
                                told!(
                                    done,
                                    access,
                                    report!(kind, a.bits, width, access.order, value, value, false)
                                );
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
                        match port.store(memory, a.bits, *width, access, new) {
                            Ok((old, done)) => {
                                let kind = AccessKind::Write;
                                told!(
                                    done,
                                    access,
                                    report!(kind, a.bits, width, access.order, old, new, false)
                                );
                                pc += 1;
                            }
                            Err(fault) => leave!(Exit::Raise(FaultKind::Memory(fault), Some(a.bits))),
                        }
                    }
                    Inst::Jump { target } => jump!(target),
                    Inst::Branch { condition, yes, no } => {
                        let c = get!(condition);
                        let c = if c.undefined & 1 == 0 { c } else { determinate!(condition, 1) };
                        if c.bits & 1 != 0 { jump!(yes) } else { jump!(no) }
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
                                    ObjectName::Function(i) if pointer::offset(v.bits) == 0 => {
                                        raddle_ir::FunctionId(i)
                                    }
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
                            leave!(too_many_frames());
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
                            if !pointer::is_integer(value.bits)
                                && mismatch(function, argument, target, *parameter)
                            {
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
                                port.watch.library_return(&scene, function_id, value);
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
                        object.base32 =
                            take_address32(thread.number, next32, size as u32, &mut memory.crowded);
                        memory.add(id, object);
                        thread.frames[depth].objects.push(id);
                        set!(destination, Value::of(id.base()));
                        pc += 1;
                    }
                    Inst::FloatBinary { op, kind, destination, a, b } => {
                        let (x, y) = (get!(a), get!(b));
                        set!(destination, scalar::float_binary(&Concrete, *op, *kind, &x, &y).expect(FLOATS));
                        pc += 1;
                    }
                    Inst::FloatUnary { op, kind, destination, source } => {
                        set!(
                            destination,
                            scalar::float_unary(&Concrete, *op, *kind, &get!(source)).expect(FLOATS)
                        );
                        pc += 1;
                    }
                    Inst::FloatMultiplyAdd { kind, fused, destination, a, b, c } => {
                        let (x, y, z) = (get!(a), get!(b), get!(c));
                        let value = scalar::float_multiply_add(&Concrete, *kind, *fused, &x, &y, &z);
                        set!(destination, value.expect(FLOATS));
                        pc += 1;
                    }
                    Inst::FloatCompare { op, kind, destination, a, b } => {
                        let (x, y) = (get!(a), get!(b));
                        set!(
                            destination,
                            scalar::float_compare(&Concrete, op.0, *kind, &x, &y).expect(FLOATS)
                        );
                        pc += 1;
                    }
                    Inst::FloatCast { op, kind, bits, destination, source } => {
                        let cast = scalar::float_cast(&Concrete, *op, *kind, *bits, &get!(source));
                        let Checked { value, faults } = cast.expect(FLOATS);
                        match (faults, thread.resolved) {
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
                        let (value, flag) = scalar::overflow(&Concrete, *op, *bits, &x, &y);
                        set!(destination, value);
                        set!(overflow, flag);
                        pc += 1;
                    }
                    Inst::Bits { op, bits, destination, a, b, c } => {
                        let (x, y, z) = (get!(a), get!(b), get!(c));
                        let value = scalar::bit_operation(&Concrete, *op, *bits, &x, &y, &z);
                        set!(destination, value);
                        pc += 1;
                    }
                    Inst::Wide(wide) => {
                        if let Some(fault) = execute_wide(wide, registers)
                            && check_overflow
                        {
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
                        if scalar::is_determinate(&Concrete, *bits, &value) {
                            set!(destination, Value::of(value.bits));
                        } else {
                            match thread.resolved.take() {
                                Some(answer) => {
                                    set!(destination, Value::of(value.bits | answer & value.undefined))
                                }
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
                        let changed = |old: &Value| {
                            scalar::update(&Concrete, *op, bits, kind, old, &operand).expect(FLOATS)
                        };
                        match port.update(memory, a.bits, *width, changed) {
                            Ok((old, new, done)) => {
                                let kind = AccessKind::Update;
                                told!(
                                    done,
                                    access,
                                    report!(kind, a.bits, width, access.order, old, new, false)
                                );
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
                            leave!(Exit::Choose(ChoiceRequest {
                                last: 1,
                                kind: ChoiceKind::SpuriousFailure
                            }));
                        }
                        gate!(access.visible);
                        let fails = may_fail && thread.resolved.take() == Some(1);
                        let a = get!(address);
                        let a = if a.undefined == 0 { a } else { determinate!(address, 64) };
                        let (want, put) = (get!(expected), get!(new));
                        let bits = width_bits(*width, program.data_model).0;
                        let is_expected = |old: &Value| scalar::exchange_equal(&Concrete, bits, old, &want);
                        match port.exchange(memory, a.bits, *width, is_expected, put, fails) {
                            Ok((old, wrote, done)) => {
                                let (kind, order, new) = match wrote {
                                    true => (AccessKind::Update, access.order, put),
                                    false => (AccessKind::Read, *failure, old),
                                };
                                told!(done, access, report!(kind, a.bits, width, order, old, new, !wrote));
                                set!(old_register, old);
                                set!(success, Value::of(wrote as u64));
                                pc += 1;
                            }
                            Err(fault) => leave!(Exit::Raise(FaultKind::Memory(fault), Some(a.bits))),
                        }
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
                            port.fence(
                                &Scene { machine, index, thread: &*thread, memory: &*memory, at },
                                *order,
                            );
                            registers = &mut thread.registers[base..];
                        }
                        pc += 1;
                    }
                    Inst::VaEnd { .. } => pc += 1,
                    Inst::Unsupported { reason } => leave!(Exit::Unsupported(reason.to_string())),
                    Inst::Unreachable => leave!(Exit::Unsupported(UNREACHABLE.into())),
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
            self.notify(|w, s| w.fault(s, &fault));
            self.faults.push(fault);
        }
        exit
    }
}

pub const UNREACHABLE: &str = "undefined behaviour: reached code marked unreachable by the compiler (such as \
                                      the end of a function that was declared not to return)";

const FLOATS: &str = "the concrete domain has floats";

/// A wide instruction on the registers of the frame.
#[inline(never)]
fn execute_wide(wide: &WideInst, registers: &mut [Value]) -> Option<ArithmeticFault> {
    let limbs = |first: Register, count: u32| &registers[first.index()..first.index() + count as usize];
    let (a, b) = (limbs(wide.a, wide.a_limbs()), limbs(wide.b, wide.b_limbs()));
    let (values, faults) = scalar::wide(&Concrete, wide, a, b).expect(FLOATS);
    registers[wide.destination.index()..][..values.len()].copy_from_slice(&values);
    faults
}

/// A value goes from a pointer register of one function to an integer register of another, or back.
fn mismatch(from: &Function, operand: &Operand, to: &Function, register: Register) -> bool {
    operand.as_register().is_some_and(|r| is_pointer(from, r) != is_pointer(to, register))
}

/// Bits of a memory width, and whether it is a float.
pub(crate) fn width_bits(width: Width, model: raddle_ir::DataModel) -> (u8, Option<FloatKind>) {
    match width {
        Width::Int(bits) => (bits, None),
        Width::Float => (32, Some(FloatKind::Float)),
        Width::Double => (64, Some(FloatKind::Double)),
        Width::Pointer => (model.pointer_bits(), None),
    }
}
