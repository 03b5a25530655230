//! What indeterminate bits do to a result.
//!
//! They travel as in MemorySanitizer (Stepanov, Serebryany, CGO 2015): exactly through and, or, xor, shifts by known
//! amounts, truncation and extension; a sum is indeterminate from the lowest indeterminate bit upward; any other
//! operation is indeterminate as a whole. Equality is known when determinate bits differ, order when it is the same for
//! the least and the greatest value that the indeterminate bits allow.
//!
//! A mark above the width of an operation does not count.

use raddle_ir::{BinaryOp, CompareOp};

use crate::domain::Domain;
use crate::fault::{self, Checked, FaultConditions};
use crate::integer::{self, binary_of_defined};
use crate::value::{Marked, mask};

/// The value where its operands are determinate, else indeterminate as a whole.
#[inline(always)]
pub(crate) fn whole<D: Domain>(
    d: &D,
    defined: &D::Bit,
    bits: u8,
    value: impl FnOnce() -> D::Word,
) -> D::Value {
    match d.known(defined) {
        Some(true) => D::Value::new(value(), d.word(0)),
        Some(false) => D::Value::new(d.word(0), d.word(mask(bits))),
        None => D::Value::new(
            d.choose(defined, &value(), &d.word(0)),
            d.choose(defined, &d.word(0), &d.word(mask(bits))),
        ),
    }
}

pub(crate) fn choose<D: Domain>(d: &D, condition: &D::Bit, yes: &D::Value, no: &D::Value) -> D::Value {
    D::Value::new(
        d.choose(condition, yes.bits(), no.bits()),
        d.choose(condition, yes.undefined(), no.undefined()),
    )
}

/// The bits that are not marked.
fn marked<D: Domain>(d: &D, bits: &D::Word, undefined: D::Word) -> D::Value {
    D::Value::new(d.and(bits, &d.xor(&undefined, &d.word(u64::MAX))), undefined)
}

/// Where an operand is indeterminate there is no fault: dividing by what may be zero is a fault that the use of the
/// result shows.
#[cold]
#[inline(never)]
pub(crate) fn binary<D: Domain>(
    d: &D,
    op: BinaryOp,
    bits: u8,
    signed_wrap: bool,
    a: D::Value,
    b: D::Value,
) -> Checked<D> {
    let (ua, ub) = (d.truncate(bits, a.undefined()), d.truncate(bits, b.undefined()));
    let (x, y) = (d.truncate(bits, a.bits()), d.truncate(bits, b.bits()));
    let any = d.or(&ua, &ub);
    let defined = d.is_zero(&any);
    let (exact, faults) = binary_of_defined(d, op, bits, signed_wrap, &x, &y);
    let (zero, m) = (d.word(0), d.word(mask(bits)));
    let undefined = match op {
        BinaryOp::And => d.and(&any, &d.and(&d.or(&ua, &x), &d.or(&ub, &y))),
        BinaryOp::Or => d.and(&any, &d.and(&d.or(&ua, &d.xor(&x, &m)), &d.or(&ub, &d.xor(&y, &m)))),
        BinaryOp::Xor => any,
        // All bits from the lowest one of `any` on.
        BinaryOp::Add | BinaryOp::Sub => d.or(&any, &d.sub(bits, &zero, &any)),
        BinaryOp::Shl | BinaryOp::ShlSigned | BinaryOp::LShr | BinaryOp::AShr => {
            let moved = match op {
                BinaryOp::Shl | BinaryOp::ShlSigned => d.shl(bits, &ua, &y),
                BinaryOp::LShr => d.lshr(bits, &ua, &y),
                _ => d.ashr(bits, &ua, &y),
            };
            let amount = d.conjunction(&d.is_zero(&ub), &d.ult(bits, &y, &d.word(bits as u64)));
            d.choose(&amount, &moved, &m)
        }
        _ => m,
    };
    // A shift by too much is a fault as well where nothing is marked.
    let undefined = d.choose(&defined, &zero, &undefined);
    let faults = match d.known(&defined) {
        Some(false) => fault::none(d),
        _ => faults.when(d, &defined),
    };
    Checked { value: marked(d, &exact, undefined), faults }
}

