//! What the text form may leave out, and what it then means. The printer leaves a thing out exactly when the parser
//! would put it back.

use crate::instruction::*;
use crate::kernel::KernelOp;
use crate::operation::*;
use crate::program::{DataModel, RegisterType};

/// The alignment of stack objects and of globals given by their size.
pub(super) const OBJECT_ALIGN_LOG2: u8 = 4;

/// The alignment of an access: its size, rounded up to a power of two.
pub(super) fn natural_align_log2(width: Width, model: DataModel) -> u8 {
    width.bytes(model).max(1).next_power_of_two().trailing_zeros() as u8
}

/// The order of a compare-exchange that fails: the strongest that C11 allows with the order on success.
pub(super) fn failure_order(success: MemoryOrder) -> MemoryOrder {
    match success {
        MemoryOrder::SequentiallyConsistent => MemoryOrder::SequentiallyConsistent,
        MemoryOrder::Acquire | MemoryOrder::AcquireRelease => MemoryOrder::Acquire,
        _ => MemoryOrder::Relaxed,
    }
}

/// The type that an instruction alone gives to the register of its `which`th result.
pub(super) fn result_type(inst: &Inst, which: usize) -> Option<RegisterType> {
    use RegisterType::*;
    Some(match inst {
        Inst::Binary { bits, .. } | Inst::Bits { bits, .. } | Inst::Freeze { bits, .. } => Int(*bits),
        Inst::Compare { .. } | Inst::FloatCompare { .. } => Int(1),
        Inst::Cast { op: CastOp::IntToPointer, .. } => Pointer,
        Inst::Cast { to, .. } => Int(*to),
        Inst::PointerAdd { .. } | Inst::Alloca { .. } | Inst::ThreadLocal { .. } | Inst::StackSave { .. } => {
            Pointer
        }
        Inst::FloatBinary { kind, .. }
        | Inst::FloatUnary { kind, .. }
        | Inst::FloatMultiplyAdd { kind, .. } => kind.register_type(),
        Inst::FloatCast { op, kind, bits, .. } => op.types(*kind, *bits).1,
        Inst::Overflow { bits, .. } => Int(if which == 0 { *bits } else { 1 }),
        Inst::Wide(wide) => match wide.op {
            WideOp::Compare(_) => Int(1),
            WideOp::ToFloat { kind, .. } => kind.register_type(),
            _ => Int(64),
        },
        Inst::Load { width, .. } | Inst::Update { width, .. } => width.register_type(),
        Inst::CompareExchange { width, .. } => {
            if which == 0 {
                width.register_type()
            } else {
                Int(1)
            }
        }
        Inst::SetJump { .. } => Int(32),
        Inst::Kernel { op, .. } => match op {
            KernelOp::Tcb | KernelOp::Alloc => Pointer,
            KernelOp::Choose | KernelOp::Any | KernelOp::ObjectSize => Int(64),
            _ => Int(32),
        },
        _ => return None,
    })
}
