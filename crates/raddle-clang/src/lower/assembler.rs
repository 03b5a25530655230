//! What the statements of inline assembler do (their reading: `crate::assembler`).
//!
//! A locked update and an exchange with memory are atomic and sequentially consistent. Any other access to memory is
//! one access of the processor: an acquiring load or a releasing store, as on x86; so an update without `lock` is two of
//! them, between which other threads come. C knows no data race between accesses of assembler.
//!
//! Operands that are tied or name one register are one register. Where else two of them share one is the compiler's choice: an
//! output without `&` may be in the register of an input or of an address, so what is read of these after it was written is
//! not known, and refused.

use raddle_ir as ir;

use super::function::{Lowered, Lowering};
use crate::assembler::{ACCUMULATOR, Assembler, Condition, Constraint, Operation, Place, Statement, parse};
use crate::llvm::ast::{Call, InlineAsm, LocalId};

const LOCKED: ir::Access = ir::Access { order: ir::MemoryOrder::SequentiallyConsistent, ..ir::Access::PLAIN };
const LOAD: ir::Access = ir::Access { order: ir::MemoryOrder::Acquire, ..LOCKED };
const STORE: ir::Access = ir::Access { order: ir::MemoryOrder::Release, ..LOCKED };

/// What an operand is at the moment.
#[derive(Clone, Copy)]
struct Slot {
    constraint: Constraint,
    ty: ir::RegisterType,
    /// Its register; tied operands have one.
    cell: usize,
    /// What the program passed.
    first: Option<ir::Operand>,
}

/// What the last statement left in the flags.
#[derive(Clone, Copy, Default)]
struct Flags {
    /// The result and its bits, for zero and negative.
    result: Option<(ir::Operand, u8)>,
    /// One bit: zero without a result.
    zero: Option<ir::Operand>,
    carry: Option<ir::Operand>,
}

struct Frame {
    slots: Vec<Slot>,
    /// The value of each register, or the address of an operand in memory; none before a register is written.
    cells: Vec<Option<ir::Operand>>,
    /// Registers that were written by earlier statements and may be those of inputs too.
    overwritten: Vec<usize>,
    /// Registers that this statement has written.
    written: Vec<usize>,
    flags: Flags,
}

impl Frame {
    /// The value of a register, or the address of what is in memory.
    fn value(&self, at: usize) -> Understood<ir::Operand> {
        let slot = &self.slots[at];
        let is_input = slot.constraint.in_memory || !self.is_output(slot.cell);
        if is_input && self.overwritten.iter().any(|cell| self.may_share(*cell, slot)) {
            return Err(());
        }
        missing(self.cells[slot.cell])
    }

    /// Whether the compiler may put an input, or an address, into the register of an output: if this has no value of its own
    /// before, or the same one.
    fn may_share(&self, cell: usize, input: &Slot) -> bool {
        let mut others = self.slots.iter().filter(|slot| slot.cell == cell && slot.first.is_some());
        let own = others.next().and_then(|slot| slot.first);
        own.is_none_or(|own| Some(own) == input.first)
    }

    fn is_output(&self, cell: usize) -> bool {
        self.slots.iter().any(|slot| slot.cell == cell && is_register_output(slot))
    }

    /// A register gets a value. An input that is not an output too must not be overwritten.
    fn set(&mut self, at: usize, value: ir::Operand) -> Understood<()> {
        let cell = self.slots[at].cell;
        if self.slots[at].constraint.in_memory || !self.is_output(cell) {
            return Err(());
        }
        self.cells[cell] = Some(value);
        let early = self.slots.iter().any(|slot| slot.cell == cell && slot.constraint.early);
        if !early {
            self.written.push(cell);
        }
        Ok(())
    }
}

/// Or not understood.
type Understood<T> = Result<T, ()>;

fn missing<T>(value: Option<T>) -> Understood<T> {
    value.ok_or(())
}

