//! How a term is built, for those who look for its parts: the operations that choose, join, cut and add.

use super::node::Op;
use super::{Bits, Term, Terms};

/// The outermost operation of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    Constant(Bits),
    Variable,
    /// Condition, then, otherwise.
    Ite(Term, Term, Term),
    /// High part, low part.
    Concat(Term, Term),
    /// Operand, and the lowest bit that is taken.
    Extract(Term, u32),
    /// Bitwise; of Booleans, the conjunction.
    And(Term, Term),
    Equal(Term, Term),
    Add(Term, Term),
    Mul(Term, Term),
    /// Two's complement.
    Neg(Term),
    Xor(Term, Term),
    /// Unsigned quotient and remainder.
    UDiv(Term, Term),
    URem(Term, Term),
    /// The operand's bits, and its sign above them.
    SignExtend(Term),
    /// Every bit of the operand inverted.
    Not(Term),
    Other,
}

impl Terms {
    pub fn view(&self, term: Term) -> View {
        if let Some(bits) = self.as_constant(term) {
            return View::Constant(bits);
        }
        if term.is_inverted() {
            return View::Not(term.flip());
        }
        let node = self.node(term);
        match node.op {
            Op::Variable => View::Variable,
            Op::Ite => View::Ite(Term(node.a), Term(node.b), Term(node.c)),
            Op::Concat => View::Concat(Term(node.a), Term(node.b)),
            Op::Extract => View::Extract(Term(node.a), node.b),
            Op::And => View::And(Term(node.a), Term(node.b)),
            Op::Eq => View::Equal(Term(node.a), Term(node.b)),
            Op::Add => View::Add(Term(node.a), Term(node.b)),
            Op::Mul => View::Mul(Term(node.a), Term(node.b)),
            Op::Neg => View::Neg(Term(node.a)),
            Op::Xor => View::Xor(Term(node.a), Term(node.b)),
            Op::Udiv => View::UDiv(Term(node.a), Term(node.b)),
            Op::Urem => View::URem(Term(node.a), Term(node.b)),
            Op::SignExtend => View::SignExtend(Term(node.a)),
            _ => View::Other,
        }
    }
}
