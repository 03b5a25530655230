//! What one instruction does to the sets of targets: the transfer function of the points-to analysis by allocation sites
//! (Andersen 1994). The same cases as in `propagate/transfer.rs`, without the shared object.

use raddle_ir::{
    BinaryOp, Call, Callee, CastOp, Declaration, FunctionId, Inst, KernelOp, Operand, Register, UpdateOp,
};

use super::Propagation;
use crate::points_to::{ANYWHERE, Target, Targets, moved};
use crate::thread_numbers::declares;

impl Propagation<'_> {
    pub(super) fn inst(&mut self, pc: usize, inst: &Inst) {
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
                let (a, b) = (self.get(*a), self.get(*b));
                // What a number is divided by, or shifted by, is no part of a pointer.
                let b = if matches!(op, BinaryOp::Shl | BinaryOp::ShlSigned | BinaryOp::LShr | BinaryOp::AShr)
                {
                    Targets::default()
                } else {
                    b
                };
                self.set(*destination, &a.anywhere());
                self.set(*destination, &b.anywhere());
            }
            Inst::Cast { op, destination, source, .. } => {
                let targets = self.get(*source);
                // An address in a variable as wide as a pointer stays what it is.
                let whole = matches!(op, CastOp::PointerToInt | CastOp::IntToPointer);
                self.set(*destination, &if whole { targets } else { targets.anywhere() });
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
            | Inst::Wide(_) => {
                let mut targets = Targets::default();
                inst.for_each_operand(|operand| {
                    targets.add(&self.get(operand).anywhere());
                });
                inst.for_each_destination(|register| self.set(register, &targets));
            }
            Inst::Load { width, destination, address, .. } => {
                let address = self.get(*address);
                let targets = self.load(&address, width.bytes(self.program.data_model) as i64);
                self.set(*destination, &targets);
            }
            Inst::Store { address, source, .. } => {
                let (address, targets) = (self.get(*address), self.get(*source));
                self.store(&address, &targets);
            }
            Inst::Update { op, width, destination, address, source, .. } => {
                let (address, mut targets) = (self.get(*address), self.get(*source));
                let old = self.load(&address, width.bytes(self.program.data_model) as i64);
                self.set(*destination, &old);
                if *op != UpdateOp::Exchange {
                    targets.add(&old);
                    targets = targets.anywhere();
                }
                self.store(&address, &targets);
            }
            Inst::CompareExchange { width, old, address, new, .. } => {
                let (address, targets) = (self.get(*address), self.get(*new));
                let before = self.load(&address, width.bytes(self.program.data_model) as i64);
                self.set(*old, &before);
                self.store(&address, &targets);
            }
            Inst::Alloca { destination, .. } => self.at_site(pc, *destination),
            Inst::ThreadLocal { destination, global, offset } => {
                let targets = Targets::of(Target::start(self.out.global(*global)).moved(*offset));
                self.set(*destination, &targets);
            }
            Inst::MemoryCopy { destination, source, length, .. } => {
                let (to, from) = (self.get(*destination), self.get(*source));
                let length = self.literal(*length).and_then(|n| i64::try_from(n).ok());
                self.copy(&to, &from, length);
            }
            Inst::MemorySet { destination, byte, .. } => {
                let (to, targets) = (self.get(*destination).anywhere(), self.get(*byte).anywhere());
                self.store(&to, &targets);
            }
            Inst::VaStart { list, .. } => {
                let list = self.get(*list);
                let Some(arguments) = self.out.arguments[self.current] else { return };
                let at = if self.program.data_model.pointer_bytes() == 4 { 0 } else { 8 };
                self.store(&list.map(|t| t.moved(at)), &Targets::of(Target::start(arguments)));
            }
            Inst::VaCopy { destination, source, .. } => {
                let (to, from) = (self.get(*destination), self.get(*source));
                let length = if self.program.data_model.pointer_bytes() == 4 { 4 } else { 24 };
                self.copy(&to, &from, Some(length));
            }
            Inst::Call(call) => self.call(pc, call),
            Inst::Kernel { op, destination, arguments } => self.kernel(pc, *op, *destination, arguments),
            Inst::Return { values } => {
                for (i, value) in values.iter().enumerate() {
                    let targets = self.get(*value);
                    if let Some(result) = self.out.results[self.current].get_mut(i)
                        && result.add(&targets)
                    {
                        for caller in self.callers[self.current].clone() {
                            self.enqueue(caller);
                        }
                    }
                }
            }
            Inst::SetJump { .. }
            | Inst::Fence { .. }
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

    fn at_site(&mut self, pc: usize, destination: Register) {
        if let Some(object) = self.out.sites.get(&(self.current, pc)) {
            let targets = Targets::of(Target::start(*object));
            self.set(destination, &targets);
        }
    }

    fn copy(&mut self, to: &Targets, from: &Targets, length: Option<i64>) {
        for source in from.iter() {
            self.load(&Targets::of(source), 1);
            if source.object == crate::points_to::ObjectIndex::SHARED {
                self.store(&to.anywhere(), &Targets::shared());
                continue;
            }
            let content = self.out.objects[source.object.index()].content.clone();
            for (at, targets) in content.entries() {
                if !length.is_none_or(|n| crate::points_to::overlaps(at, source.offset, n)) {
                    continue;
                }
                let exact = at != ANYWHERE && source.offset != ANYWHERE;
                let by = |t: Target| match exact {
                    true => {
                        Target { object: t.object, offset: moved(t.offset, at as i64 - source.offset as i64) }
                    }
                    false => t.anywhere(),
                };
                let places = to.map(by);
                self.store(&places, targets);
            }
        }
    }

    fn call(&mut self, pc: usize, call: &Call) {
        match call.callee {
            Callee::Direct(callee) => {
                self.start(callee, call);
                self.pass_all(callee, call);
                if self.out.sites.contains_key(&(self.current, pc)) {
                    if let Some(register) = call.results.first() {
                        self.at_site(pc, *register);
                    }
                } else {
                    self.take_results(callee, call);
                }
            }
            Callee::Indirect(operand) => {
                let targets = self.get(operand);
                let known = self.out.functions_of(&targets);
                let body = self.out.bodies[self.current];
                for function in known.as_deref().unwrap_or_default() {
                    // What a thread is started with was passed where it was created.
                    if !body {
                        self.start(*function, call);
                        self.pass_all(*function, call);
                    }
                    if !self.callers[function.index()].contains(&self.current) {
                        self.callers[function.index()].push(self.current);
                    }
                    self.take_results(*function, call);
                }
                if known.is_none() {
                    call.results.iter().for_each(|r| self.set(*r, &Targets::shared()));
                }
            }
        }
    }

    /// A call that creates a thread: its last two arguments are the start function and what that is given.
    fn start(&mut self, callee: FunctionId, call: &Call) {
        let [.., start, argument] = call.arguments[..] else { return };
        if declares(self.program.function(callee), &Declaration::Creates) {
            let (start, argument) = (self.get(start), self.get(argument));
            self.out.given.add(&argument);
            for function in self.out.functions_of(&start).unwrap_or_default() {
                self.pass(function, 0, &argument);
            }
        }
    }

    fn take_results(&mut self, callee: FunctionId, call: &Call) {
        let body = self.program.function(callee).has_body();
        for (i, register) in call.results.iter().enumerate() {
            let targets = match body {
                true => self.out.results[callee.index()].get(i).cloned().unwrap_or_default(),
                false => Targets::shared(),
            };
            self.set(*register, &targets);
        }
    }

    fn pass(&mut self, callee: FunctionId, parameter: usize, targets: &Targets) {
        if let Some(register) = self.program.function(callee).parameters.get(parameter)
            && self.grow(callee.index(), *register, targets)
        {
            self.grew |= callee.index() == self.current;
            self.enqueue(callee.index());
        }
    }

    fn pass_all(&mut self, callee: FunctionId, call: &Call) {
        let parameters = self.program.function(callee).parameters.len();
        for (i, argument) in call.arguments.iter().enumerate().take(parameters) {
            let targets = self.get(*argument);
            self.pass(callee, i, &targets);
        }
        if let Some(block) = self.out.arguments[callee.index()] {
            let fixed = call.arguments.len() - call.variadic.len();
            for argument in call.arguments.iter().skip(fixed) {
                let targets = self.get(*argument);
                self.store(&Targets::of(Target { object: block, offset: ANYWHERE }), &targets);
            }
        }
    }

    fn kernel(&mut self, pc: usize, op: KernelOp, destination: Option<Register>, arguments: &[Operand]) {
        match op {
            KernelOp::Spawn => {
                let (start, block) = (self.get(arguments[0]), self.get(arguments[1]));
                for function in self.out.functions_of(&start).unwrap_or_default() {
                    self.pass(function, 0, &block);
                }
                if self.out.blocks.add(&block) {
                    // Other functions that have the block of a thread by its number have it anew.
                    (0..self.program.functions.len()).for_each(|function| self.enqueue(function));
                }
            }
            KernelOp::Tcb => {
                if let Some(register) = destination {
                    let blocks = self.out.blocks.clone();
                    self.set(register, &blocks);
                }
            }
            KernelOp::Alloc | KernelOp::AllocAligned => {
                if let Some(register) = destination {
                    self.at_site(pc, register);
                }
            }
            // Input as wide as a pointer may have any bits.
            KernelOp::Any => {
                let bits = self.literal(arguments[0]).unwrap_or(64);
                if let Some(register) = destination
                    && bits >= u64::from(self.program.data_model.pointer_bits())
                {
                    self.set(register, &Targets::shared());
                }
            }
            // Text can be read back.
            KernelOp::Format => {
                let buffer = self.get(arguments[0]).anywhere();
                let values = self.listed(arguments[3]);
                self.store(&buffer, &values.anywhere());
            }
            _ => {}
        }
    }

    /// The variadic arguments of a list. In ILP32 the list is their address, in LP64 it contains it.
    fn listed(&mut self, list: Operand) -> Targets {
        let list = self.get(list).anywhere();
        let blocks = match self.program.data_model.pointer_bytes() {
            4 => list,
            _ => self.load(&list, 1),
        };
        self.load(&blocks.anywhere(), 1)
    }
}
