//! The domain of terms: words are bit-vector terms of 64 bits, bits are terms of one bit. The scalar functions of
//! `raddle-semantics` over this domain are the symbolic executor's arithmetic; constants fold where terms are made.

use std::cell::RefCell;

use raddle_ir::{FloatBinaryOp, FloatCastOp, FloatKind, FloatUnaryOp};
use raddle_semantics::{Domain, Faults, Pair, mask};
use raddle_solver::{FloatFormat, Term, Terms};

/// A register value: bits, and which of them are indeterminate; both of 64 bits.
pub type Value = Pair<Term>;

/// Terms behind a cell, because a domain is shared.
pub struct TermDomain {
    terms: RefCell<Terms>,
}

impl Default for TermDomain {
    fn default() -> TermDomain {
        TermDomain { terms: RefCell::new(Terms::new()) }
    }
}

impl TermDomain {
    /// Works on the terms.
    pub fn with<R>(&self, f: impl FnOnce(&mut Terms) -> R) -> R {
        f(&mut self.terms.borrow_mut())
    }

    pub fn into_terms(self) -> Terms {
        self.terms.into_inner()
    }

    pub fn constant(&self, width: u32, value: u64) -> Term {
        self.with(|t| t.constant(width, value))
    }

    /// The value of a constant of at most 64 bits.
    pub fn as_constant(&self, term: Term) -> Option<u64> {
        self.with(|t| t.as_constant(term).and_then(|bits| bits.as_u64()))
    }

    pub fn value(&self, bits: u64) -> Value {
        Pair { bits: self.constant(64, bits), undefined: self.constant(64, 0) }
    }

    pub fn and(&self, a: Term, b: Term) -> Term {
        self.with(|t| t.and(a, b))
    }
    pub fn or(&self, a: Term, b: Term) -> Term {
        self.with(|t| t.or(a, b))
    }
    pub fn not(&self, a: Term) -> Term {
        self.with(|t| t.not(a))
    }
    pub fn ite(&self, c: Term, a: Term, b: Term) -> Term {
        if a == b { a } else { self.with(|t| t.ite(c, a, b)) }
    }
    pub fn equal(&self, a: Term, b: Term) -> Term {
        self.with(|t| t.eq(a, b))
    }

    /// An operation of two words in some width, zero-extended.
    fn binary(&self, bits: u8, a: &Term, b: &Term, f: impl FnOnce(&mut Terms, Term, Term) -> Term) -> Term {
        self.with(|t| {
            let (a, b) = (t.resize(*a, bits as u32), t.resize(*b, bits as u32));
            let result = f(t, a, b);
            t.resize(result, 64)
        })
    }

    /// An operation on bit patterns of floats.
    fn float<const N: usize>(
        &self,
        kind: FloatKind,
        operands: [Term; N],
        f: impl FnOnce(&mut Terms, FloatFormat, [Term; N]) -> Option<Term>,
    ) -> Option<Term> {
        self.with(|t| {
            let width = format(kind).width();
            let operands = operands.map(|operand| t.resize(operand, width));
            let result = f(t, format(kind), operands)?;
            Some(t.resize(result, 64))
        })
    }

    /// A relation of two words in some width.
    fn relation(&self, bits: u8, a: &Term, b: &Term, f: impl FnOnce(&mut Terms, Term, Term) -> Term) -> Term {
        self.with(|t| {
            let (a, b) = (t.resize(*a, bits as u32), t.resize(*b, bits as u32));
            f(t, a, b)
        })
    }
}

impl Domain for TermDomain {
    type Word = Term;
    type Bit = Term;
    type Value = Value;
    type Faults = Faults<Term>;

