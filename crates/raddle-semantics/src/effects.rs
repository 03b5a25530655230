//! What an instruction does beside computing, as data: checks, choices, accesses to memory, fences, stack objects, kernel
//! operations, and where control goes. An executor goes through the list in order. The machine's slow interpreter
//! does so, and its inner loop is tested against that; the input narrowing of `raddle-explicit` reads them too.
//!
//! Not here: what a kernel operation does, what a pointer is, how bytes lie in memory.

use raddle_ir::{
    BlockId, Call, CastOp, FloatCastOp, GlobalId, Inst, KernelOp, MemoryOrder, Operand, Register, Switch,
    UpdateOp, Width,
};

#[derive(Clone, Debug, PartialEq)]
pub enum Effect<'a> {
    /// The destinations get what [`crate::evaluate`] gives. Without a choice after it, a fault is reported and the run
    /// continues.
    Scalar,
    /// Arithmetic or a conversion of pointers: as scalar, but the executor knows what a pointer is.
    Pointer,
    /// A scheduling point: what follows in the list is one visible operation, or more where the access is longer than a
    /// word.
    SchedulingPoint,
    Check(Check),
    Choose(Choice),
    Access(MemoryAccess),
    Fence(MemoryOrder),
    /// A new stack object.
    Allocate {
        size: Operand,
        into: Register,
    },
    /// The address of the thread's instance of a thread-local, which is made at the first use.
    ThreadLocal {
        global: GlobalId,
        offset: i64,
        into: Register,
    },
    StackHeight {
        into: Register,
    },
    /// Stack objects above a height end.
    StackRestore {
        height: Operand,
    },
    /// The content of a stack object becomes indeterminate, and the object ends until its next start.
    Lifetime {
        address: Operand,
        ends: bool,
    },
    Kernel {
        op: KernelOp,
        into: Option<Register>,
        arguments: &'a [Operand],
    },
    Call(&'a Call),
    Return(&'a [Operand]),
    /// The frame and place that the buffer names, with the value of this operand.
    LongJump {
        value: Operand,
    },
    Jump(BlockId),
    Branch {
        condition: Operand,
        yes: BlockId,
        no: BlockId,
    },
    Switch(&'a Switch),
    IndirectJump {
        address: Operand,
        targets: &'a [BlockId],
    },
    Unsupported(&'a str),
    /// The compiler took it to be unreachable.
    Unreachable,
}

/// What must hold before an instruction continues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Check {
    /// The lowest `bits` bits are determinate: else a memory fault or, where that is not checked and `or_chosen` is set, a
    /// choice of their value.
    Determinate { operand: Operand, bits: u8, or_chosen: bool },
    /// The ranges do not overlap, except if they are the same.
    Disjoint { a: Operand, b: Operand, length: Operand },
}

/// A choice of the environment, which replaces or decides a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The exchange fails although it finds what it expects.
    SpuriousFailure,
    /// The indeterminate bits of an operand of so many bits, if there are any and memory faults are not checked.
    Frozen { source: Operand, bits: u8, into: Register },
    /// The result of a conversion that was at fault.
    OutOfRange { bits: u8, into: Register },
}

/// One access to memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryAccess {
    pub address: Operand,
    pub extent: Extent,
    pub usage: MemoryUse,
    pub order: MemoryOrder,
    pub volatile: bool,
    pub visible: bool,
}