impl Lowering<'_, '_> {
    /// All of it, or an error and nothing.
    pub fn assembler(&mut self, result: Option<LocalId>, asm: &InlineAsm, call: &Call) -> Lowered<()> {
        let parsed = if asm.is_intel { None } else { parse(&asm.text, &asm.constraints) };
        let before = self.blocks[self.current].len();
        let done = match parsed {
            Some(parsed) => self.understood(result, &parsed, call)?,
            None => Err(()),
        };
        if done.is_err() {
            self.blocks[self.current].truncate(before);
            let text = asm.text.split_whitespace().collect::<Vec<_>>().join(" ");
            return Err(format!(
                "inline assembly: `{text}` (fences, pauses, exchanges and updates of x86 are known; write other parts \
                 with the __atomic builtins of the compiler)"
            ));
        }
        Ok(())
    }

    fn understood(
        &mut self,
        result: Option<LocalId>,
        parsed: &Assembler,
        call: &Call,
    ) -> Lowered<Understood<()>> {
        let Some(mut frame) = self.frame(result, parsed, call)? else { return Ok(Err(())) };
        for statement in &parsed.statements {
            if self.statement(&mut frame, statement).is_err() {
                return Ok(Err(()));
            }
            let written = std::mem::take(&mut frame.written);
            frame.overwritten.extend(written);
        }
        for at in 0..frame.slots.len() {
            let Some(condition) = frame.slots[at].constraint.condition else { continue };
            let Ok(bit) = self.condition(&frame.flags, condition) else { return Ok(Err(())) };
            let ir::RegisterType::Int(bits) = frame.slots[at].ty else { return Ok(Err(())) };
            let cell = frame.slots[at].cell;
            frame.cells[cell] = Some(self.extended(bit, bits));
        }
        let outputs = frame.slots.iter().filter(|slot| is_register_output(slot));
        let values = outputs.map(|slot| frame.cells[slot.cell]).collect::<Option<Vec<ir::Operand>>>();
        let Some(values) = values else {
            return Ok(Err(()));
        };
        if let Some(result) = result {
            self.define_copy(Some(result), values)?;
        }
        Ok(Ok(()))
    }

    /// The operands; nothing where they do not fit to the call.
    fn frame(&mut self, result: Option<LocalId>, parsed: &Assembler, call: &Call) -> Lowered<Option<Frame>> {
        let mut results: Vec<ir::RegisterType> = Vec::new();
        if let Some(result) = result {
            for register in self.destinations(result)? {
                results.push(self.out.registers[register.index()].ty);
            }
        }
        let mut results = results.into_iter();
        let mut arguments = call.arguments.iter();
        let mut slots: Vec<Slot> = Vec::new();
        for constraint in &parsed.operands {
            let slot = if constraint.is_output && !constraint.in_memory {
                let Some(ty) = results.next() else { return Ok(None) };
                Slot { constraint: *constraint, ty, cell: slots.len(), first: None }
            } else {
                let Some(argument) = arguments.next() else { return Ok(None) };
                let parts = self.parts_of(argument.operand.ty)?;
                let [part] = &parts[..] else { return Ok(None) };
                let value = self.single(argument.operand.value)?;
                Slot { constraint: *constraint, ty: part.ty, cell: slots.len(), first: Some(value) }
            };
            slots.push(slot);
        }
        if results.next().is_some() || arguments.next().is_some() {
            return Ok(None);
        }
        for at in 0..slots.len() {
            let constraint = slots[at].constraint;
            let named = |slot: &Slot| {
                constraint.register.is_some()
                    && slot.constraint.register == constraint.register
                    && !slot.constraint.in_memory
            };
            let shared = constraint.tied.or_else(|| slots[..at].iter().position(named));
            let Some(other) = shared.filter(|_| !constraint.in_memory) else { continue };
            // Two inputs in one register have one value.
            let two_values = slots[at].first.is_some()
                && slots.iter().any(|slot| slot.cell == slots[other].cell && slot.first.is_some());
            if slots[at].ty != slots[other].ty || two_values {
                return Ok(None);
            }
            slots[at].cell = slots[other].cell;
        }
        let mut cells = vec![None; slots.len()];
        for slot in slots.iter().filter(|slot| slot.first.is_some()) {
            cells[slot.cell] = slot.first;
        }
        let (overwritten, written) = (Vec::new(), Vec::new());
        Ok(Some(Frame { slots, cells, overwritten, written, flags: Flags::default() }))
    }

