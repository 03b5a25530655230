//! The instructions. Each says what it computes. The conditions of arithmetic faults are in `raddle-semantics`, those of
//! memory faults in `raddle-machine`.
//!
//! Register values are zero-extended to 64 bits. `bits` of an integer instruction is 1 to 64. Pointers have 64 bits in
//! registers in both data models; in memory they take [`crate::DataModel::pointer_bytes`].

use crate::ids::*;
use crate::kernel::KernelOp;
use crate::operation::*;
use crate::program::RegisterType;

/// A call's target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Direct(FunctionId),
    Indirect(Operand),
}

/// A call. `results` may be fewer than the callee's (ignored) but not more.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub callee: Callee,
    /// Fixed arguments first, then the variadic ones.
    pub arguments: Vec<Operand>,
    /// How each variadic argument lies in memory when `va_arg` reads it; same length as the variadic part. Determines
    /// `fixed = arguments.len() - variadic.len()`.
    pub variadic: Vec<Width>,
    pub results: Vec<Register>,
    /// It gives back a lock or frees a block, and while that is the next step of a thread, no other thread can make a step
    /// before it that does not commute with it: as `Access::guarded`.
    pub guarded: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Switch {
    pub value: Operand,
    pub default: BlockId,
    /// (value, target), by ascending value.
    pub cases: Vec<(u64, BlockId)>,
}

/// A wide instruction; see [`WideOp`]. `a` and `b` are first registers (constants were copied to registers).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WideInst {
    pub op: WideOp,
    pub bits: u16,
    pub signed_wrap: bool,
    pub destination: Register,
    pub a: Register,
    pub b: Register,
}

