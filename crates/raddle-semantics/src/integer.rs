//! Integers of up to 64 bits. Here operands are determinate; what indeterminate bits do is in `undefined.rs`.
//!
//! What is not inlined takes its operands by value: references would keep the machine's operands out of registers.

use raddle_ir::{BinaryOp, BitOp, CastOp, CompareOp, FloatBinaryOp, FloatKind, OverflowOp, UpdateOp};

use crate::domain::Domain;
use crate::fault::{self, ArithmeticFault, Checked, FaultConditions};
use crate::undefined;
use crate::value::{Marked, mask};

#[inline(always)]
pub fn binary<D: Domain>(
    d: &D,
    op: BinaryOp,
    bits: u8,
    signed_wrap: bool,
    a: &D::Value,
    b: &D::Value,
) -> Checked<D> {
    let defined = d.is_zero(&d.or(a.undefined(), b.undefined()));
    if d.known(&defined) != Some(true) {
        return undefined::binary(d, op, bits, signed_wrap, a.clone(), b.clone());
    }
    let (value, faults) = binary_of_defined(d, op, bits, signed_wrap, a.bits(), b.bits());
    Checked { value: D::Value::new(value, d.word(0)), faults }
}

#[inline(always)]
pub(crate) fn binary_of_defined<D: Domain>(
    d: &D,
    op: BinaryOp,
    bits: u8,
    signed_wrap: bool,
    x: &D::Word,
    y: &D::Word,
) -> (D::Word, D::Faults) {
    let no = || d.bit(false);
    match op {
        BinaryOp::Add => {
            let wraps = if signed_wrap { d.add_overflows(bits, true, x, y) } else { no() };
            (d.add(bits, x, y), fault::overflow(d, wraps))
        }
        BinaryOp::Sub => {
            let wraps = if signed_wrap { d.sub_overflows(bits, true, x, y) } else { no() };
            (d.sub(bits, x, y), fault::overflow(d, wraps))
        }
        BinaryOp::Mul => {
            let wraps = if signed_wrap { d.mul_overflows(bits, true, x, y) } else { no() };
            (d.mul(bits, x, y), fault::overflow(d, wraps))
        }
        BinaryOp::And => (d.and(x, y), fault::none(d)),
        BinaryOp::Or => (d.or(x, y), fault::none(d)),
        BinaryOp::Xor => (d.xor(x, y), fault::none(d)),
        BinaryOp::Shl | BinaryOp::ShlSigned | BinaryOp::LShr | BinaryOp::AShr => {
            shift(d, op, bits, signed_wrap, x, y)
        }
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
            divide(d, op, bits, x.clone(), y.clone())
        }
        _ => (min_max_saturate(d, op, bits, x.clone(), y.clone()), fault::none(d)),
    }
}

#[inline(always)]
fn shift<D: Domain>(
    d: &D,
    op: BinaryOp,
    bits: u8,
    signed_wrap: bool,
    x: &D::Word,
    y: &D::Word,
) -> (D::Word, D::Faults) {
    let width = d.word(bits as u64);
    let inside = d.ult(bits, y, &width);
    // Out of range a processor takes the amount modulo the width.
    let by = match d.known(&inside) {
        Some(true) => y.clone(),
        _ => d.choose(&inside, y, &d.urem(bits, y, &width)),
    };
    let result = match op {
        BinaryOp::Shl | BinaryOp::ShlSigned => d.shl(bits, x, &by),
        BinaryOp::LShr => d.lshr(bits, x, &by),
        _ => d.ashr(bits, x, &by),
    };
    let lost = match op {
        BinaryOp::Shl if signed_wrap => d.negation(&d.eq(bits, &d.ashr(bits, &result, &by), x)),
        // The sign bit of the base and every bit that moves into or past that position must be zero (C11 6.5.7).
        BinaryOp::ShlSigned => {
            let above = d.sub(bits, &d.word(bits as u64 - 1), &by);
            d.negation(&d.is_zero(&d.lshr(bits, x, &above)))
        }
        _ => d.bit(false),
    };
    let overflow = d.conjunction(&inside, &lost);
    (result, D::Faults::new(ArithmeticFault::ShiftRange, d.negation(&inside), overflow))
}

