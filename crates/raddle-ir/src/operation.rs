//! What instructions do with their operands: widths and orders of accesses, and the operations on integers, floats and bits.

/// What a memory instruction moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Width {
    /// An integer of 1 to 64 bits, in as many bytes as it needs.
    Int(u8),
    Float,
    Double,
    Pointer,
}

/// C11 orders. `NotAtomic` is a plain access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum MemoryOrder {
    NotAtomic,
    /// LLVM's `unordered`: atomic, no C11 counterpart; treated as relaxed.
    Unordered,
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    pub order: MemoryOrder,
    pub volatile: bool,
    /// The alignment promised, as a power of two.
    pub align_log2: u8,
    /// A scheduling point. Set for every access by the front end, cleared by the escape analysis where the object is
    /// proved private to the thread.
    pub visible: bool,
    /// While this plain access is the next step of a thread, no other thread can make a conflicting one before it: proved
    /// by `raddle-static` from the locks that threads hold and from their order, and set for the reductions of one engine
    /// (`guarded_accesses.rs` there). It changes no meaning.
    pub guarded: bool,
}

impl Access {
    pub const PLAIN: Access = Access {
        order: MemoryOrder::NotAtomic,
        volatile: false,
        align_log2: 0,
        visible: true,
        guarded: false,
    };
    pub fn is_atomic(self) -> bool {
        self.order != MemoryOrder::NotAtomic
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    /// C's `<<` on a signed type: undefined for a negative base and where the result is not representable.
    ShlSigned,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    Eq,
    Ne,
    ULt,
    ULe,
    UGt,
    UGe,
    SLt,
    SLe,
    SGt,
    SGe,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    Truncate,
    ZeroExtend,
    SignExtend,
    /// A pointer's address as an integer of `to` bits.
    PointerToInt,
    /// An integer of `from` bits as a pointer.
    IntToPointer,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    Float,
    Double,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatBinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    CopySign,
    Pow,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatUnaryOp {
    Negate,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Halves away from zero.
    Round,
    /// Halves to even (`rint`, `nearbyint`, `roundeven`).
    RoundEven,
}

/// The sixteen predicates of LLVM's `fcmp`, as a mask: 1 equal, 2 greater, 4 less, 8 unordered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatCompareOp(pub u8);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatCastOp {
    /// Float to double or double to float; `from`/`to` give which.
    Resize,
    /// To a signed integer of `bits`; out of range is indeterminate.
    ToSigned,
    ToUnsigned,
    FromSigned,
    FromUnsigned,
    /// To signed, saturating (`llvm.fptosi.sat`).
    ToSignedSaturating,
    ToUnsignedSaturating,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OverflowOp {
    SAdd,
    UAdd,
    SSub,
    USub,
    SMul,
    UMul,
}

/// Operations on the bits of one integer (funnel shifts take three).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitOp {
    PopCount,
    /// With all bits zero the result is `bits`.
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    BitReverse,
    /// Absolute value; of the least integer: itself.
    Abs,
    FunnelLeft,
    FunnelRight,
    /// Indeterminate bits read as zero: for padding, which a compare-exchange of a structure must not look at.
    Settle,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UpdateOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    /// (old >= operand) ? 0 : old + 1
    UIncWrap,
    /// (old == 0 || old > operand) ? operand : old - 1
    UDecWrap,
    FAdd,
    FSub,
    FMax,
    FMin,
}

/// Arithmetic on integers of more than 64 bits. A wide value lies in `limbs(bits)` consecutive registers, least
/// significant first; unused upper bits of the last limb are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WideOp {
    /// `b` is wide too. Shifts included: the amount is the wide `b`.
    Binary(BinaryOp),
    /// `destination` is one register of one bit.
    Compare(CompareOp),
    /// `a` is a narrower value of `from` bits (one register, or wide when from > 64).
    ZeroExtend {
        from: u16,
    },
    SignExtend {
        from: u16,
    },
    /// To `to` bits: the destination has `limbs(to)` registers.
    Truncate {
        to: u16,
    },
    PopCount,
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    /// Float or double from/to wide integers.
    FromFloat {
        kind: FloatKind,
        signed: bool,
    },
    ToFloat {
        kind: FloatKind,
        signed: bool,
    },
}