    fn statement(&mut self, frame: &mut Frame, statement: &Statement) -> Understood<()> {
        use Operation::*;
        match statement.operation {
            Pause => {}
            Fence => self.fence(),
            Move => {
                let bits = statement_bits(frame, statement)?;
                let value = self.read(frame, statement.operands[0], bits)?;
                self.write(frame, statement.operands[1], value, bits)?;
            }
            Exchange => self.exchange(frame, statement)?,
            CompareExchange => self.compare_exchange(frame, statement)?,
            ExchangeAdd => {
                let bits = statement_bits(frame, statement)?;
                let [register, target] = two(statement);
                let added = self.read(frame, register, bits)?;
                if is_memory(frame, target) {
                    let old = self.update(frame, statement, ir::UpdateOp::Add, target, added, bits)?;
                    self.write(frame, register, old, bits)?;
                } else {
                    // The sum is written last: of one register with itself it is what stays.
                    if statement.locked {
                        return Err(());
                    }
                    let old = self.read(frame, target, bits)?;
                    let sum = self.calculated(ir::BinaryOp::Add, bits, old, added);
                    self.write(frame, register, old, bits)?;
                    self.write(frame, target, sum, bits)?;
                    frame.flags = Flags { result: Some((sum, bits)), ..Flags::default() };
                }
            }
            Add | Subtract | And | Or | Xor => {
                let [source, target] = two(statement);
                if let (Add | Or, Place::Number(0), Place::Stack) = (statement.operation, source, target) {
                    // Locked, it is the fence of old processors.
                    if statement.locked {
                        self.fence();
                    }
                    // They say what lies on the stack.
                    frame.flags = Flags::default();
                    return Ok(());
                }
                let bits = statement_bits(frame, statement)?;
                let value = self.read(frame, source, bits)?;
                let op = match statement.operation {
                    Add => ir::UpdateOp::Add,
                    Subtract => ir::UpdateOp::Sub,
                    And => ir::UpdateOp::And,
                    Or => ir::UpdateOp::Or,
                    _ => ir::UpdateOp::Xor,
                };
                self.update(frame, statement, op, target, value, bits)?;
                if statement.locked && source == Place::Number(0) {
                    self.fence();
                }
            }
            Increment | Decrement => {
                let bits = statement_bits(frame, statement)?;
                let op = if statement.operation == Increment { ir::UpdateOp::Add } else { ir::UpdateOp::Sub };
                let one = self.bits(1);
                self.update(frame, statement, op, statement.operands[0], one, bits)?;
            }
            Not => {
                let bits = statement_bits(frame, statement)?;
                let ones = self.bits(mask(bits));
                let flags = frame.flags;
                self.update(frame, statement, ir::UpdateOp::Xor, statement.operands[0], ones, bits)?;
                frame.flags = flags;
            }
            BitSet | BitReset | BitComplement => self.bit(frame, statement)?,
            SetIf(condition) => {
                let bit = self.condition(&frame.flags, condition)?;
                let byte = self.extended(bit, 8);
                match statement.operands[0] {
                    // A local variable of C.
                    Place::Operand(at, None | Some(8)) if frame.slots[at].constraint.in_memory => {
                        let address = frame.value(at)?;
                        let access = ir::Access { order: ir::MemoryOrder::NotAtomic, ..LOCKED };
                        self.emit(ir::Inst::Store {
                            width: ir::Width::Int(8),
                            access,
                            address,
                            source: byte,
                        });
                    }
                    place => self.write(frame, place, byte, 8)?,
                }
            }
            SubtractWithCarry => {
                let [source, target] = two(statement);
                let Place::Operand(at, None) = target else { return Err(()) };
                if source != target || frame.slots[at].constraint.in_memory {
                    return Err(());
                }
                let bits = statement_bits(frame, statement)?;
                let carry = missing(frame.flags.carry)?;
                let carry = self.extended(carry, bits);
                let zero = self.bits(0);
                let value = self.calculated(ir::BinaryOp::Sub, bits, zero, carry);
                self.write(frame, target, value, bits)?;
                frame.flags = Flags::default();
            }
        }
        Ok(())
    }

