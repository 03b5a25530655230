//! The rules for instructions; their numbers are those of the parent module's header.

use super::Verifier;
use crate::ids::*;
use crate::instruction::*;
use crate::operation::*;
use crate::program::*;

/// The largest alignment, as a power of two: LLVM's.
const MAX_ALIGN_LOG2: u8 = 32;

impl<'a> Verifier<'a> {
    // -- reading and writing -----------------------------------------------------------------------------------

    fn register(&mut self, function: &'a Function, register: Register) -> Option<RegisterType> {
        let found = self.in_range(register.index(), function.registers.len(), register);
        found.then(|| function.registers[register.index()].ty)
    }
    fn constant(&mut self, function: &'a Function, id: ConstantId) -> Option<&'a Constant> {
        let found = self.in_range(id.index(), function.constants.len(), id);
        found.then(|| &function.constants[id.index()])
    }
    /// Only that it is in range.
    fn any(&mut self, function: &'a Function, operand: Operand) {
        match operand.kind() {
            OperandKind::Register(register) => {
                self.register(function, register);
            }
            OperandKind::Constant(id) => {
                self.constant(function, id);
            }
        }
    }
    /// Rules 2 and 3: `operand` is read as a `ty`.
    fn read(&mut self, function: &'a Function, operand: Operand, ty: RegisterType) {
        match operand.kind() {
            OperandKind::Register(register) => {
                let Some(found) = self.register(function, register) else { return };
                let fits = match (found, ty) {
                    (RegisterType::Int(has), RegisterType::Int(wanted)) => has <= wanted,
                    _ => found == ty,
                };
                self.require(fits, || format!("{register} holds {found:?} and is read as {ty:?}"));
            }
            OperandKind::Constant(id) => {
                let Some(constant) = self.constant(function, id) else { return };
                let pointer_bits = self.program.data_model.pointer_bits();
                let fits = match (constant, ty) {
                    (Constant::Undefined, _) => true,
                    (Constant::Bits(bits), RegisterType::Int(width)) => {
                        bits.checked_shr(width as u32).unwrap_or(0) == 0
                    }
                    (Constant::Bits(bits), RegisterType::Float) => *bits <= u32::MAX as u64,
                    (Constant::Bits(_), RegisterType::Double | RegisterType::Pointer) => true,
                    (_, RegisterType::Int(width)) => width >= pointer_bits,
                    (_, RegisterType::Pointer) => true,
                    (_, RegisterType::Float | RegisterType::Double) => false,
                };
                self.require(fits, || format!("the constant {constant:?} is read as {ty:?}"));
            }
        }
    }
    /// Rules 2 and 3: a `ty` is written to `register`.
    fn write(&mut self, function: &'a Function, register: Register, ty: RegisterType) {
        let Some(found) = self.register(function, register) else { return };
        let fits = match (found, ty) {
            (RegisterType::Int(has), RegisterType::Int(given)) => has >= given,
            _ => found == ty,
        };
        self.require(fits, || format!("{register} holds {found:?} and {ty:?} is written to it"));
    }
    fn write_integer(&mut self, function: &'a Function, register: Register) {
        if let Some(found) = self.register(function, register) {
            let integer = matches!(found, RegisterType::Int(_));
            self.require(integer, || format!("{register} holds {found:?} and an integer is written to it"));
        }
    }
    fn read_integer(&mut self, function: &'a Function, operand: Operand) {
        self.read(function, operand, RegisterType::Int(64));
    }
    fn read_pointer(&mut self, function: &'a Function, operand: Operand) {
        self.read(function, operand, RegisterType::Pointer);
    }
    /// Rule 4.
    fn moved(&mut self, function: &'a Function, from: Operand, to: Register) {
        let Some(target) = self.register(function, to) else { return };
        let source = match from.kind() {
            OperandKind::Register(register) => match self.register(function, register) {
                Some(source) => source,
                None => return,
            },
            OperandKind::Constant(_) => return self.read(function, from, target),
        };
        let fits =
            match (source, target) {
                (RegisterType::Int(from), RegisterType::Int(to)) => from <= to,
                (RegisterType::Pointer, RegisterType::Int(64)) => true,
                (RegisterType::Int(64), RegisterType::Pointer) => true,
                (RegisterType::Float, RegisterType::Int(32))
                | (RegisterType::Int(32), RegisterType::Float) => true,
                (RegisterType::Double, RegisterType::Int(64))
                | (RegisterType::Int(64), RegisterType::Double) => true,
                _ => source == target,
            };
        self.require(fits, || format!("{source:?} is moved to {to}, which holds {target:?}"));
    }
    fn width(&mut self, bits: u8) {
        self.require((1..=64).contains(&bits), || format!("an integer of {bits} bits, not 1 to 64"));
    }
    fn memory_width(&mut self, width: Width) {
        if let Width::Int(bits) = width {
            self.width(bits);
        }
    }
    fn access(&mut self, access: Access) {
        self.align(access.align_log2);
    }
    fn align(&mut self, align_log2: u8) {
        self.require(align_log2 <= MAX_ALIGN_LOG2, || format!("an alignment of 2^{align_log2}"));
    }
    fn block(&mut self, function: &'a Function, block: BlockId) {
        self.in_range(block.index(), function.blocks.len(), block);
    }
    fn distinct(&mut self, registers: &[Register]) {
        for (index, register) in registers.iter().enumerate() {
            self.require(!registers[..index].contains(register), || format!("{register} is written twice"));
        }
    }

    // -- instructions ------------------------------------------------------------------------------------------

    pub(super) fn inst(&mut self, function: &'a Function, inst: &Inst) {
        use RegisterType::Int;
        match inst {
            Inst::Copy { destination, source } => self.moved(function, *source, *destination),
            Inst::Binary { bits, destination, a, b, .. } => {
                self.width(*bits);
                self.read(function, *a, Int(*bits));
                self.read(function, *b, Int(*bits));
                self.write(function, *destination, Int(*bits));
            }
            Inst::Compare { bits, pointers, destination, a, b, .. } => {
                self.width(*bits);
                self.require(!pointers || *bits == 64, || format!("pointers are compared at {bits} bits"));
                let ty = if *pointers { RegisterType::Pointer } else { Int(*bits) };
                self.read(function, *a, ty);
                self.read(function, *b, ty);
                self.write(function, *destination, Int(1));
            }
            Inst::Cast { op, from, to, destination, source } => {
                self.cast(function, *op, *from, *to, *destination, *source);
            }
            Inst::Select { destination, condition, yes, no } => {
                self.read(function, *condition, Int(1));
                self.moved(function, *yes, *destination);
                self.moved(function, *no, *destination);
            }
            Inst::PointerAdd { bits, destination, base, index, .. } => {
                self.width(*bits);
                self.read_pointer(function, *base);
                self.read(function, *index, Int(*bits));
                self.write(function, *destination, RegisterType::Pointer);
            }
            Inst::FloatBinary { kind, destination, a, b, .. } => {
                self.read(function, *a, kind.register_type());
                self.read(function, *b, kind.register_type());
                self.write(function, *destination, kind.register_type());
            }
            Inst::FloatUnary { kind, destination, source, .. } => {
                self.read(function, *source, kind.register_type());
                self.write(function, *destination, kind.register_type());
            }
            Inst::FloatMultiplyAdd { kind, destination, a, b, c, .. } => {
                for operand in [a, b, c] {
                    self.read(function, *operand, kind.register_type());
                }
                self.write(function, *destination, kind.register_type());
            }
            Inst::FloatCompare { op, kind, destination, a, b } => {
                self.require(op.0 < 16, || format!("there is no float comparison {}", op.0));
                self.read(function, *a, kind.register_type());
                self.read(function, *b, kind.register_type());
                self.write(function, *destination, Int(1));
            }
            Inst::FloatCast { op, kind, bits, destination, source } => {
                if *op != FloatCastOp::Resize {
                    self.width(*bits);
                }
                let (from, to) = op.types(*kind, *bits);
                self.read(function, *source, from);
                self.write(function, *destination, to);
            }
            Inst::Overflow { bits, destination, overflow, a, b, .. } => {
                self.width(*bits);
                self.read(function, *a, Int(*bits));
                self.read(function, *b, Int(*bits));
                self.write(function, *destination, Int(*bits));
                self.write(function, *overflow, Int(1));
                self.distinct(&[*destination, *overflow]);
            }
            Inst::Bits { op, bits, destination, a, b, c } => {
                self.width(*bits);
                self.read(function, *a, Int(*bits));
                if matches!(op, BitOp::FunnelLeft | BitOp::FunnelRight) {
                    self.read(function, *b, Int(*bits));
                    self.read(function, *c, Int(*bits));
                } else {
                    self.any(function, *b);
                    self.any(function, *c);
                }
                self.write(function, *destination, Int(*bits));
            }
            Inst::Wide(wide) => self.wide(function, wide),
            Inst::Freeze { bits, destination, source } => {
                self.width(*bits);
                self.moved(function, *source, *destination);
            }
            Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Update { .. }
            | Inst::CompareExchange { .. }
            | Inst::Fence { .. }
            | Inst::Alloca { .. }
            | Inst::MemoryCopy { .. }
            | Inst::MemorySet { .. } => self.memory(function, inst),
            Inst::ThreadLocal { destination, global, .. } => {
                if self.global_in_range(*global) {
                    let own = self.program.global(*global).thread_local;
                    self.require(own, || format!("{global} is not thread-local"));
                }
                self.write(function, *destination, RegisterType::Pointer);
            }
            Inst::StackSave { destination } => {
                self.register(function, *destination);
            }
            Inst::StackRestore { saved } => self.any(function, *saved),
            Inst::LifetimeStart { address } | Inst::LifetimeEnd { address } => {
                self.read_pointer(function, *address);
            }
            Inst::VaStart { list, .. } | Inst::VaEnd { list } => self.read_pointer(function, *list),
            Inst::VaCopy { destination, source, .. } => {
                self.read_pointer(function, *destination);
                self.read_pointer(function, *source);
            }
            Inst::SetJump { destination, buffer, .. } => {
                self.read_pointer(function, *buffer);
                self.write_integer(function, *destination);
            }
            Inst::LongJump { buffer, value, .. } => {
                self.read_pointer(function, *buffer);
                self.read_integer(function, *value);
            }
            Inst::Call(call) => self.call(function, call),
            Inst::Kernel { op, destination, arguments } => {
                self.require(arguments.len() == op.arguments(), || {
                    format!(
                        "kernel.{} takes {} arguments, not {}",
                        op.word(),
                        op.arguments(),
                        arguments.len()
                    )
                });
                arguments.iter().for_each(|argument| self.any(function, *argument));
                if let Some(destination) = destination {
                    self.register(function, *destination);
                    self.require(op.has_result(), || format!("kernel.{} has no result", op.word()));
                }
            }
            Inst::Unsupported { .. } | Inst::Unreachable => {}
            Inst::Jump { target } => self.block(function, *target),
            Inst::Branch { condition, yes, no } => {
                self.read(function, *condition, Int(1));
                self.block(function, *yes);
                self.block(function, *no);
            }
            Inst::Switch(switch) => self.switch(function, switch),
            Inst::IndirectJump { address, targets } => {
                self.read_pointer(function, *address);
                self.require(!targets.is_empty(), || "an indirect jump without targets".into());
                targets.iter().for_each(|target| self.block(function, *target));
            }
            Inst::Return { values } => {
                self.require(values.len() as u64 == function.results as u64, || {
                    format!("{} values are returned, not {}", values.len(), function.results)
                });
                values.iter().for_each(|value| self.any(function, *value));
            }
        }
    }

    /// Rule 6.
    fn cast(
        &mut self,
        function: &'a Function,
        op: CastOp,
        from: u8,
        to: u8,
        destination: Register,
        source: Operand,
    ) {
        self.width(from);
        self.width(to);
        let ordered = match op {
            CastOp::Truncate => from > to,
            CastOp::ZeroExtend | CastOp::SignExtend => from < to,
            CastOp::PointerToInt | CastOp::IntToPointer => true,
        };
        self.require(ordered, || format!("{op:?} from {from} to {to} bits"));
        let (from, to) = (RegisterType::Int(from), RegisterType::Int(to));
        let (from, to) = match op {
            CastOp::PointerToInt => (RegisterType::Pointer, to),
            CastOp::IntToPointer => (from, RegisterType::Pointer),
            _ => (from, to),
        };
        self.read(function, source, from);
        self.write(function, destination, to);
    }

    /// Rule 1 for wide values.
    fn wide(&mut self, function: &'a Function, wide: &WideInst) {
        self.require(wide.bits > 64, || format!("a wide integer of {} bits", wide.bits));
        match wide.op {
            WideOp::ZeroExtend { from } | WideOp::SignExtend { from } => {
                let widens = (1..wide.bits).contains(&from);
                self.require(widens, || format!("extension from {from} to {} bits", wide.bits));
            }
            WideOp::Truncate { to } => {
                let narrows = (1..wide.bits).contains(&to);
                self.require(narrows, || format!("truncation from {} to {to} bits", wide.bits));
            }
            _ => {}
        }
        match wide.op {
            WideOp::FromFloat { kind, .. } => {
                let found = self.register(function, wide.a);
                self.require(found.is_none_or(|ty| ty == kind.register_type()), || {
                    format!("{} holds {found:?} and is read as {kind:?}", wide.a)
                });
            }
            _ => self.limbs(function, wide.a, wide.a_limbs(), None),
        }
        match wide.b_limbs() {
            // It is not read but still names a register.
            0 => {
                self.register(function, wide.b);
            }
            limbs => self.limbs(function, wide.b, limbs, None),
        }
        match wide.op {
            WideOp::ToFloat { kind, .. } => self.write(function, wide.destination, kind.register_type()),
            WideOp::Compare(_) => self.write(function, wide.destination, RegisterType::Int(1)),
            WideOp::Truncate { to } => self.limbs(function, wide.destination, limbs(to), Some(to)),
            _ => self.limbs(function, wide.destination, wide.destination_limbs(), Some(wide.bits)),
        }
    }
    /// A wide value that is read, or (`written`) one of so many bits that is written.
    fn limbs(&mut self, function: &'a Function, first: Register, limbs: u32, written: Option<u16>) {
        let length = function.registers.len();
        let Some(registers) = function.registers.get(first.index()..first.index() + limbs as usize) else {
            return self.error(format!("a wide value of {limbs} registers from {first}: there are {length}"));
        };
        for (limb, info) in registers.iter().enumerate() {
            let needed = written.map_or(1, |bits| (bits as usize).saturating_sub(64 * limb).min(64));
            let fits = matches!(info.ty, RegisterType::Int(bits) if bits as usize >= needed);
            self.require(fits, || {
                let register = Register::new(first.index() + limb);
                format!("{register} holds {:?} and is a limb of {needed} bits", info.ty)
            });
        }
    }

    /// Rule 7.
    fn memory(&mut self, function: &'a Function, inst: &Inst) {
        use MemoryOrder::*;
        match inst {
            Inst::Load { width, access, destination, address } => {
                self.memory_width(*width);
                self.access(*access);
                self.require(!matches!(access.order, Release | AcquireRelease), || {
                    "a load with release order".into()
                });
                self.read_pointer(function, *address);
                self.write(function, *destination, width.register_type());
            }
            Inst::Store { width, access, address, source } => {
                self.memory_width(*width);
                self.access(*access);
                self.require(!matches!(access.order, Acquire | AcquireRelease), || {
                    "a store with acquire order".into()
                });
                self.read_pointer(function, *address);
                self.read(function, *source, width.register_type());
            }
            Inst::Update { op, width, access, destination, address, source } => {
                self.memory_width(*width);
                self.access(*access);
                self.require(access.order >= Relaxed, || "an update that is not atomic".into());
                let typed = match op {
                    UpdateOp::Exchange => true,
                    UpdateOp::FAdd | UpdateOp::FSub | UpdateOp::FMax | UpdateOp::FMin => {
                        matches!(width, Width::Float | Width::Double)
                    }
                    _ => matches!(width, Width::Int(_)),
                };
                self.require(typed, || format!("{op:?} of a {width:?}"));
                self.read_pointer(function, *address);
                self.read(function, *source, width.register_type());
                self.write(function, *destination, width.register_type());
            }
            Inst::CompareExchange {
                width, access, failure, old, success, address, expected, new, ..
            } => {
                self.memory_width(*width);
                self.access(*access);
                self.require(access.order >= Relaxed, || "a compare-exchange that is not atomic".into());
                self.require(matches!(failure, Relaxed | Acquire | SequentiallyConsistent), || {
                    format!("a compare-exchange with the failure order {failure:?}")
                });
                self.require(matches!(width, Width::Int(_) | Width::Pointer), || {
                    format!("compare-exchange of a {width:?}")
                });
                self.read_pointer(function, *address);
                self.read(function, *expected, width.register_type());
                self.read(function, *new, width.register_type());
                self.write(function, *old, width.register_type());
                self.write(function, *success, RegisterType::Int(1));
                self.distinct(&[*old, *success]);
            }
            Inst::Fence { order } => {
                self.require(*order >= Acquire, || format!("a fence with the order {order:?}"));
            }
            Inst::Alloca { destination, size, align_log2 } => {
                self.align(*align_log2);
                self.read_integer(function, *size);
                self.write(function, *destination, RegisterType::Pointer);
            }
            Inst::MemoryCopy { destination, source, length, .. } => {
                self.read_pointer(function, *destination);
                self.read_pointer(function, *source);
                self.read_integer(function, *length);
            }
            Inst::MemorySet { destination, byte, length, .. } => {
                self.read_pointer(function, *destination);
                self.read(function, *byte, RegisterType::Int(8));
                self.read_integer(function, *length);
            }
            _ => {}
        }
    }

    /// Rules 8 and 9.
    fn call(&mut self, function: &'a Function, call: &Call) {
        call.arguments.iter().for_each(|argument| self.any(function, *argument));
        for result in &call.results {
            self.register(function, *result);
        }
        self.distinct(&call.results);
        call.variadic.iter().for_each(|width| self.memory_width(*width));
        let Some(fixed) = call.arguments.len().checked_sub(call.variadic.len()) else {
            return self.error("a call has more variadic arguments than arguments");
        };
        let callee = match call.callee {
            Callee::Indirect(operand) => return self.read_pointer(function, operand),
            Callee::Direct(id) if self.function_in_range(id) => self.program.function(id),
            Callee::Direct(_) => return,
        };
        self.require(fixed == callee.parameters.len(), || {
            format!("`{}` takes {} arguments, not {fixed}", callee.name, callee.parameters.len())
        });
        self.require(callee.variadic || call.variadic.is_empty(), || {
            format!("`{}` is not variadic", callee.name)
        });
        self.require(call.results.len() as u64 <= callee.results as u64, || {
            format!("`{}` gives {} results, not {}", callee.name, callee.results, call.results.len())
        });
    }

    /// Rule 11.
    fn switch(&mut self, function: &'a Function, switch: &Switch) {
        self.read_integer(function, switch.value);
        let bits = match switch.value.as_register().and_then(|r| function.registers.get(r.index())) {
            Some(RegisterInfo { ty: RegisterType::Int(bits), .. }) => *bits,
            _ => 64,
        };
        self.block(function, switch.default);
        let mut last = None;
        for (value, target) in &switch.cases {
            self.block(function, *target);
            self.require(last.is_none_or(|last| last < *value), || {
                format!("the case {value} does not ascend")
            });
            self.require(value.checked_shr(bits as u32).unwrap_or(0) == 0, || {
                format!("the case {value} does not fit {bits} bits")
            });
            last = Some(*value);
        }
    }
}