#[cold]
#[inline(never)]
pub(crate) fn compare<D: Domain>(d: &D, op: CompareOp, bits: u8, a: D::Value, b: D::Value) -> D::Value {
    let (a, b) = (&a, &b);
    let m = d.word(mask(bits));
    let marks = d.and(&d.or(a.undefined(), b.undefined()), &m);
    let differing = d.and(&d.and(&d.xor(a.bits(), b.bits()), &m), &d.xor(&marks, &m));
    let differ = d.negation(&d.is_zero(&differing));
    // With the sign bit turned over, signed order is unsigned order.
    let sign = d.word(match op {
        CompareOp::SLt | CompareOp::SLe | CompareOp::SGt | CompareOp::SGe => 1 << (bits - 1),
        _ => 0,
    });
    let turned = |v: &D::Value| (d.and(&d.xor(v.bits(), &sign), &m), d.and(v.undefined(), &m));
    let least = |v: &D::Value| {
        let (bits, undefined) = turned(v);
        d.and(&bits, &d.xor(&undefined, &m))
    };
    let greatest = |v: &D::Value| {
        let (bits, undefined) = turned(v);
        d.or(&bits, &undefined)
    };
    // Whether it is less, and whether that is known.
    let less = |x: &D::Value, y: &D::Value| {
        let below = d.ult(bits, &greatest(x), &least(y));
        let not_below = d.negation(&d.ult(bits, &least(x), &greatest(y)));
        (below.clone(), d.disjunction(&below, &not_below))
    };
    let not = |(holds, decided): (D::Bit, D::Bit)| (d.negation(&holds), decided);
    let (holds, decided) = match op {
        CompareOp::Eq | CompareOp::Ne => {
            let decided = d.disjunction(&differ, &d.is_zero(&marks));
            (if op == CompareOp::Ne { differ } else { d.negation(&differ) }, decided)
        }
        CompareOp::ULt | CompareOp::SLt => less(a, b),
        CompareOp::UGt | CompareOp::SGt => less(b, a),
        CompareOp::ULe | CompareOp::SLe => not(less(b, a)),
        CompareOp::UGe | CompareOp::SGe => not(less(a, b)),
    };
    whole(d, &decided, 1, || d.word_of_bit(&holds))
}

/// Neither operand can be excluded where the condition is indeterminate: what they agree in is known.
#[cold]
pub(crate) fn select<D: Domain>(
    d: &D,
    undefined: D::Bit,
    holds: D::Bit,
    yes: D::Value,
    no: D::Value,
) -> D::Value {
    let (undefined, holds, yes, no) = (&undefined, &holds, &yes, &no);
    let either = || {
        let marks = d.or(&d.or(yes.undefined(), no.undefined()), &d.xor(yes.bits(), no.bits()));
        marked(d, yes.bits(), marks)
    };
    match d.known(undefined) {
        Some(true) => either(),
        Some(false) => choose(d, holds, yes, no),
        None => choose(d, undefined, &either(), &choose(d, holds, yes, no)),
    }
}

#[cold]
#[inline(never)]
pub(crate) fn exchange_equal<D: Domain>(
    d: &D,
    bits: u8,
    unknown: D::Word,
    old: D::Value,
    expected: D::Value,
) -> D::Value {
    let (unknown, old, expected) = (&unknown, &old, &expected);
    let plain = || integer::compare(d, CompareOp::Eq, 64, old, expected);
    let padded = || {
        let seen = marked(d, &d.xor(old.bits(), expected.bits()), unknown.clone());
        D::Value::new(d.word_of_bit(&d.is_zero(seen.bits())), d.word(0))
    };
    let none_known = d.eq(bits, &d.truncate(bits, unknown), &d.word(mask(bits)));
    let as_plain = d.disjunction(&d.is_zero(unknown), &none_known);
    match d.known(&as_plain) {
        Some(true) => plain(),
        Some(false) => padded(),
        None => choose(d, &as_plain, &plain(), &padded()),
    }
}
