//! Instructions, with registers and blocks already resolved to indices.

use super::{BlockId, ConstId, FunctionAttributes, LocalId, MetaId, Symbol, TypeId, ValueAttributes};

/// A value that an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Local(LocalId),
    /// The address of a global variable, function or alias.
    Global(Symbol),
    Const(ConstId),
    /// A metadata argument of an intrinsic.
    Metadata(MetaId),
}

/// A value with the type that the text gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    pub ty: TypeId,
    pub value: Value,
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The register that it defines; its type is in [`super::Function::locals`].
    pub result: Option<LocalId>,
    pub op: Op,
    /// The `DILocation` of its `!dbg` attachment.
    pub dbg: Option<MetaId>,
    /// Where it begins in the text, in bytes; 0 for one that is not in the text.
    pub offset: u32,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum Op {
    // Terminators.
    Ret(Option<Operand>),
    Br(BlockId),
    CondBr {
        condition: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        value: Operand,
        default: BlockId,
        cases: Box<[(ConstId, BlockId)]>,
    },
    IndirectBr {
        address: Operand,
        targets: Box<[BlockId]>,
    },
    Invoke {
        call: Box<Call>,
        normal: BlockId,
        unwind: BlockId,
    },
    CallBr {
        call: Box<Call>,
        fallthrough: BlockId,
        targets: Box<[BlockId]>,
    },
    Resume(Operand),
    Unreachable,
    // Arithmetic.
    FNeg {
        flags: Flags,
        operand: Operand,
    },
    Binary {
        op: BinaryOp,
        flags: Flags,
        ty: TypeId,
        left: Value,
        right: Value,
    },
    ICmp {
        predicate: IntPredicate,
        ty: TypeId,
        left: Value,
        right: Value,
    },
    FCmp {
        predicate: FloatPredicate,
        flags: Flags,
        ty: TypeId,
        left: Value,
        right: Value,
    },
    Cast {
        op: CastOp,
        flags: Flags,
        from: Operand,
        to: TypeId,
    },
    Select {
        condition: Operand,
        then: Operand,
        otherwise: Operand,
    },
    Freeze(Operand),
    Phi {
        ty: TypeId,
        incoming: Box<[(Value, BlockId)]>,
    },
    // Memory.
    Alloca {
        ty: TypeId,
        count: Option<Operand>,
        align: Option<u32>,
    },
    Load {
        ty: TypeId,
        address: Operand,
        access: Access,
    },
    Store {
        value: Operand,
        address: Operand,
        access: Access,
    },
    Fence {
        ordering: Ordering,
        single_thread: bool,
    },
    CmpXchg(Box<CmpXchg>),
    AtomicRmw {
        op: RmwOp,
        address: Operand,
        value: Operand,
        access: Access,
    },
    /// `element` is the type that the first index counts in.
    Gep {
        flags: Flags,
        element: TypeId,
        base: Operand,
        indices: Box<[Operand]>,
    },
    // Vectors and aggregates.
    ExtractElement {
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        element: Operand,
        index: Operand,
    },
    /// `None` in the mask: that element is undefined.
    ShuffleVector {
        left: Operand,
        right: Operand,
        mask: Box<[Option<u32>]>,
    },
    ExtractValue {
        aggregate: Operand,
        indices: Box<[u32]>,
    },
    InsertValue {
        aggregate: Operand,
        element: Operand,
        indices: Box<[u32]>,
    },
    // Calls and the rest.
    Call(Box<Call>),
    VaArg {
        list: Operand,
        ty: TypeId,
    },
    LandingPad {
        ty: TypeId,
    },
    /// A debug intrinsic or a debug record.
    Debug(Box<DebugRecord>),
    /// An instruction that the reader does not know, as text.
    Other(Box<OtherInstruction>),
}

impl Op {
    /// Whether a block ends here.
    pub fn is_terminator(&self) -> bool {
        match self {
            Op::Ret(_)
            | Op::Br(_)
            | Op::CondBr { .. }
            | Op::Switch { .. }
            | Op::IndirectBr { .. }
            | Op::Invoke { .. }
            | Op::CallBr { .. }
            | Op::Resume(_)
            | Op::Unreachable => true,
            Op::Other(other) => other.terminator,
            _ => false,
        }
    }