/// One instruction. The tag is a byte of its own: hidden in a field, it would take longer to read, and it is read at every
/// step.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub enum Inst {
    Copy {
        destination: Register,
        source: Operand,
    },
    /// `signed_wrap`: signed overflow is a fault of the program (LLVM's `nsw`).
    Binary {
        op: BinaryOp,
        bits: u8,
        signed_wrap: bool,
        destination: Register,
        a: Operand,
        b: Operand,
    },
    /// Integers of `bits`, or pointers (`bits` 64), which compare by address.
    Compare {
        op: CompareOp,
        bits: u8,
        pointers: bool,
        destination: Register,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: CastOp,
        from: u8,
        to: u8,
        destination: Register,
        source: Operand,
    },
    Select {
        destination: Register,
        condition: Operand,
        yes: Operand,
        no: Operand,
    },
    /// destination = base + sign-extended index * scale + offset, in bytes. `bits` is the index's width.
    PointerAdd {
        bits: u8,
        destination: Register,
        base: Operand,
        index: Operand,
        scale: i32,
        offset: i32,
    },
    FloatBinary {
        op: FloatBinaryOp,
        kind: FloatKind,
        destination: Register,
        a: Operand,
        b: Operand,
    },
    FloatUnary {
        op: FloatUnaryOp,
        kind: FloatKind,
        destination: Register,
        source: Operand,
    },
    /// a * b + c, rounded once if `fused`.
    FloatMultiplyAdd {
        kind: FloatKind,
        fused: bool,
        destination: Register,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    FloatCompare {
        op: FloatCompareOp,
        kind: FloatKind,
        destination: Register,
        a: Operand,
        b: Operand,
    },
    /// `kind` is the float side (for Resize: the source's), `bits` the integer side.
    FloatCast {
        op: FloatCastOp,
        kind: FloatKind,
        bits: u8,
        destination: Register,
        source: Operand,
    },
    /// Result and overflow bit.
    Overflow {
        op: OverflowOp,
        bits: u8,
        destination: Register,
        overflow: Register,
        a: Operand,
        b: Operand,
    },
    /// `b` and `c` are read by funnel shifts only (a:b shifted by c).
    Bits {
        op: BitOp,
        bits: u8,
        destination: Register,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    Wide(Box<WideInst>),
    /// An indeterminate value becomes some determinate one.
    Freeze {
        bits: u8,
        destination: Register,
        source: Operand,
    },

    Load {
        width: Width,
        access: Access,
        destination: Register,
        address: Operand,
    },
    Store {
        width: Width,
        access: Access,
        address: Operand,
        source: Operand,
    },
    /// Atomic read-modify-write; gives the old value.
    Update {
        op: UpdateOp,
        width: Width,
        access: Access,
        destination: Register,
        address: Operand,
        source: Operand,
    },
    /// Atomic compare-exchange; `access.order` is the order on success.
    CompareExchange {
        width: Width,
        access: Access,
        failure: MemoryOrder,
        weak: bool,
        old: Register,
        success: Register,
        address: Operand,
        expected: Operand,
        new: Operand,
    },
    Fence {
        order: MemoryOrder,
    },
    /// A new stack object of `size` bytes, alive until the function returns or the stack is restored.
    Alloca {
        destination: Register,
        size: Operand,
        align_log2: u8,
    },
    /// The address of the executing thread's instance of a thread-local, plus bytes.
    ThreadLocal {
        destination: Register,
        global: GlobalId,
        offset: i64,
    },
    /// The height of this function's stack objects, for variable-length arrays.
    StackSave {
        destination: Register,
    },
    StackRestore {
        saved: Operand,
    },
    /// The stack object's bytes become indeterminate (start), or it dies (end) until its next start.
    LifetimeStart {
        address: Operand,
    },
    LifetimeEnd {
        address: Operand,
    },
    /// `overlapping`: memmove. `visible_*` as in [`Access`].
    MemoryCopy {
        destination: Operand,
        source: Operand,
        length: Operand,
        overlapping: bool,
        visible: bool,
    },
    MemorySet {
        destination: Operand,
        byte: Operand,
        length: Operand,
        visible: bool,
    },

    /// `visible` of these four as in [`Access`]: what they write to or read from the list or buffer.
    VaStart {
        list: Operand,
        visible: bool,
    },
    VaEnd {
        list: Operand,
    },
    VaCopy {
        destination: Operand,
        source: Operand,
        visible: bool,
    },
    /// C's setjmp in this frame: 0 now, the given value when `LongJump` comes back here.
    SetJump {
        destination: Register,
        buffer: Operand,
        visible: bool,
    },
    LongJump {
        buffer: Operand,
        value: Operand,
        visible: bool,
    },

    Call(Box<Call>),
    Kernel {
        op: KernelOp,
        destination: Option<Register>,
        arguments: Box<[Operand]>,
    },
    /// The front end or the models cannot express it; the verdict is unknown if it is reached.
    Unsupported {
        reason: Box<str>,
    },

    Jump {
        target: BlockId,
    },
    Branch {
        condition: Operand,
        yes: BlockId,
        no: BlockId,
    },
    Switch(Box<Switch>),
    /// To the block whose address the operand holds; one of `targets`.
    IndirectJump {
        address: Operand,
        targets: Box<[BlockId]>,
    },
    Return {
        values: Box<[Operand]>,
    },
    Unreachable,
}

impl Width {
    /// Bytes in memory.
    #[inline]
    pub fn bytes(self, model: crate::DataModel) -> u32 {
        match self {
            // LLVM's store size: an i33 takes 5 bytes.
            Width::Int(bits) => (bits as u32).div_ceil(8),
            Width::Float => 4,
            Width::Double => 8,
            Width::Pointer => model.pointer_bytes(),
        }
    }
    /// What a register holds that was loaded so.
    pub fn register_type(self) -> RegisterType {
        match self {
            Width::Int(bits) => RegisterType::Int(bits),
            Width::Float => RegisterType::Float,
            Width::Double => RegisterType::Double,
            Width::Pointer => RegisterType::Pointer,
        }
    }
}

impl FloatKind {
    pub fn register_type(self) -> RegisterType {
        match self {
            FloatKind::Float => RegisterType::Float,
            FloatKind::Double => RegisterType::Double,
        }
    }
}

impl FloatCastOp {
    /// The types that it reads and writes.
    pub fn types(self, kind: FloatKind, bits: u8) -> (RegisterType, RegisterType) {
        let (float, int) = (kind.register_type(), RegisterType::Int(bits));
        match self {
            FloatCastOp::Resize => match kind {
                FloatKind::Float => (float, RegisterType::Double),
                FloatKind::Double => (float, RegisterType::Float),
            },
            FloatCastOp::ToSigned
            | FloatCastOp::ToUnsigned
            | FloatCastOp::ToSignedSaturating
            | FloatCastOp::ToUnsignedSaturating => (float, int),
            FloatCastOp::FromSigned | FloatCastOp::FromUnsigned => (int, float),
        }
    }
}

impl Inst {
    /// Whether control leaves the block here.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::Switch(_)
                | Inst::IndirectJump { .. }
                | Inst::Return { .. }
                | Inst::Unreachable
        )
    }

    /// The registers it writes.
    pub fn for_each_destination(&self, mut f: impl FnMut(Register)) {
        use Inst::*;
        match self {
            Copy { destination, .. }
            | Binary { destination, .. }
            | Compare { destination, .. }
            | Cast { destination, .. }
            | Select { destination, .. }
            | PointerAdd { destination, .. }
            | FloatBinary { destination, .. }
            | FloatUnary { destination, .. }
            | FloatMultiplyAdd { destination, .. }
            | FloatCompare { destination, .. }
            | FloatCast { destination, .. }
            | Bits { destination, .. }
            | Freeze { destination, .. }
            | Load { destination, .. }
            | Update { destination, .. }
            | Alloca { destination, .. }
            | ThreadLocal { destination, .. }
            | StackSave { destination }
            | SetJump { destination, .. } => f(*destination),
            Overflow { destination, overflow, .. } => {
                f(*destination);
                f(*overflow);
            }
            Wide(w) => (0..w.destination_limbs()).for_each(|i| f(Register(w.destination.0 + i))),
            CompareExchange { old, success, .. } => {
                f(*old);
                f(*success);
            }
            Call(call) => call.results.iter().for_each(|r| f(*r)),
            Kernel { destination, .. } => destination.iter().for_each(|r| f(*r)),
            Store { .. }
            | Fence { .. }
            | StackRestore { .. }
            | LifetimeStart { .. }
            | LifetimeEnd { .. }
            | MemoryCopy { .. }
            | MemorySet { .. }
            | VaStart { .. }
            | VaEnd { .. }
            | VaCopy { .. }
            | LongJump { .. }
            | Unsupported { .. }
            | Jump { .. }
            | Branch { .. }
            | Switch(_)
            | IndirectJump { .. }
            | Return { .. }
            | Unreachable => {}
        }
    }

    /// The operands it reads.
    pub fn for_each_operand(&self, mut f: impl FnMut(Operand)) {
        self.clone().for_each_operand_mut(|o| f(*o));
    }

    /// The operands it reads, to be replaced.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        use Inst::*;
        match self {
            Copy { source, .. }
            | Cast { source, .. }
            | FloatUnary { source, .. }
            | FloatCast { source, .. }
            | Freeze { source, .. } => f(source),
            Binary { a, b, .. }
            | Compare { a, b, .. }
            | FloatBinary { a, b, .. }
            | FloatCompare { a, b, .. }
            | Overflow { a, b, .. } => {
                f(a);
                f(b);
            }
            Select { condition, yes, no, .. } => {
                f(condition);
                f(yes);
                f(no);
            }
            PointerAdd { base, index, .. } => {
                f(base);
                f(index);
            }
            FloatMultiplyAdd { a, b, c, .. } | Bits { a, b, c, .. } => {
                f(a);
                f(b);
                f(c);
            }
            Wide(w) => {
                for (first, limbs) in [(w.a, w.a_limbs()), (w.b, w.b_limbs())] {
                    for i in 0..limbs {
                        f(&mut Operand::register(Register(first.0 + i)));
                    }
                }
            }
            Load { address, .. } => f(address),
            Store { address, source, .. } | Update { address, source, .. } => {
                f(address);
                f(source);
            }
            CompareExchange { address, expected, new, .. } => {
                f(address);
                f(expected);
                f(new);
            }
            Alloca { size, .. } => f(size),
            StackRestore { saved } => f(saved),
            LifetimeStart { address } | LifetimeEnd { address } => f(address),
            MemoryCopy { destination, source, length, .. } => {
                f(destination);
                f(source);
                f(length);
            }
            MemorySet { destination, byte, length, .. } => {
                f(destination);
                f(byte);
                f(length);
            }
            VaStart { list, .. } | VaEnd { list } => f(list),
            VaCopy { destination, source, .. } => {
                f(destination);
                f(source);
            }
            SetJump { buffer, .. } => f(buffer),
            LongJump { buffer, value, .. } => {
                f(buffer);
                f(value);
            }
            Call(call) => {
                if let Callee::Indirect(o) = &mut call.callee {
                    f(o);
                }
                call.arguments.iter_mut().for_each(f);
            }
            Kernel { arguments, .. } => arguments.iter_mut().for_each(f),
            Branch { condition, .. } => f(condition),
            Switch(s) => f(&mut s.value),
            IndirectJump { address, .. } => f(address),
            Return { values } => values.iter_mut().for_each(f),
            Fence { .. }
            | ThreadLocal { .. }
            | StackSave { .. }
            | Unsupported { .. }
            | Jump { .. }
            | Unreachable => {}
        }
    }

    /// The blocks control may go to.
    pub fn for_each_target(&self, mut f: impl FnMut(BlockId)) {
        match self {
            Inst::Jump { target } => f(*target),
            Inst::Branch { yes, no, .. } => {
                f(*yes);
                f(*no);
            }
            Inst::Switch(s) => {
                f(s.default);
                s.cases.iter().for_each(|(_, b)| f(*b));
            }
            Inst::IndirectJump { targets, .. } => targets.iter().for_each(|b| f(*b)),
            _ => {}
        }
    }
}

/// Registers that a value of so many bits takes.
pub fn limbs(bits: u16) -> u32 {
    (bits as u32).div_ceil(64).max(1)
}

impl WideInst {
    pub fn destination_limbs(&self) -> u32 {
        match self.op {
            WideOp::Compare(_) | WideOp::ToFloat { .. } => 1,
            WideOp::Truncate { to } => limbs(to),
            _ => limbs(self.bits),
        }
    }
    pub fn a_limbs(&self) -> u32 {
        match self.op {
            WideOp::ZeroExtend { from } | WideOp::SignExtend { from } => limbs(from),
            WideOp::FromFloat { .. } => 1,
            _ => limbs(self.bits),
        }
    }
    pub fn b_limbs(&self) -> u32 {
        match self.op {
            WideOp::Binary(_) | WideOp::Compare(_) => limbs(self.bits),
            _ => 0,
        }
    }
}

const _: () = assert!(size_of::<Inst>() == 32, "two instructions in a cache line");