/// By zero the run continues: quotient 0, and the remainder that fits it.
#[inline(never)]
fn divide<D: Domain>(d: &D, op: BinaryOp, bits: u8, x: D::Word, y: D::Word) -> (D::Word, D::Faults) {
    let (x, y) = (&x, &y);
    let zero = d.word(0);
    let by_zero = d.eq(bits, y, &zero);
    let value = match op {
        BinaryOp::UDiv => d.choose(&by_zero, &zero, &d.udiv(bits, x, y)),
        BinaryOp::URem => d.choose(&by_zero, x, &d.urem(bits, x, y)),
        BinaryOp::SDiv => d.choose(&by_zero, &zero, &d.sdiv(bits, x, y)),
        _ => d.choose(&by_zero, x, &d.srem(bits, x, y)),
    };
    let overflow = if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
        let least = d.eq(bits, x, &d.word(1 << (bits - 1)));
        d.conjunction(&least, &d.eq(bits, y, &d.word(mask(bits))))
    } else {
        d.bit(false)
    };
    (value, D::Faults::new(ArithmeticFault::DivisionByZero, by_zero, overflow))
}

#[inline(never)]
fn min_max_saturate<D: Domain>(d: &D, op: BinaryOp, bits: u8, x: D::Word, y: D::Word) -> D::Word {
    let (x, y) = (&x, &y);
    let (zero, m) = (d.word(0), d.word(mask(bits)));
    // A sum or difference overflows towards the sign of its first operand.
    let limit = || d.choose(&d.sign(bits, x), &d.word(1 << (bits - 1)), &d.word(mask(bits) >> 1));
    match op {
        BinaryOp::UMin => d.choose(&d.ult(bits, x, y), x, y),
        BinaryOp::UMax => d.choose(&d.ult(bits, x, y), y, x),
        BinaryOp::SMin => d.choose(&d.slt(bits, x, y), x, y),
        BinaryOp::SMax => d.choose(&d.slt(bits, x, y), y, x),
        BinaryOp::UAddSat => d.choose(&d.add_overflows(bits, false, x, y), &m, &d.add(bits, x, y)),
        BinaryOp::USubSat => d.choose(&d.ult(bits, x, y), &zero, &d.sub(bits, x, y)),
        BinaryOp::SAddSat => d.choose(&d.add_overflows(bits, true, x, y), &limit(), &d.add(bits, x, y)),
        _ => d.choose(&d.sub_overflows(bits, true, x, y), &limit(), &d.sub(bits, x, y)),
    }
}

/// A value of one bit.
#[inline(always)]
pub fn compare<D: Domain>(d: &D, op: CompareOp, bits: u8, a: &D::Value, b: &D::Value) -> D::Value {
    let defined = d.is_zero(&d.or(a.undefined(), b.undefined()));
    if d.known(&defined) != Some(true) {
        return undefined::compare(d, op, bits, a.clone(), b.clone());
    }
    let (x, y) = (a.bits(), b.bits());
    let holds = match op {
        CompareOp::Eq => d.eq(bits, x, y),
        CompareOp::Ne => d.negation(&d.eq(bits, x, y)),
        CompareOp::ULt => d.ult(bits, x, y),
        CompareOp::ULe => d.negation(&d.ult(bits, y, x)),
        CompareOp::UGt => d.ult(bits, y, x),
        CompareOp::UGe => d.negation(&d.ult(bits, x, y)),
        CompareOp::SLt => d.slt(bits, x, y),
        CompareOp::SLe => d.negation(&d.slt(bits, y, x)),
        CompareOp::SGt => d.slt(bits, y, x),
        CompareOp::SGe => d.negation(&d.slt(bits, x, y)),
    };
    D::Value::new(d.word_of_bit(&holds), d.word(0))
}

/// A cast between integers; a pointer that was converted to an integer is truncated.
#[inline(always)]
pub fn cast<D: Domain>(d: &D, op: CastOp, from: u8, to: u8, a: &D::Value) -> D::Value {
    match op {
        CastOp::Truncate | CastOp::PointerToInt => {
            D::Value::new(d.truncate(to, a.bits()), d.truncate(to, a.undefined()))
        }
        CastOp::ZeroExtend => D::Value::new(a.bits().clone(), d.truncate(from, a.undefined())),
        CastOp::SignExtend => {
            D::Value::new(d.sign_extend(from, to, a.bits()), d.sign_extend(from, to, a.undefined()))
        }
        CastOp::IntToPointer => a.clone(),
    }
}