    fn fence(&mut self) {
        self.emit(ir::Inst::Fence { order: ir::MemoryOrder::SequentiallyConsistent });
    }

    /// `target op= value`; the value before. Sets the flags, except the carry.
    fn update(
        &mut self,
        frame: &mut Frame,
        statement: &Statement,
        op: ir::UpdateOp,
        target: Place,
        value: ir::Operand,
        bits: u8,
    ) -> Understood<ir::Operand> {
        let binary = match op {
            ir::UpdateOp::Add => ir::BinaryOp::Add,
            ir::UpdateOp::Sub => ir::BinaryOp::Sub,
            ir::UpdateOp::And => ir::BinaryOp::And,
            ir::UpdateOp::Or => ir::BinaryOp::Or,
            _ => ir::BinaryOp::Xor,
        };
        let old = if statement.locked {
            let address = self.address_of(frame, target)?;
            let destination = self.register(ir::RegisterType::Int(bits));
            let width = ir::Width::Int(bits);
            self.emit(ir::Inst::Update { op, width, access: LOCKED, destination, address, source: value });
            destination.into()
        } else {
            self.read(frame, target, bits)?
        };
        let new = self.calculated(binary, bits, old, value);
        if !statement.locked {
            self.write(frame, target, new, bits)?;
        }
        frame.flags = Flags { result: Some((new, bits)), ..Flags::default() };
        Ok(old)
    }

    /// A register and memory, in either order, atomically without `lock` too; or two registers.
    fn exchange(&mut self, frame: &mut Frame, statement: &Statement) -> Understood<()> {
        let bits = statement_bits(frame, statement)?;
        let [a, b] = two(statement);
        let (register, memory) = if is_memory(frame, a) { (b, a) } else { (a, b) };
        if !is_memory(frame, memory) {
            if statement.locked {
                return Err(());
            }
            let (first, second) = (self.read(frame, a, bits)?, self.read(frame, b, bits)?);
            self.write(frame, a, second, bits)?;
            return self.write(frame, b, first, bits);
        }
        let address = self.address_of(frame, memory)?;
        let as_pointer = self.is_pointer(frame, register, bits);
        let (width, ty) = self.width(as_pointer, bits);
        let source = match as_pointer {
            Some(at) => frame.value(at)?,
            None => self.read(frame, register, bits)?,
        };
        let (op, destination) = (ir::UpdateOp::Exchange, self.register(ty));
        self.emit(ir::Inst::Update { op, width, access: LOCKED, destination, address, source });
        match as_pointer {
            Some(at) => frame.set(at, destination.into())?,
            None => self.write(frame, register, destination.into(), bits)?,
        }
        Ok(())
    }