/// How many bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    Width(Width),
    Bytes(Operand),
    /// A `va_list`.
    ArgumentList,
    /// What `setjmp` writes.
    JumpBuffer,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MemoryUse {
    /// Into a register; `None`: kept for the write that follows, or for the jump.
    Read {
        into: Option<Register>,
    },
    Write(Written),
    /// Read and written as one operation, with [`crate::update`].
    Update {
        op: UpdateOp,
        operand: Operand,
        into: Register,
    },
    /// Read and, where [`crate::exchange_equal`] says so, written as one operation; `failure` is the order otherwise.
    Exchange {
        expected: Operand,
        new: Operand,
        old: Register,
        success: Register,
        failure: MemoryOrder,
    },
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Written {
    Operand(Operand),
    /// Every byte is this one.
    Fill(Operand),
    /// What the access before it read.
    LastRead,
    /// A list that begins with the variadic arguments of the function.
    Arguments,
    /// The frame and place of a `setjmp`.
    Context,
}

impl MemoryUse {
    pub fn reads(self) -> bool {
        !matches!(self, MemoryUse::Write(_))
    }
    /// It writes, or may do so.
    pub fn writes(self) -> bool {
        !matches!(self, MemoryUse::Read { .. })
    }
}

impl MemoryAccess {
    /// The orders that it may have.
    pub fn orders(&self) -> impl Iterator<Item = MemoryOrder> + use<> {
        let failure = match self.usage {
            MemoryUse::Exchange { failure, .. } => Some(failure),
            _ => None,
        };
        [self.order].into_iter().chain(failure)
    }
}

fn determinate<'a>(operand: Operand, bits: u8) -> Effect<'a> {
    Effect::Check(Check::Determinate { operand, bits, or_chosen: true })
}

/// Without a choice: a length, or the address of a copy, a list or a buffer.
fn number<'a>(operand: Operand) -> Effect<'a> {
    Effect::Check(Check::Determinate { operand, bits: 64, or_chosen: false })
}

/// The accesses of an instruction, in order; what kernel operations access is not among them.
pub fn memory_accesses(inst: &Inst) -> impl Iterator<Item = MemoryAccess> + use<> {
    accesses(inst).into_iter().flatten()
}

fn accesses(inst: &Inst) -> [Option<MemoryAccess>; 2] {
    use MemoryUse::{Exchange, Read, Update, Write};
    let of_width = |access: &raddle_ir::Access, address: &Operand, width: &Width, usage: MemoryUse| {
        let raddle_ir::Access { order, volatile, visible, .. } = *access;
        let (address, extent) = (*address, Extent::Width(*width));
        [Some(MemoryAccess { address, extent, usage, order, volatile, visible }), None]
    };
    let plain = |address: &Operand, extent: Extent, usage: MemoryUse, visible: &bool| {
        let (address, order, visible) = (*address, MemoryOrder::NotAtomic, *visible);
        Some(MemoryAccess { address, extent, usage, order, volatile: false, visible })
    };
    match inst {
        Inst::Load { width, access, destination, address } => {
            of_width(access, address, width, Read { into: Some(*destination) })
        }
        Inst::Store { width, access, address, source } => {
            of_width(access, address, width, Write(Written::Operand(*source)))
        }
        Inst::Update { op, width, access, destination, address, source } => {
            let usage = Update { op: *op, operand: *source, into: *destination };
            of_width(access, address, width, usage)
        }
        Inst::CompareExchange { width, access, failure, old, success, address, expected, new, .. } => {
            let (expected, new, old, success) = (*expected, *new, *old, *success);
            let usage = Exchange { expected, new, old, success, failure: *failure };
            of_width(access, address, width, usage)
        }
        Inst::MemoryCopy { destination, source, length, visible, .. } => [
            plain(source, Extent::Bytes(*length), Read { into: None }, visible),
            plain(destination, Extent::Bytes(*length), Write(Written::LastRead), visible),
        ],
        Inst::MemorySet { destination, byte, length, visible } => {
            [plain(destination, Extent::Bytes(*length), Write(Written::Fill(*byte)), visible), None]
        }
        Inst::VaStart { list, visible } => {
            [plain(list, Extent::ArgumentList, Write(Written::Arguments), visible), None]
        }
        Inst::VaCopy { destination, source, visible } => [
            plain(source, Extent::ArgumentList, Read { into: None }, visible),
            plain(destination, Extent::ArgumentList, Write(Written::LastRead), visible),
        ],
        Inst::SetJump { buffer, visible, .. } => {
            [plain(buffer, Extent::JumpBuffer, Write(Written::Context), visible), None]
        }
        Inst::LongJump { buffer, visible, .. } => {
            [plain(buffer, Extent::JumpBuffer, Read { into: None }, visible), None]
        }
        _ => [None, None],
    }
}

/// What the instruction does, in order.
pub fn effects(inst: &Inst) -> Vec<Effect<'_>> {
    // The checks, then the accesses, which begin with a scheduling point if they are visible.
    let before_accesses = |checks: &[Effect<'static>]| {
        let visible = memory_accesses(inst).any(|access| access.visible);
        let point = visible.then_some(Effect::SchedulingPoint);
        let accesses = memory_accesses(inst).map(Effect::Access);
        checks.iter().cloned().chain(point).chain(accesses).collect::<Vec<_>>()
    };
    // Here the address is checked as part of the visible operation.
    let single = |address: &Operand| {
        let mut out = before_accesses(&[]);
        out.insert(out.len() - 1, determinate(*address, 64));
        out
    };
    match inst {
        Inst::PointerAdd { .. }
        | Inst::Cast { op: CastOp::PointerToInt | CastOp::IntToPointer, .. }
        | Inst::Compare { pointers: true, .. } => vec![Effect::Pointer],
        Inst::Copy { .. }
        | Inst::Binary { .. }
        | Inst::Compare { .. }
        | Inst::Cast { .. }
        | Inst::Select { .. }
        | Inst::FloatBinary { .. }
        | Inst::FloatUnary { .. }
        | Inst::FloatMultiplyAdd { .. }
        | Inst::FloatCompare { .. }
        | Inst::Overflow { .. }
        | Inst::Bits { .. }
        | Inst::Wide(_) => vec![Effect::Scalar],
        Inst::FloatCast { op, bits, destination, .. } => match op {
            FloatCastOp::ToSigned | FloatCastOp::ToUnsigned => {
                let choice = Choice::OutOfRange { bits: *bits, into: *destination };
                vec![Effect::Scalar, Effect::Choose(choice)]
            }
            _ => vec![Effect::Scalar],
        },
        Inst::Freeze { bits, destination, source } => {
            vec![Effect::Choose(Choice::Frozen { source: *source, bits: *bits, into: *destination })]
        }
        Inst::Load { address, .. } | Inst::Store { address, .. } | Inst::Update { address, .. } => {
            single(address)
        }
        Inst::CompareExchange { weak, address, .. } => {
            // Chosen before the operation, so that nothing comes between the choice's use and the comparison.
            let spurious = weak.then_some(Effect::Choose(Choice::SpuriousFailure));
            spurious.into_iter().chain(single(address)).collect()
        }
        Inst::Fence { order } => vec![Effect::Fence(*order)],
        Inst::Alloca { destination, size, .. } => {
            vec![determinate(*size, 64), Effect::Allocate { size: *size, into: *destination }]
        }
        Inst::ThreadLocal { destination, global, offset } => {
            vec![Effect::ThreadLocal { global: *global, offset: *offset, into: *destination }]
        }
        Inst::StackSave { destination } => vec![Effect::StackHeight { into: *destination }],
        Inst::StackRestore { saved } => vec![Effect::StackRestore { height: *saved }],
        Inst::LifetimeStart { address } => vec![Effect::Lifetime { address: *address, ends: false }],
        Inst::LifetimeEnd { address } => vec![Effect::Lifetime { address: *address, ends: true }],
        Inst::MemoryCopy { destination, source, length, overlapping, .. } => {
            let mut checks = vec![number(*destination), number(*length), number(*source)];
            let disjoint = Check::Disjoint { a: *destination, b: *source, length: *length };
            checks.extend((!overlapping).then_some(Effect::Check(disjoint)));
            before_accesses(&checks)
        }
        Inst::MemorySet { destination, length, .. } => {
            before_accesses(&[number(*destination), number(*length)])
        }
        Inst::VaStart { list, .. } => before_accesses(&[number(*list)]),
        Inst::VaEnd { .. } => Vec::new(),
        Inst::VaCopy { destination, source, .. } => before_accesses(&[number(*destination), number(*source)]),
        // The destination is zero now, and the jump's value when control comes back.
        Inst::SetJump { buffer, .. } => before_accesses(&[number(*buffer)]),
        Inst::LongJump { buffer, value, .. } => {
            let mut out = before_accesses(&[number(*buffer), number(*value)]);
            out.push(Effect::LongJump { value: *value });
            out
        }
        Inst::Call(call) => {
            let target = match call.callee {
                raddle_ir::Callee::Indirect(operand) => Some(determinate(operand, 64)),
                raddle_ir::Callee::Direct(_) => None,
            };
            target.into_iter().chain([Effect::Call(call)]).collect()
        }
        Inst::Kernel { op, destination, arguments } => {
            vec![Effect::Kernel { op: *op, into: *destination, arguments }]
        }
        Inst::Unsupported { reason } => vec![Effect::Unsupported(reason)],
        Inst::Jump { target } => vec![Effect::Jump(*target)],
        Inst::Branch { condition, yes, no } => {
            vec![determinate(*condition, 1), Effect::Branch { condition: *condition, yes: *yes, no: *no }]
        }
        Inst::Switch(switch) => vec![determinate(switch.value, 64), Effect::Switch(switch)],
        Inst::IndirectJump { address, targets } => {
            vec![determinate(*address, 64), Effect::IndirectJump { address: *address, targets }]
        }
        Inst::Return { values } => vec![Effect::Return(values)],
        Inst::Unreachable => vec![Effect::Unreachable],
    }
}