    /// Calls `visit` on every block that this instruction names.
    pub(crate) fn for_each_block(&mut self, mut visit: impl FnMut(&mut BlockId)) {
        match self {
            Op::Br(target) => visit(target),
            Op::CondBr { then, otherwise, .. } => {
                visit(then);
                visit(otherwise);
            }
            Op::Switch { default, cases, .. } => {
                visit(default);
                cases.iter_mut().for_each(|(_, target)| visit(target));
            }
            Op::IndirectBr { targets, .. } => targets.iter_mut().for_each(visit),
            Op::Invoke { normal, unwind, .. } => {
                visit(normal);
                visit(unwind);
            }
            Op::CallBr { fallthrough, targets, .. } => {
                visit(fallthrough);
                targets.iter_mut().for_each(visit);
            }
            Op::Phi { incoming, .. } => incoming.iter_mut().for_each(|(_, source)| visit(source)),
            _ => {}
        }
    }

    /// The blocks that may run next.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Op::Br(target) => vec![*target],
            Op::CondBr { then, otherwise, .. } => vec![*then, *otherwise],
            Op::Switch { default, cases, .. } => {
                std::iter::once(*default).chain(cases.iter().map(|(_, target)| *target)).collect()
            }
            Op::IndirectBr { targets, .. } => targets.to_vec(),
            Op::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
            Op::CallBr { fallthrough, targets, .. } => {
                std::iter::once(*fallthrough).chain(targets.iter().copied()).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Text that the reader kept because it does not know the instruction.
#[derive(Clone, Debug)]
pub struct OtherInstruction {
    pub opcode: Symbol,
    /// The instruction up to the end of its line, without the result.
    pub text: Box<str>,
    /// Whether it ends its block.
    pub terminator: bool,
}

/// A call, or the call part of `invoke` and `callbr`.
#[derive(Clone, Debug)]
pub struct Call {
    pub callee: Callee,
    pub returns: TypeId,
    /// The explicit function type, which the text gives for variadic callees.
    pub function_type: Option<TypeId>,
    pub return_attributes: ValueAttributes,
    pub arguments: Box<[Argument]>,
    pub attributes: FunctionAttributes,
    pub flags: Flags,
    /// `tail`, `musttail` or `notail`.
    pub must_tail: bool,
    /// The operand bundles, for `llvm.assume` and the like.
    pub bundles: Box<[Bundle]>,
}

/// The target of a call.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A global by name, a register or a constant expression.
    Value(Value),
    InlineAsm(Box<InlineAsm>),
}

/// Inline assembler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineAsm {
    pub text: Box<str>,
    pub constraints: Box<str>,
    pub side_effect: bool,
    /// In the syntax of Intel.
    pub is_intel: bool,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    pub operand: Operand,
    pub attributes: ValueAttributes,
}

/// `"tag"(operands)` after a call.
#[derive(Clone, Debug)]
pub struct Bundle {
    pub tag: Symbol,
    pub operands: Box<[Operand]>,
}

/// How an access to memory is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub ordering: Ordering,
    pub volatile: bool,
    /// `syncscope("singlethread")`: ordered only against signal handlers of the same thread.
    pub single_thread: bool,
    pub align: Option<u32>,
}

/// Memory orders, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ordering {
    NotAtomic,
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// Compare and exchange; the result is `{ T, i1 }`.
#[derive(Clone, Debug)]
pub struct CmpXchg {
    pub weak: bool,
    pub address: Operand,
    pub expected: Operand,
    pub new: Operand,
    /// With the order on success.
    pub access: Access,
    pub failure: Ordering,
}

/// What a debug record says about its variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DebugKind {
    /// The variable lives at this address from here on.
    Declare,
    /// The variable has this value from here on.
    Value,
    /// The variable was assigned this value, and lives at `address` if that is not undefined.
    Assign,
    /// A label of the source; `variable` is a `DILabel`.
    Label,
}

/// A debug intrinsic or debug record.
#[derive(Clone, Debug)]
pub struct DebugRecord {
    pub kind: DebugKind,
    /// The operand; several for a `DIArgList`; none if the value is gone.
    pub operands: Box<[Operand]>,
    /// Of an assignment.
    pub address: Option<Operand>,
    pub variable: Option<MetaId>,
    pub expression: Option<MetaId>,
    /// The `DILocation`: of the record, or of the call.
    pub location: Option<MetaId>,
}

/// The words that change the meaning of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Flags(pub u16);

