//! Handles of terms and the nodes behind them.
//!
//! A handle carries a bitwise negation (inverted edges, as in Boolector: Brummayer and Biere 2009), so that negation makes no
//! node, disjunction is conjunction, and disequality is equality. A node has 16 bytes.

use std::fmt;

/// A term of some [`Terms`](crate::Terms): a node or its bitwise negation. Equal handles are equal terms; equivalent terms
/// may differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

impl Term {
    pub const FALSE: Term = Term(0);
    pub const TRUE: Term = Term(2);

    pub(crate) fn of_node(index: usize) -> Term {
        assert!(index < 1 << 31, "fewer than 2^31 terms");
        Term((index as u32) << 1)
    }

    #[inline]
    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(crate) fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub(crate) fn positive(self) -> Term {
        Term(self.0 & !1)
    }

    /// The edge inverted: for terms that are no constants, the bitwise negation.
    #[inline]
    pub(crate) fn flip(self) -> Term {
        Term(self.0 ^ 1)
    }

    #[inline]
    pub(crate) fn flip_if(self, flip: bool) -> Term {
        Term(self.0 ^ u32::from(flip))
    }

    pub fn boolean(value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    /// Its value, if it is a constant of one bit. Terms that are constant in every model but not by a rewrite have none.
    pub fn as_boolean(self) -> Option<bool> {
        match self {
            Term::FALSE => Some(false),
            Term::TRUE => Some(true),
            _ => None,
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}t{}", if self.is_inverted() { "~" } else { "" }, self.node())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Op {
    /// Of up to 64 bits: the value is in `a` and `b`.
    Constant,
    /// Of more: `a` is its index in the table of wide constants.
    WideConstant,
    /// `a` is its number; a bit vector or an array.
    Variable,
    And,
    Xor,
    Neg,
    Add,
    Mul,
    Udiv,
    Urem,
    Shl,
    Lshr,
    Ashr,
    Eq,
    Ult,
    Slt,
    UmulOverflow,
    SmulOverflow,
    /// Condition, then, otherwise; bit vectors or arrays.
    Ite,
    /// High part, low part.
    Concat,
    /// Operand; `b` is the lowest bit that is taken.
    Extract,
    SignExtend,
    ConstantArray,
    /// Array, index, element.
    Store,
    /// Array, index.
    Select,
}

impl Op {
    fn arity(self) -> usize {
        match self {
            Op::Constant | Op::WideConstant | Op::Variable => 0,
            Op::Neg | Op::Extract | Op::SignExtend | Op::ConstantArray => 1,
            Op::Ite | Op::Store => 3,
            _ => 2,
        }
    }
}

/// Arrays have this bit set in their sort; the rest is an index into the table of array sorts.
pub(crate) const ARRAY: u16 = 1 << 15;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    /// The width of a bit vector, or [`ARRAY`] and a number.
    pub(crate) sort: u16,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u32,
}

impl Node {
    pub(crate) fn first(&self) -> Term {
        Term(self.a)
    }

    pub(crate) fn second(&self) -> Term {
        Term(self.b)
    }

    pub(crate) fn third(&self) -> Term {
        Term(self.c)
    }

    pub(crate) fn operands(&self) -> impl Iterator<Item = Term> + use<> {
        [Term(self.a), Term(self.b), Term(self.c)].into_iter().take(self.op.arity())
    }

    #[inline]
    pub(crate) fn hash(&self) -> u32 {
        let upper = u64::from(self.op as u8) << 48 | u64::from(self.sort) << 32 | u64::from(self.a);
        let lower = u64::from(self.b) << 32 | u64::from(self.c);
        let mixed = (upper.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ lower).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        ((mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }
}