/// Only the operand that is chosen is computed, where the condition is known.
#[inline(always)]
pub fn select<D: Domain>(
    d: &D,
    condition: &D::Value,
    yes: impl FnOnce() -> D::Value,
    no: impl FnOnce() -> D::Value,
) -> D::Value {
    let undefined = d.lowest(condition.undefined());
    let holds = d.lowest(condition.bits());
    match (d.known(&undefined), d.known(&holds)) {
        (Some(false), Some(true)) => yes(),
        (Some(false), Some(false)) => no(),
        _ => undefined::select(d, undefined, holds, yes(), no()),
    }
}

/// An index of more bits than this leads out of every object.
const INDEX_BITS: u8 = 37;
/// By so much a pointer moves that is indexed too far; far from every object, and no pointer from null.
const TOO_FAR: u64 = -(1i64 << 50) as u64;

/// base + sign-extended index * scale + offset. How a pointer moves by a number of bytes is given by `moved`. The product does
/// not wrap: an index that is too large leads out of the object.
#[inline(always)]
pub fn pointer_add<D: Domain>(
    d: &D,
    bits: u8,
    base: &D::Value,
    index: &D::Value,
    (scale, offset): (i32, i32),
    moved: impl FnOnce(&D::Word, &D::Word) -> D::Word,
) -> D::Value {
    let defined = d.is_zero(&d.or(base.undefined(), index.undefined()));
    undefined::whole(d, &defined, 64, || {
        let wide = d.sign_extend(bits, 64, index.bits());
        let mut scaled = d.mul(64, &wide, &d.word(scale as i64 as u64));
        if bits > INDEX_BITS && scale != 1 {
            let kept = d.sign_extend(INDEX_BITS, 64, &d.truncate(INDEX_BITS, &wide));
            let near = d.eq(64, &kept, &wide);
            scaled = match d.known(&near) {
                Some(true) => scaled,
                Some(false) => d.word(TOO_FAR),
                None => d.choose(&near, &scaled, &d.word(TOO_FAR)),
            };
        }
        moved(base.bits(), &d.add(64, &scaled, &d.word(offset as i64 as u64)))
    })
}

/// The result and the overflow bit.
pub fn overflow<D: Domain>(
    d: &D,
    op: OverflowOp,
    bits: u8,
    a: &D::Value,
    b: &D::Value,
) -> (D::Value, D::Value) {
    let (x, y) = (a.bits(), b.bits());
    let signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
    let defined = d.is_zero(&d.or(a.undefined(), b.undefined()));
    let result = undefined::whole(d, &defined, bits, || match op {
        OverflowOp::SAdd | OverflowOp::UAdd => d.add(bits, x, y),
        OverflowOp::SSub | OverflowOp::USub => d.sub(bits, x, y),
        OverflowOp::SMul | OverflowOp::UMul => d.mul(bits, x, y),
    });
    let flag = undefined::whole(d, &defined, 1, || {
        d.word_of_bit(&match op {
            OverflowOp::SAdd | OverflowOp::UAdd => d.add_overflows(bits, signed, x, y),
            OverflowOp::SSub | OverflowOp::USub => d.sub_overflows(bits, signed, x, y),
            OverflowOp::SMul | OverflowOp::UMul => d.mul_overflows(bits, signed, x, y),
        })
    });
    (result, flag)
}