    fn compare_exchange(&mut self, frame: &mut Frame, statement: &Statement) -> Understood<()> {
        let bits = statement_bits(frame, statement)?;
        let [source, target] = two(statement);
        let address = self.address_of(frame, target)?;
        let is_accumulator =
            |slot: &Slot| slot.constraint.register == Some(ACCUMULATOR) && !slot.constraint.in_memory;
        let accumulator = missing(frame.slots.iter().position(is_accumulator))?;
        let pointer = self.is_pointer(frame, Place::Operand(accumulator, None), bits);
        let as_pointer = pointer.and(self.is_pointer(frame, source, bits));
        let (width, ty) = self.width(as_pointer, bits);
        let (expected, new) = match as_pointer {
            Some(at) => (frame.value(accumulator)?, frame.value(at)?),
            None => {
                let expected = self.read(frame, Place::Operand(accumulator, None), bits)?;
                (expected, self.read(frame, source, bits)?)
            }
        };
        let (old, success) = (self.register(ty), self.register(ir::RegisterType::Int(1)));
        if statement.locked {
            self.emit(ir::Inst::CompareExchange {
                width,
                access: LOCKED,
                failure: ir::MemoryOrder::SequentiallyConsistent,
                weak: false,
                old,
                success,
                address,
                expected,
                new,
            });
        } else {
            self.emit(ir::Inst::Load { width, access: LOAD, destination: old, address });
            let (op, pointers) = (ir::CompareOp::Eq, as_pointer.is_some());
            let bits = if pointers { 64 } else { bits };
            self.emit(ir::Inst::Compare {
                op,
                bits,
                pointers,
                destination: success,
                a: old.into(),
                b: expected,
            });
            // The processor writes in any case.
            let chosen = self.register(ty);
            let (condition, no) = (success.into(), old.into());
            self.emit(ir::Inst::Select { destination: chosen, condition, yes: new, no });
            self.emit(ir::Inst::Store { width, access: STORE, address, source: chosen.into() });
        }
        match (as_pointer, frame.slots[accumulator].ty) {
            (Some(_), own) if own == ty => frame.set(accumulator, old.into())?,
            (Some(_), _) => return Err(()),
            // A success leaves the upper half as it was.
            (None, ir::RegisterType::Int(64)) if bits == 32 => {
                let (yes, condition) = (frame.value(accumulator)?, success.into());
                let no = self.converted(ir::CastOp::ZeroExtend, 32, 64, old.into());
                let destination = self.register(ir::RegisterType::Int(64));
                self.emit(ir::Inst::Select { destination, condition, yes, no });
                frame.set(accumulator, destination.into())?;
            }
            (None, _) => self.write(frame, Place::Operand(accumulator, None), old.into(), bits)?,
        }
        frame.flags = Flags { zero: Some(success.into()), ..Flags::default() };
        Ok(())
    }

    /// One bit of memory; the carry is what it was. A register's number may lead to later and earlier words.
    fn bit(&mut self, frame: &mut Frame, statement: &Statement) -> Understood<()> {
        let bits = statement.bits.filter(|bits| *bits > 8).ok_or(())?;
        let [number, target] = two(statement);
        let mut address = self.address_of(frame, target)?;
        let low = match number {
            Place::Number(n) => self.bits(n & (bits as u64 - 1)),
            Place::Operand(at, _) if frame.slots[at].constraint.in_memory => return Err(()),
            // A constant of the instruction counts modulo the size. Where it may be in a register as well, only if that is the
            // same.
            Place::Operand(at, _)
                if frame.slots[at].constraint.immediate && self.number_in(frame, at).is_some() =>
            {
                let n = missing(self.number_in(frame, at))?;
                if n >= bits as u64 && frame.slots[at].constraint.general {
                    return Err(());
                }
                self.bits(n & (bits as u64 - 1))
            }
            _ => {
                let value = self.read(frame, number, bits)?;
                let (shift, word_mask) = (self.bits(bits.ilog2() as u64), self.bits(bits as u64 - 1));
                let words = self.calculated(ir::BinaryOp::AShr, bits, value, shift);
                let destination = self.register(ir::RegisterType::Pointer);
                let scale = bits as i32 / 8;
                self.emit(ir::Inst::PointerAdd {
                    bits,
                    destination,
                    base: address,
                    index: words,
                    scale,
                    offset: 0,
                });
                address = destination.into();
                self.calculated(ir::BinaryOp::And, bits, value, word_mask)
            }
        };
        let one = self.bits(1);
        let bit = self.calculated(ir::BinaryOp::Shl, bits, one, low);
        let (op, source) = match statement.operation {
            Operation::BitSet => (ir::UpdateOp::Or, bit),
            Operation::BitComplement => (ir::UpdateOp::Xor, bit),
            _ => {
                let ones = self.bits(mask(bits));
                (ir::UpdateOp::And, self.calculated(ir::BinaryOp::Xor, bits, bit, ones))
            }
        };
        if !statement.locked {
            return Err(());
        }
        let destination = self.register(ir::RegisterType::Int(bits));
        let width = ir::Width::Int(bits);
        self.emit(ir::Inst::Update { op, width, access: LOCKED, destination, address, source });
        let found = self.calculated(ir::BinaryOp::And, bits, destination.into(), bit);
        let zero = self.bits(0);
        let carry = self.compared(ir::CompareOp::Ne, bits, found, zero);
        frame.flags = Flags { carry: Some(carry), ..Flags::default() };
        Ok(())
    }

