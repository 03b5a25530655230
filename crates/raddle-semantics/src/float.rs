//! Floating-point numbers. An indeterminate bit makes the whole result indeterminate; `None`: the domain does not support
//! the operation.

use raddle_ir::{FloatBinaryOp, FloatCastOp, FloatKind, FloatUnaryOp};

use crate::domain::Domain;
use crate::fault::{self, ArithmeticFault, Checked};
use crate::undefined::whole;
use crate::value::Marked;

#[inline(always)]
fn width(kind: FloatKind) -> u8 {
    if kind == FloatKind::Float { 32 } else { 64 }
}

/// The result of an operation that is computed only where its operands may be determinate.
#[inline(always)]
fn of_defined<D: Domain>(
    d: &D,
    undefined: &D::Word,
    bits: u8,
    value: impl FnOnce() -> Option<D::Word>,
) -> Option<D::Value> {
    let defined = d.is_zero(undefined);
    if d.known(&defined) == Some(false) {
        return Some(whole(d, &defined, bits, || d.word(0)));
    }
    let value = value()?;
    Some(whole(d, &defined, bits, || value))
}

#[inline(always)]
pub fn float_binary<D: Domain>(
    d: &D,
    op: FloatBinaryOp,
    kind: FloatKind,
    a: &D::Value,
    b: &D::Value,
) -> Option<D::Value> {
    let undefined = d.or(a.undefined(), b.undefined());
    of_defined(d, &undefined, width(kind), || d.float_binary(op, kind, a.bits(), b.bits()))
}

pub fn float_unary<D: Domain>(d: &D, op: FloatUnaryOp, kind: FloatKind, a: &D::Value) -> Option<D::Value> {
    of_defined(d, a.undefined(), width(kind), || d.float_unary(op, kind, a.bits()))
}

pub fn float_multiply_add<D: Domain>(
    d: &D,
    kind: FloatKind,
    fused: bool,
    a: &D::Value,
    b: &D::Value,
    c: &D::Value,
) -> Option<D::Value> {
    if !fused {
        let product = float_binary(d, FloatBinaryOp::Mul, kind, a, b)?;
        return float_binary(d, FloatBinaryOp::Add, kind, &product, c);
    }
    let undefined = d.or(a.undefined(), &d.or(b.undefined(), c.undefined()));
    of_defined(d, &undefined, width(kind), || d.float_fused(kind, a.bits(), b.bits(), c.bits()))
}

/// A value of one bit.
pub fn float_compare<D: Domain>(
    d: &D,
    relations: u8,
    kind: FloatKind,
    a: &D::Value,
    b: &D::Value,
) -> Option<D::Value> {
    let undefined = d.or(a.undefined(), b.undefined());
    of_defined(d, &undefined, 1, || {
        Some(d.word_of_bit(&d.float_compare(relations, kind, a.bits(), b.bits())?))
    })
}

/// A conversion out of range is at fault and indeterminate, a saturating one is not.
pub fn float_cast<D: Domain>(
    d: &D,
    op: FloatCastOp,
    kind: FloatKind,
    bits: u8,
    a: &D::Value,
) -> Option<Checked<D>> {
    let result = match op {
        FloatCastOp::Resize | FloatCastOp::FromSigned | FloatCastOp::FromUnsigned => 64,
        _ => bits,
    };
    let defined = d.is_zero(a.undefined());
    if d.known(&defined) == Some(false) {
        let value = whole(d, &defined, result, || d.word(0));
        return Some(Checked { value, faults: fault::none(d) });
    }
    let (value, in_range) = d.float_cast(op, kind, bits, a.bits())?;
    let checked = matches!(op, FloatCastOp::ToSigned | FloatCastOp::ToUnsigned);
    let in_range = if checked { in_range } else { d.bit(true) };
    let fault = d.conjunction(&defined, &d.negation(&in_range));
    let value = whole(d, &d.conjunction(&defined, &in_range), result, || value);
    Some(Checked { value, faults: fault::range(d, ArithmeticFault::ConversionRange, fault) })
}