/// `b` and `c` are read by funnel shifts only.
pub fn bit_operation<D: Domain>(
    d: &D,
    op: BitOp,
    bits: u8,
    a: &D::Value,
    b: &D::Value,
    c: &D::Value,
) -> D::Value {
    if op == BitOp::Settle {
        return D::Value::new(a.bits().clone(), d.word(0));
    }
    let funnel = matches!(op, BitOp::FunnelLeft | BitOp::FunnelRight);
    let undefined =
        if funnel { d.or(a.undefined(), &d.or(b.undefined(), c.undefined())) } else { a.undefined().clone() };
    let x = a.bits();
    undefined::whole(d, &d.is_zero(&undefined), bits, || match op {
        BitOp::Settle => x.clone(),
        BitOp::PopCount => d.ones(x),
        BitOp::LeadingZeros => d.leading_zeros(bits, x),
        BitOp::TrailingZeros => d.trailing_zeros(bits, x),
        BitOp::ByteSwap => d.byte_swap(bits, x),
        BitOp::BitReverse => d.bit_reverse(bits, x),
        BitOp::Abs => d.choose(&d.sign(bits, x), &d.sub(bits, &d.word(0), x), x),
        BitOp::FunnelLeft | BitOp::FunnelRight => {
            let width = d.word(bits as u64);
            let by = d.urem(bits, c.bits(), &width);
            let rest = d.sub(bits, &width, &by);
            let (up, down, whole) = match op {
                BitOp::FunnelLeft => (&by, &rest, x),
                _ => (&rest, &by, b.bits()),
            };
            let joined = d.or(&d.shl(bits, x, up), &d.lshr(bits, b.bits(), down));
            d.choose(&d.is_zero(&by), whole, &joined)
        }
    })
}

/// The new content of an atomic update; `None`: floats are not supported by the domain.
pub fn update<D: Domain>(
    d: &D,
    op: UpdateOp,
    bits: u8,
    kind: Option<FloatKind>,
    old: &D::Value,
    operand: &D::Value,
) -> Option<D::Value> {
    if op == UpdateOp::Exchange {
        return Some(operand.clone());
    }
    if let Some(kind) = kind {
        let op = match op {
            UpdateOp::FAdd => FloatBinaryOp::Add,
            UpdateOp::FSub => FloatBinaryOp::Sub,
            UpdateOp::FMax => FloatBinaryOp::Max,
            _ => FloatBinaryOp::Min,
        };
        return crate::float::float_binary(d, op, kind, old, operand);
    }
    let (x, y) = (old.bits(), operand.bits());
    let defined = d.is_zero(&d.or(old.undefined(), operand.undefined()));
    Some(undefined::whole(d, &defined, bits, || match op {
        UpdateOp::Add => d.add(bits, x, y),
        UpdateOp::Sub => d.sub(bits, x, y),
        UpdateOp::And => d.truncate(bits, &d.and(x, y)),
        UpdateOp::Nand => d.xor(&d.truncate(bits, &d.and(x, y)), &d.word(mask(bits))),
        UpdateOp::Or => d.truncate(bits, &d.or(x, y)),
        UpdateOp::Xor => d.truncate(bits, &d.xor(x, y)),
        UpdateOp::Max => d.truncate(bits, &min_max_saturate(d, BinaryOp::SMax, bits, x.clone(), y.clone())),
        UpdateOp::Min => d.truncate(bits, &min_max_saturate(d, BinaryOp::SMin, bits, x.clone(), y.clone())),
        UpdateOp::UMax => d.truncate(bits, &min_max_saturate(d, BinaryOp::UMax, bits, x.clone(), y.clone())),
        UpdateOp::UMin => d.truncate(bits, &min_max_saturate(d, BinaryOp::UMin, bits, x.clone(), y.clone())),
        UpdateOp::UIncWrap => d.choose(&d.ult(bits, x, y), &d.add(bits, x, &d.word(1)), &d.word(0)),
        UpdateOp::UDecWrap => {
            let wraps = d.disjunction(&d.is_zero(x), &d.ult(bits, y, x));
            d.choose(&wraps, &d.truncate(bits, y), &d.sub(bits, x, &d.word(1)))
        }
        _ => d.truncate(bits, y),
    }))
}

/// Whether a compare-exchange of `bits` bits finds what it expects. As C++20 has it, padding does not count: bytes that
/// are indeterminate on either side are equal. Where no byte is determinate, it is no padding.
#[inline(always)]
pub fn exchange_equal<D: Domain>(d: &D, bits: u8, old: &D::Value, expected: &D::Value) -> D::Value {
    let unknown = d.or(old.undefined(), expected.undefined());
    if d.known(&d.is_zero(&unknown)) == Some(true) {
        return compare(d, CompareOp::Eq, 64, old, expected);
    }
    undefined::exchange_equal(d, bits, unknown, old.clone(), expected.clone())
}

/// Whether the lowest `bits` bits are.
#[inline(always)]
pub fn is_determinate<D: Domain>(d: &D, bits: u8, a: &D::Value) -> D::Bit {
    d.is_zero(&d.truncate(bits, a.undefined()))
}
