//! What one instruction does to the sets of targets: its transfer function.

use raddle_ir::{BinaryOp, Callee, CastOp, FunctionId, Inst, KernelOp, Operand, Register, UpdateOp};

use super::Analysis;
use crate::points_to::{ANYWHERE, Target, Targets};

impl Analysis<'_> {
    pub(super) fn inst(&mut self, pc: usize, inst: &Inst) {
        self.observe(inst);
        match inst {
            Inst::Copy { destination, source } | Inst::Freeze { destination, source, .. } => {
                let targets = self.get(*source);
                self.set(*destination, &targets);
            }
            Inst::Select { destination, yes, no, .. } => {
                for operand in [yes, no] {
                    let targets = self.get(*operand);
                    self.set(*destination, &targets);
                }
            }
            Inst::PointerAdd { bits, destination, base, index, scale, offset } => {
                let targets = self.get(*base);
                let step = match self.literal(*index) {
                    _ if *scale == 0 => Some(*offset as i64),
                    Some(index) => {
                        let shift = 64 - (*bits).clamp(1, 64) as u32;
                        let index = ((index << shift) as i64) >> shift;
                        Some(index.saturating_mul(*scale as i64).saturating_add(*offset as i64))
                    }
                    None => None,
                };
                let mut targets = match step {
                    Some(step) => targets.map(|t| t.moved(step)),
                    None => targets.anywhere(),
                };
                // Null plus a number that was a pointer. No global is at null.
                if *scale != 0 && (targets.is_empty() || base.as_register().is_some()) {
                    targets.add(&self.get(*index).anywhere());
                }
                self.set(*destination, &targets);
            }
            // Plain numbers.
            Inst::Compare { .. } | Inst::FloatCompare { .. } | Inst::StackSave { .. } => {}
            Inst::Binary { op, destination, a, b, .. } => {
                let plain = self.is_plain_address(*a) && self.is_plain_address(*b);
                let (a, b) = (self.get(*a), self.get(*b));
                let same = a.only_object().is_some() && a.only_object() == b.only_object();
                if *op == BinaryOp::Sub && plain && same {
                    return;
                }
                self.set(*destination, &a.anywhere());
                self.set(*destination, &b.anywhere());
            }
            Inst::Cast { op, destination, source, .. } => {
                let targets = self.get(*source).anywhere();
                self.set(*destination, &targets);
                if *op == CastOp::IntToPointer && self.literal(*source).is_none() {
                    self.set(*destination, &Targets::shared());
                }
            }
            Inst::FloatBinary { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatMultiplyAdd { .. }
            | Inst::FloatCast { .. }
            | Inst::Overflow { .. }
            | Inst::Bits { .. }
            | Inst::Wide(_) => self.arithmetic(inst),
            Inst::Load { width, destination, address, .. } => {
                let address = self.get(*address);
                let targets = self.load(&address, self.width(*width));
                self.set(*destination, &targets);
            }
            Inst::Store { address, source, .. } => {
                let (address, targets) = (self.get(*address), self.get(*source));
                self.store(&address, &targets);
            }
            Inst::Update { op, width, destination, address, source, .. } => {
                let (address, mut targets) = (self.get(*address), self.get(*source));
                let old = self.load(&address, self.width(*width));
                self.set(*destination, &old);
                if *op != UpdateOp::Exchange {
                    self.escape(&targets);
                    self.escape(&old);
                    targets.add(&old);
                    targets = targets.anywhere();
                }
                self.store(&address, &targets);
            }
            Inst::CompareExchange { width, old, address, expected, new, .. } => {
                let (address, targets) = (self.get(*address), self.get(*new));
                let before = self.load(&address, self.width(*width));
                self.compared_in_memory(&before, *expected);
                self.set(*old, &before);
                self.store(&address, &targets);
            }
            Inst::Alloca { destination, .. } => {
                let own = &self.stack[self.current];
                let at = own.partition_point(|(at, _)| *at < pc);
                let targets = Targets::of(Target::start(own[at].1));
                self.set(*destination, &targets);
            }
            Inst::ThreadLocal { destination, global, offset } => {
                let targets = Targets::of(Target::start(self.global(*global)).moved(*offset));
                self.set(*destination, &targets);
            }
            Inst::MemoryCopy { destination, source, length, .. } => {
                let (to, from) = (self.get(*destination), self.get(*source));
                let length = self.literal(*length).and_then(|n| i64::try_from(n).ok());
                self.copy_memory(&to, &from, length);
            }
            Inst::MemorySet { destination, byte, .. } => {
                let (to, targets) = (self.get(*destination).anywhere(), self.get(*byte).anywhere());
                self.store(&to, &targets);
            }
            Inst::VaStart { list, .. } => {
                let list = self.get(*list);
                let Some(arguments) = self.arguments[self.current] else { return };
                // Where `va_start` puts the address of the block: see the machine.
                let at = if self.program.data_model.pointer_bytes() == 4 { 0 } else { 8 };
                self.store(&list.map(|t| t.moved(at)), &Targets::of(Target::start(arguments)));
            }
            Inst::VaCopy { destination, source, .. } => {
                let (to, from) = (self.get(*destination), self.get(*source));
                let length = if self.program.data_model.pointer_bytes() == 4 { 4 } else { 24 };
                self.copy_memory(&to, &from, Some(length));
            }
            Inst::SetJump { buffer, .. } => {
                let buffer = self.get(*buffer);
                self.store(&buffer, &Targets::default());
            }
            Inst::Call(call) => self.call(call),
            Inst::Kernel { op, destination, arguments } => self.kernel(*op, *destination, arguments),
            Inst::Return { values } => {
                for (i, value) in values.iter().enumerate() {
                    let targets = self.get(*value);
                    self.result(i, &targets);
                }
            }
            Inst::Fence { .. }
            | Inst::StackRestore { .. }
            | Inst::LifetimeStart { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::VaEnd { .. }
            | Inst::LongJump { .. }
            | Inst::Unsupported { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch(_)
            | Inst::IndirectJump { .. }
            | Inst::Unreachable => {}
        }
    }

    /// Whatever is computed from pointers still carries them.
    fn arithmetic(&mut self, inst: &Inst) {
        let mut targets = Targets::default();
        inst.for_each_operand(|operand| {
            targets.add(&self.get(operand).anywhere());
        });
        inst.for_each_destination(|register| self.set(register, &targets));
    }

    fn result(&mut self, index: usize, targets: &Targets) {
        let function = self.current;
        if self.address_taken[function] {
            self.escape(targets);
        }
        let targets = self.condensed(targets);
        if let Some(result) = self.results[function].get_mut(index)
            && result.add(&targets)
        {
            for caller in self.callers[function].clone() {
                self.enqueue(caller);
            }
        }
    }

    fn call(&mut self, call: &raddle_ir::Call) {
        let callee = match call.callee {
            Callee::Direct(callee) if self.program.function(callee).has_body() => callee,
            _ => {
                for argument in &call.arguments {
                    let targets = self.get(*argument);
                    self.escape(&targets);
                }
                for result in &call.results {
                    self.set(*result, &Targets::shared());
                }
                return;
            }
        };
        self.pass_arguments(callee, call);
        for (i, register) in call.results.iter().enumerate() {
            let targets = self.results[callee.index()].get(i).cloned().unwrap_or_default();
            self.set(*register, &targets);
        }
    }

    fn pass_arguments(&mut self, callee: FunctionId, call: &raddle_ir::Call) {
        let target = self.program.function(callee);
        let mut grew = false;
        for (parameter, argument) in target.parameters.iter().zip(&call.arguments) {
            let targets = self.get(*argument);
            grew |= self.grow(callee.index(), *parameter, &targets);
        }
        if grew {
            self.enqueue(callee.index());
        }
        if let Some(block) = self.arguments[callee.index()] {
            let fixed = call.arguments.len() - call.variadic.len();
            for argument in &call.arguments[fixed..] {
                let targets = self.get(*argument);
                self.store_into(Target { object: block, offset: ANYWHERE }, &targets);
            }
        }
    }

    fn kernel(&mut self, op: KernelOp, destination: Option<Register>, arguments: &[Operand]) {
        match op {
            // The thread's own block is known to all.
            KernelOp::Spawn => {
                for argument in arguments {
                    let targets = self.get(*argument);
                    self.escape(&targets);
                }
            }
            KernelOp::Format => {
                let (buffer, list) = (self.get(arguments[0]).anywhere(), self.get(arguments[3]).anywhere());
                self.store(&buffer, &Targets::default());
                // In ILP32 the list is the block's address, in LP64 it contains it.
                let blocks = match self.program.data_model.pointer_bytes() {
                    4 => list,
                    _ => self.load(&list, 0),
                };
                let values = self.load(&blocks.anywhere(), 0);
                self.escape(&values);
            }
            KernelOp::Print if self.prints_counts => {
                let list = self.get(arguments[2]).anywhere();
                let blocks = match self.program.data_model.pointer_bytes() {
                    4 => list,
                    _ => self.load(&list, 0),
                };
                let values = self.load(&blocks.anywhere(), 0);
                self.escape(&values);
            }
            // Pointers that the kernel gives, and input that may have any bits.
            KernelOp::Tcb | KernelOp::Alloc | KernelOp::AllocAligned | KernelOp::Any => {
                if let Some(register) = destination {
                    self.set(register, &Targets::shared());
                }
            }
            // An address is only a name, or what is read there goes out of the program.
            KernelOp::Block
            | KernelOp::Pause
            | KernelOp::Acquire
            | KernelOp::Release
            | KernelOp::Touch
            | KernelOp::Atomic
            | KernelOp::Same
            | KernelOp::Event
            | KernelOp::Holds
            | KernelOp::Held
            | KernelOp::Fault
            | KernelOp::Unsupported
            | KernelOp::Fixed
            | KernelOp::Free
            | KernelOp::Resize
            | KernelOp::ObjectSize
            | KernelOp::Writable
            | KernelOp::IsDeterminate
            | KernelOp::Print
            | KernelOp::Output => {}
            // No pointers.
            KernelOp::Begin
            | KernelOp::End
            | KernelOp::SelfThread
            | KernelOp::Finished
            | KernelOp::ThreadExit
            | KernelOp::ProcessExit
            | KernelOp::Yield
            | KernelOp::AtomicBegin
            | KernelOp::AtomicEnd
            | KernelOp::Spurious
            | KernelOp::Choose
            | KernelOp::Assume
            | KernelOp::Setting
            | KernelOp::HasEvent
            | KernelOp::Progress => {}
        }
    }
}
