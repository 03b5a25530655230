//! Constants: values known when the program is linked, as small trees in one table.

use super::{BinaryOp, CastOp, Flags, FloatPredicate, IntPredicate, Symbol, TypeId};

/// An index into [`super::Module::constants`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstId(pub u32);

/// A constant with its type.
#[derive(Clone, Debug)]
pub struct Constant {
    pub ty: TypeId,
    pub kind: ConstKind,
}

/// What a constant is.
#[derive(Clone, Debug)]
pub enum ConstKind {
    /// An integer of at most 64 bits, zero-extended from its width.
    Int(u64),
    /// The bits of a float of at most 64 bits, in its own format.
    Float(u64),
    /// An integer of more than 64 bits, or the bits of a float of 80 or 128: words, the least first.
    Wide(Box<[u64]>),
    Null,
    Undef,
    Poison,
    /// `zeroinitializer`, and `none` of type token.
    Zero,
    /// `c"..."`: an array of bytes.
    Bytes(Box<[u8]>),
    /// The parts of an array, vector or struct.
    Aggregate(Box<[ConstId]>),
    /// A vector whose elements are all this.
    Splat(ConstId),
    /// The address of a global variable, function or alias.
    Global(Symbol),
    /// The address of a labelled block: GNU C's `&&label`.
    BlockAddress {
        function: Symbol,
        label: Symbol,
    },
    Expr(Box<ConstExpr>),
}

/// A constant expression.
#[derive(Clone, Debug)]
pub enum ConstExpr {
    Gep { flags: Flags, element: TypeId, base: ConstId, indices: Box<[ConstId]> },
    Cast { op: CastOp, from: ConstId },
    Binary { op: BinaryOp, flags: Flags, left: ConstId, right: ConstId },
    FNeg(ConstId),
    ICmp { predicate: IntPredicate, left: ConstId, right: ConstId },
    FCmp { predicate: FloatPredicate, left: ConstId, right: ConstId },
    Select { condition: ConstId, then: ConstId, otherwise: ConstId },
    ExtractElement { vector: ConstId, index: ConstId },
    InsertElement { vector: ConstId, element: ConstId, index: ConstId },
    ShuffleVector { left: ConstId, right: ConstId, mask: ConstId },
    ExtractValue { aggregate: ConstId, indices: Box<[u32]> },
    InsertValue { aggregate: ConstId, element: ConstId, indices: Box<[u32]> },
}