    fn condition(&mut self, flags: &Flags, condition: Condition) -> Understood<ir::Operand> {
        let zero = self.bits(0);
        let (bit, wanted) = match condition {
            Condition::Zero(wanted) => match (flags.zero, flags.result) {
                (Some(bit), _) => (bit, wanted),
                (None, Some((result, bits))) => {
                    (self.compared(ir::CompareOp::Eq, bits, result, zero), wanted)
                }
                (None, None) => return Err(()),
            },
            Condition::Negative(wanted) => {
                let (result, bits) = missing(flags.result)?;
                (self.compared(ir::CompareOp::SLt, bits, result, zero), wanted)
            }
            Condition::Carry(wanted) => (missing(flags.carry)?, wanted),
        };
        Ok(if wanted { bit } else { self.compared(ir::CompareOp::Eq, 1, bit, zero) })
    }

    fn read(&mut self, frame: &Frame, place: Place, bits: u8) -> Understood<ir::Operand> {
        if is_memory(frame, place) {
            let address = self.address_of(frame, place)?;
            let destination = self.register(ir::RegisterType::Int(bits));
            self.emit(ir::Inst::Load { width: ir::Width::Int(bits), access: LOAD, destination, address });
            return Ok(destination.into());
        }
        match place {
            Place::Number(number) => Ok(self.bits(number & mask(bits))),
            Place::Operand(at, own) if own.is_none_or(|own| own == bits) => {
                let slot = frame.slots[at];
                let value = frame.value(at)?;
                let (value, from) = match slot.ty {
                    ir::RegisterType::Int(from) => (value, from),
                    ir::RegisterType::Pointer => {
                        let to = self.linker.program.data_model.pointer_bits();
                        (self.converted(ir::CastOp::PointerToInt, 64, to, value), to)
                    }
                    _ => return Err(()),
                };
                match from.cmp(&bits) {
                    std::cmp::Ordering::Less => Err(()),
                    std::cmp::Ordering::Equal => Ok(value),
                    std::cmp::Ordering::Greater => {
                        Ok(self.converted(ir::CastOp::Truncate, from, bits, value))
                    }
                }
            }
            _ => Err(()),
        }
    }

    fn write(&mut self, frame: &mut Frame, place: Place, value: ir::Operand, bits: u8) -> Understood<()> {
        if is_memory(frame, place) {
            let address = self.address_of(frame, place)?;
            self.emit(ir::Inst::Store { width: ir::Width::Int(bits), access: STORE, address, source: value });
            return Ok(());
        }
        let Place::Operand(at, own) = place else { return Err(()) };
        if own.is_some_and(|own| own != bits) {
            return Err(());
        }
        let value = match frame.slots[at].ty {
            ir::RegisterType::Int(to) if to == bits => value,
            // 32 bits clear the upper half.
            ir::RegisterType::Int(64) if bits == 32 => self.converted(ir::CastOp::ZeroExtend, 32, 64, value),
            ir::RegisterType::Pointer if bits == self.linker.program.data_model.pointer_bits() => {
                self.converted(ir::CastOp::IntToPointer, bits, 64, value)
            }
            _ => return Err(()),
        };
        frame.set(at, value)
    }

    /// The number that an operand is, if it is one.
    fn number_in(&self, frame: &Frame, at: usize) -> Option<u64> {
        match frame.slots[at].first?.kind() {
            ir::OperandKind::Constant(id) => match self.out.constants[id.index()] {
                ir::Constant::Bits(bits) => Some(bits),
                _ => None,
            },
            ir::OperandKind::Register(_) => None,
        }
    }