impl Flags {
    pub const NSW: Self = Self(1);
    pub const NUW: Self = Self(2);
    pub const EXACT: Self = Self(4);
    pub const DISJOINT: Self = Self(8);
    pub const NNEG: Self = Self(16);
    pub const SAMESIGN: Self = Self(32);
    pub const INBOUNDS: Self = Self(64);
    pub const NUSW: Self = Self(128);
    pub const NNAN: Self = Self(256);
    pub const NINF: Self = Self(512);
    pub const NSZ: Self = Self(1024);
    pub const ARCP: Self = Self(2048);
    pub const CONTRACT: Self = Self(4096);
    pub const AFN: Self = Self(8192);
    pub const REASSOC: Self = Self(16384);
    /// Not of the text: C's signed `<<`, see `lower/shift_checks.rs`.
    pub const SIGNED_BASE: Self = Self(32768);
    /// All seven of floating point.
    pub const FAST: Self = Self(256 | 512 | 1024 | 2048 | 4096 | 8192 | 16384);

    /// Whether all flags of `other` are set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "nsw" => Self::NSW,
            "nuw" => Self::NUW,
            "exact" => Self::EXACT,
            "disjoint" => Self::DISJOINT,
            "nneg" => Self::NNEG,
            "samesign" => Self::SAMESIGN,
            "inbounds" => Self::INBOUNDS,
            "nusw" => Self::NUSW,
            "nnan" => Self::NNAN,
            "ninf" => Self::NINF,
            "nsz" => Self::NSZ,
            "arcp" => Self::ARCP,
            "contract" => Self::CONTRACT,
            "afn" => Self::AFN,
            "reassoc" => Self::REASSOC,
            "fast" => Self::FAST,
            _ => return None,
        })
    }
}

/// Declares an enum of opcodes together with their words in the text.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($variant,)* }

        impl $name {
            /// The operation that this word of the text means.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }

            /// The word of the text.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    };
}

words! {
    /// Operations on two values of the same type.
    BinaryOp {
        Add = "add", Sub = "sub", Mul = "mul", UDiv = "udiv", SDiv = "sdiv", URem = "urem", SRem = "srem",
        Shl = "shl", LShr = "lshr", AShr = "ashr", And = "and", Or = "or", Xor = "xor",
        FAdd = "fadd", FSub = "fsub", FMul = "fmul", FDiv = "fdiv", FRem = "frem",
    }
}

words! {
    /// Conversions.
    CastOp {
        Trunc = "trunc", ZExt = "zext", SExt = "sext", FPTrunc = "fptrunc", FPExt = "fpext",
        FPToUI = "fptoui", FPToSI = "fptosi", UIToFP = "uitofp", SIToFP = "sitofp",
        PtrToInt = "ptrtoint", PtrToAddr = "ptrtoaddr", IntToPtr = "inttoptr", BitCast = "bitcast",
        AddrSpaceCast = "addrspacecast",
    }
}

words! {
    /// Comparisons of integers and pointers.
    IntPredicate {
        Eq = "eq", Ne = "ne", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule",
        Sgt = "sgt", Sge = "sge", Slt = "slt", Sle = "sle",
    }
}

words! {
    /// Comparisons of floats: `O` is false and `U` is true when one is not a number.
    FloatPredicate {
        False = "false", OEq = "oeq", OGt = "ogt", OGe = "oge", OLt = "olt", OLe = "ole", ONe = "one",
        Ord = "ord", UEq = "ueq", UGt = "ugt", UGe = "uge", ULt = "ult", ULe = "ule", UNe = "une",
        Uno = "uno", True = "true",
    }
}

words! {
    /// What an atomic read-modify-write computes.
    RmwOp {
        Xchg = "xchg", Add = "add", Sub = "sub", And = "and", Nand = "nand", Or = "or", Xor = "xor",
        Max = "max", Min = "min", UMax = "umax", UMin = "umin", FAdd = "fadd", FSub = "fsub",
        FMax = "fmax", FMin = "fmin", UIncWrap = "uinc_wrap", UDecWrap = "udec_wrap",
        USubCond = "usub_cond", USubSat = "usub_sat", FMaximum = "fmaximum", FMinimum = "fminimum",
    }
}

impl Ordering {
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "unordered" => Ordering::Unordered,
            "monotonic" => Ordering::Monotonic,
            "acquire" => Ordering::Acquire,
            "release" => Ordering::Release,
            "acq_rel" => Ordering::AcqRel,
            "seq_cst" => Ordering::SeqCst,
            _ => return None,
        })
    }
}