    fn word(&self, value: u64) -> Term {
        self.constant(64, value)
    }
    fn bit(&self, value: bool) -> Term {
        Term::boolean(value)
    }
    fn known(&self, bit: &Term) -> Option<bool> {
        bit.as_boolean()
    }
    fn negation(&self, a: &Term) -> Term {
        self.not(*a)
    }
    fn conjunction(&self, a: &Term, b: &Term) -> Term {
        TermDomain::and(self, *a, *b)
    }
    fn disjunction(&self, a: &Term, b: &Term) -> Term {
        TermDomain::or(self, *a, *b)
    }
    fn choose(&self, condition: &Term, yes: &Term, no: &Term) -> Term {
        self.ite(*condition, *yes, *no)
    }
    fn word_of_bit(&self, bit: &Term) -> Term {
        self.with(|t| t.zero_extend(*bit, 64))
    }
    fn and(&self, a: &Term, b: &Term) -> Term {
        self.with(|t| t.and(*a, *b))
    }
    fn or(&self, a: &Term, b: &Term) -> Term {
        self.with(|t| t.or(*a, *b))
    }
    fn xor(&self, a: &Term, b: &Term) -> Term {
        self.with(|t| t.xor(*a, *b))
    }
    fn add(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.binary(bits, a, b, Terms::add)
    }
    fn sub(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.binary(bits, a, b, Terms::sub)
    }
    fn mul(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.binary(bits, a, b, Terms::mul)
    }
    fn udiv(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.binary(bits, a, b, Terms::udiv)
    }
    fn urem(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.binary(bits, a, b, Terms::urem)
    }
    fn sdiv(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.binary(bits, a, b, Terms::sdiv)
    }
    fn srem(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.binary(bits, a, b, Terms::srem)
    }
    fn shl(&self, bits: u8, a: &Term, by: &Term) -> Term {
        self.binary(bits, a, by, Terms::shl)
    }
    fn lshr(&self, bits: u8, a: &Term, by: &Term) -> Term {
        self.binary(bits, a, by, Terms::lshr)
    }
    fn ashr(&self, bits: u8, a: &Term, by: &Term) -> Term {
        self.binary(bits, a, by, Terms::ashr)
    }
    fn sign_extend(&self, from: u8, to: u8, a: &Term) -> Term {
        self.with(|t| {
            let narrow = t.resize(*a, from as u32);
            let wide = t.sign_extend(narrow, to as u32);
            t.resize(wide, 64)
        })
    }
    fn truncate(&self, to: u8, a: &Term) -> Term {
        self.with(|t| {
            let narrow = t.resize(*a, to as u32);
            t.resize(narrow, 64)
        })
    }
    fn eq(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.relation(bits, a, b, Terms::eq)
    }
    fn ult(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.relation(bits, a, b, Terms::ult)
    }
    fn slt(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.relation(bits, a, b, Terms::slt)
    }
    fn add_overflows(&self, bits: u8, signed: bool, a: &Term, b: &Term) -> Term {
        self.relation(bits, a, b, |t, a, b| t.add_overflows(signed, a, b))
    }
    fn sub_overflows(&self, bits: u8, signed: bool, a: &Term, b: &Term) -> Term {
        self.relation(bits, a, b, |t, a, b| t.sub_overflows(signed, a, b))
    }
    fn mul_overflows(&self, bits: u8, signed: bool, a: &Term, b: &Term) -> Term {
        self.relation(bits, a, b, |t, a, b| t.mul_overflows(signed, a, b))
    }
    fn float_binary(&self, op: FloatBinaryOp, kind: FloatKind, a: &Term, b: &Term) -> Option<Term> {
        self.float(kind, [*a, *b], |t, f, [a, b]| {
            Some(match op {
                FloatBinaryOp::Add => t.float_add(f, a, b),
                FloatBinaryOp::Sub => t.float_sub(f, a, b),
                FloatBinaryOp::Mul => t.float_mul(f, a, b),
                FloatBinaryOp::Div => t.float_div(f, a, b),
                FloatBinaryOp::Min => t.float_min(f, a, b),
                FloatBinaryOp::Max => t.float_max(f, a, b),
                FloatBinaryOp::CopySign => t.float_copy_sign(f, a, b),
                FloatBinaryOp::Rem | FloatBinaryOp::Pow => return None,
            })
        })
    }
    fn float_unary(&self, op: FloatUnaryOp, kind: FloatKind, a: &Term) -> Option<Term> {
        self.float(kind, [*a], |t, f, [a]| {
            Some(match op {
                FloatUnaryOp::Negate => t.float_neg(f, a),
                FloatUnaryOp::Abs => t.float_abs(f, a),
                FloatUnaryOp::Sqrt => t.float_sqrt(f, a),
                FloatUnaryOp::Floor => t.float_floor(f, a),
                FloatUnaryOp::Ceil => t.float_ceil(f, a),
                FloatUnaryOp::Trunc => t.float_trunc(f, a),
                FloatUnaryOp::Round => t.float_round_away(f, a),
                FloatUnaryOp::RoundEven => t.float_round_even(f, a),
            })
        })
    }
    fn float_fused(&self, kind: FloatKind, a: &Term, b: &Term, c: &Term) -> Option<Term> {
        self.float(kind, [*a, *b, *c], |t, f, [a, b, c]| Some(t.float_fma(f, a, b, c)))
    }
    fn float_compare(&self, relations: u8, kind: FloatKind, a: &Term, b: &Term) -> Option<Term> {
        self.with(|t| {
            let f = format(kind);
            let (a, b) = (t.resize(*a, f.width()), t.resize(*b, f.width()));
            let found = t.float_compare(f, a, b);
            let asked = found.into_iter().enumerate().filter(|(i, _)| relations >> i & 1 == 1);
            let asked: Vec<Term> = asked.map(|(_, term)| term).collect();
            Some(t.any(asked))
        })
    }
    fn float_cast(&self, op: FloatCastOp, kind: FloatKind, bits: u8, a: &Term) -> Option<(Term, Term)> {
        self.with(|t| {
            let f = format(kind);
            let other = format(if kind == FloatKind::Float { FloatKind::Double } else { FloatKind::Float });
            let (float, integer) = (t.resize(*a, f.width()), t.resize(*a, bits as u32));
            let (value, fits) = match op {
                FloatCastOp::Resize => (t.float_convert(f, other, float), Term::TRUE),
                FloatCastOp::FromSigned => (t.float_from_integer(f, true, integer), Term::TRUE),
                FloatCastOp::FromUnsigned => (t.float_from_integer(f, false, integer), Term::TRUE),
                FloatCastOp::ToSigned | FloatCastOp::ToSignedSaturating => {
                    t.float_to_integer(f, true, bits as u32, float)
                }
                FloatCastOp::ToUnsigned | FloatCastOp::ToUnsignedSaturating => {
                    t.float_to_integer(f, false, bits as u32, float)
                }
            };
            Some((t.resize(value, 64), fits))
        })
    }
    fn mul_high(&self, a: &Term, b: &Term) -> Term {
        self.with(|t| {
            let (a, b) = (t.zero_extend(*a, 128), t.zero_extend(*b, 128));
            let product = t.mul(a, b);
            t.extract(product, 127, 64)
        })
    }
}

fn format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Float => FloatFormat::BINARY32,
        FloatKind::Double => FloatFormat::BINARY64,
    }
}

/// All ones of a width, as a term of that width.
pub fn ones(d: &TermDomain, width: u32) -> Term {
    match width {
        0..=64 => d.constant(width, mask(width as u8)),
        _ => d.with(|t| {
            let zero = t.constant(width, 0u64);
            t.not(zero)
        }),
    }
}