    fn address_of(&mut self, frame: &Frame, place: Place) -> Understood<ir::Operand> {
        match place {
            Place::Operand(at, _) if frame.slots[at].constraint.in_memory => frame.value(at),
            Place::Behind(at, displacement) if !frame.slots[at].constraint.in_memory => {
                let slot = frame.slots[at];
                let value = frame.value(at)?;
                let base = match slot.ty {
                    ir::RegisterType::Pointer => value,
                    ir::RegisterType::Int(bits) if bits == self.linker.program.data_model.pointer_bits() => {
                        self.converted(ir::CastOp::IntToPointer, bits, 64, value)
                    }
                    _ => return Err(()),
                };
                Ok(self.offset(base, displacement))
            }
            _ => Err(()),
        }
    }

    /// A register with a pointer that is moved as a whole.
    fn is_pointer(&self, frame: &Frame, place: Place, bits: u8) -> Option<usize> {
        let Place::Operand(at, None) = place else { return None };
        let slot = &frame.slots[at];
        let whole = bits == self.linker.program.data_model.pointer_bits();
        (whole && !slot.constraint.in_memory && slot.ty == ir::RegisterType::Pointer).then_some(at)
    }

    fn width(&self, pointer: Option<usize>, bits: u8) -> (ir::Width, ir::RegisterType) {
        match pointer {
            Some(_) => (ir::Width::Pointer, ir::RegisterType::Pointer),
            None => (ir::Width::Int(bits), ir::RegisterType::Int(bits)),
        }
    }

    fn calculated(&mut self, op: ir::BinaryOp, bits: u8, a: ir::Operand, b: ir::Operand) -> ir::Operand {
        let destination = self.register(ir::RegisterType::Int(bits));
        self.emit(ir::Inst::Binary { op, bits, signed_wrap: false, destination, a, b });
        destination.into()
    }

    fn compared(&mut self, op: ir::CompareOp, bits: u8, a: ir::Operand, b: ir::Operand) -> ir::Operand {
        let destination = self.register(ir::RegisterType::Int(1));
        self.emit(ir::Inst::Compare { op, bits, pointers: false, destination, a, b });
        destination.into()
    }

    /// One bit as a number.
    fn extended(&mut self, bit: ir::Operand, bits: u8) -> ir::Operand {
        if bits == 1 { bit } else { self.converted(ir::CastOp::ZeroExtend, 1, bits, bit) }
    }

    fn converted(&mut self, op: ir::CastOp, from: u8, to: u8, source: ir::Operand) -> ir::Operand {
        let ty = match op {
            ir::CastOp::IntToPointer => ir::RegisterType::Pointer,
            _ => ir::RegisterType::Int(to),
        };
        let destination = self.register(ty);
        self.emit(ir::Inst::Cast { op, from, to, destination, source });
        destination.into()
    }
}

fn is_register_output(slot: &Slot) -> bool {
    slot.constraint.is_output && !slot.constraint.in_memory
}

fn is_memory(frame: &Frame, place: Place) -> bool {
    match place {
        Place::Operand(at, _) => frame.slots[at].constraint.in_memory,
        Place::Behind(..) => true,
        Place::Number(_) | Place::Stack => false,
    }
}

fn two(statement: &Statement) -> [Place; 2] {
    [statement.operands[0], statement.operands[1]]
}

/// By the letter, or by the registers that take part.
fn statement_bits(frame: &Frame, statement: &Statement) -> Understood<u8> {
    let of_place = |place: &Place| match *place {
        Place::Operand(_, Some(bits)) => Some(bits),
        Place::Operand(at, None) if !frame.slots[at].constraint.in_memory => match frame.slots[at].ty {
            ir::RegisterType::Int(bits) => Some(bits),
            ir::RegisterType::Pointer => Some(64),
            _ => None,
        },
        _ => None,
    };
    let bits = missing(statement.bits.or_else(|| statement.operands.iter().find_map(of_place)))?;
    if matches!(bits, 8 | 16 | 32 | 64) { Ok(bits) } else { Err(()) }
}

fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
