//! Every scalar operation on every pair of values of one to four bits, with every mark of indeterminate bits, against a
//! reference that tries all values which the marks allow.

mod support;

use raddle_ir::{BinaryOp, CastOp, CompareOp, OverflowOp, UpdateOp};
use raddle_semantics::{self as scalar, ArithmeticFault, Concrete, Value, mask};
use support::{BINARY, COMPARE, OVERFLOW, UPDATE};

/// All values of so many bits: a marked bit is zero.
fn values(bits: u8) -> Vec<Value> {
    let numbers = 0..=mask(bits);
    let pairs = numbers.clone().flat_map(|undefined| {
        numbers.clone().filter(move |bits| bits & undefined == 0).map(move |bits| Value { bits, undefined })
    });
    pairs.collect()
}

/// What a value may be.
fn meanings(value: Value, bits: u8) -> impl Iterator<Item = u64> + Clone {
    (0..=mask(bits)).filter(move |x| x & !value.undefined == value.bits)
}

fn number(x: u64, bits: u8) -> i64 {
    if x >> (bits - 1) & 1 == 1 { x as i64 - (1 << bits) } else { x as i64 }
}

/// The result of a determinate operation by the arithmetic of integers, and its fault.
fn reference(op: BinaryOp, bits: u8, signed_wrap: bool, x: u64, y: u64) -> (u64, Option<ArithmeticFault>) {
    use ArithmeticFault::*;
    use BinaryOp::*;
    let (sx, sy, size) = (number(x, bits), number(y, bits), 1i64 << bits);
    let (low, high) = (-size / 2, size / 2 - 1);
    let wrapped = |exact: i64| exact.rem_euclid(size) as u64;
    let checked = |exact: i64, signed: bool| {
        let fault = signed && !(low..=high).contains(&exact);
        (wrapped(exact), fault.then_some(SignedOverflow))
    };
    let by = y % bits as u64;
    let shifted = |value: i64, overflow: bool| {
        let range = (y >= bits as u64).then_some(ShiftRange);
        (wrapped(value), range.or(overflow.then_some(SignedOverflow)))
    };
    match op {
        Add => checked(sx + sy, signed_wrap),
        Sub => checked(sx - sy, signed_wrap),
        Mul => checked(sx * sy, signed_wrap),
        UDiv | SDiv if y == 0 => (0, Some(DivisionByZero)),
        URem | SRem if y == 0 => (x, Some(DivisionByZero)),
        UDiv => (x / y, None),
        URem => (x % y, None),
        SDiv => checked(sx / sy, true),
        SRem => (wrapped(sx % sy), (sx == low && sy == -1).then_some(SignedOverflow)),
        Shl => {
            let exact = sx << by;
            shifted(exact, signed_wrap && !(low..=high).contains(&exact))
        }
        ShlSigned => shifted(sx << by, sx < 0 || sx << by > high),
        LShr => shifted((x >> by) as i64, false),
        AShr => shifted(sx >> by, false),
        And => (x & y, None),
        Or => (x | y, None),
        Xor => (x ^ y, None),
        UMin => (x.min(y), None),
        UMax => (x.max(y), None),
        SMin => (wrapped(sx.min(sy)), None),
        SMax => (wrapped(sx.max(sy)), None),
        UAddSat => ((x + y).min(mask(bits)), None),
        USubSat => (x.saturating_sub(y), None),
        SAddSat => (wrapped((sx + sy).clamp(low, high)), None),
        SSubSat => (wrapped((sx - sy).clamp(low, high)), None),
    }
}

/// The bits in which all results agree, and those in which they do not.
fn joined(mut results: impl Iterator<Item = u64>) -> Value {
    let first = results.next().expect("a value means something");
    let undefined = results.fold(0, |differ, result| differ | (result ^ first));
    Value { bits: first & !undefined, undefined }
}

#[test]
fn binary_operations() {
    use BinaryOp::*;
    for bits in 1..=4 {
        let all = values(bits);
        for (op, signed_wrap) in BINARY.iter().flat_map(|op| [(*op, false), (*op, true)]) {
            for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
                let found = scalar::binary(&Concrete, op, bits, signed_wrap, &a, &b);
                let context = format!("{op:?}.{bits} {signed_wrap} {a:?} {b:?}");
                if (a.undefined | b.undefined) == 0 {
                    let (value, fault) = reference(op, bits, signed_wrap, a.bits, b.bits);
                    assert_eq!((found.value, found.faults), (Value::of(value), fault), "{context}");
                    continue;
                }
                let pairs = meanings(a, bits).flat_map(|x| meanings(b, bits).map(move |y| (x, y)));
                let exact = joined(pairs.map(|(x, y)| reference(op, bits, false, x, y).0));
                let amount = b.undefined == 0 && b.bits < bits as u64;
                let lowest = (a.undefined | b.undefined).trailing_zeros();
                let expected = match op {
                    And | Or | Xor => exact,
                    Shl | ShlSigned | LShr | AShr if amount => exact,
                    Add | Sub => {
                        let undefined = mask(bits) & (u64::MAX << lowest);
                        assert_eq!(exact.undefined & !undefined, 0, "{context}");
                        Value { bits: exact.bits & !undefined, undefined }
                    }
                    _ => Value::undefined_bits(bits),
                };
                assert_eq!((found.value, found.faults), (expected, None), "{context}");
                // The same with marks above the width.
                let above = |v: Value| Value { undefined: v.undefined | 1 << 40, ..v };
                let again = scalar::binary(&Concrete, op, bits, signed_wrap, &above(a), &b);
                assert_eq!(again.value, expected, "{context}");
            }
        }
    }
}

fn holds(op: CompareOp, bits: u8, x: u64, y: u64) -> bool {
    use CompareOp::*;
    let (sx, sy) = (number(x, bits), number(y, bits));
    match op {
        Eq => x == y,
        Ne => x != y,
        ULt => x < y,
        ULe => x <= y,
        UGt => x > y,
        UGe => x >= y,
        SLt => sx < sy,
        SLe => sx <= sy,
        SGt => sx > sy,
        SGe => sx >= sy,
    }
}

#[test]
fn comparisons() {
    for bits in 1..=4 {
        let all = values(bits);
        for op in COMPARE {
            for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
                let pairs = meanings(a, bits).flat_map(|x| meanings(b, bits).map(move |y| (x, y)));
                let expected = joined(pairs.map(|(x, y)| holds(*op, bits, x, y) as u64));
                let found = scalar::compare(&Concrete, *op, bits, &a, &b);
                assert_eq!(found, expected, "{op:?}.{bits} {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn overflows_and_updates() {
    for bits in 1..=4 {
        let (all, size) = (values(bits), 1i64 << bits);
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            let defined = (a.undefined | b.undefined) == 0;
            let (x, y) = (a.bits as i64, b.bits as i64);
            let (sx, sy) = (number(a.bits, bits), number(b.bits, bits));
            for op in OVERFLOW {
                let (exact, low, high) = match op {
                    OverflowOp::SAdd => (sx + sy, -size / 2, size / 2 - 1),
                    OverflowOp::SSub => (sx - sy, -size / 2, size / 2 - 1),
                    OverflowOp::SMul => (sx * sy, -size / 2, size / 2 - 1),
                    OverflowOp::UAdd => (x + y, 0, size - 1),
                    OverflowOp::USub => (x - y, 0, size - 1),
                    OverflowOp::UMul => (x * y, 0, size - 1),
                };
                let expected = if defined {
                    let flag = !(low..=high).contains(&exact);
                    (Value::of(exact.rem_euclid(size) as u64), Value::of(flag as u64))
                } else {
                    (Value::undefined_bits(bits), Value::undefined_bits(1))
                };
                assert_eq!(scalar::overflow(&Concrete, *op, bits, &a, &b), expected, "{op:?} {a:?} {b:?}");
            }
            for op in UPDATE {
                let exact = match op {
                    UpdateOp::Exchange => y,
                    UpdateOp::Add => x + y,
                    UpdateOp::Sub => x - y,
                    UpdateOp::And => x & y,
                    UpdateOp::Nand => !(x & y),
                    UpdateOp::Or => x | y,
                    UpdateOp::Xor => x ^ y,
                    UpdateOp::Max => sx.max(sy),
                    UpdateOp::Min => sx.min(sy),
                    UpdateOp::UMax => x.max(y),
                    UpdateOp::UMin => x.min(y),
                    UpdateOp::UIncWrap => [x + 1, 0][(x >= y) as usize],
                    UpdateOp::UDecWrap => [x - 1, y][(x == 0 || x > y) as usize],
                    _ => unreachable!("no float"),
                };
                let expected = match op {
                    UpdateOp::Exchange => b,
                    _ if defined => Value::of(exact.rem_euclid(size) as u64),
                    _ => Value::undefined_bits(bits),
                };
                let found = scalar::update(&Concrete, *op, bits, None, &a, &b);
                assert_eq!(found, Some(expected), "{op:?} {a:?} {b:?}");
            }
            // Padding is not compared; without a determinate bit nothing is padding.
            let seen = mask(bits) & !(a.undefined | b.undefined);
            let same = (a.bits ^ b.bits) & seen == 0;
            let found = scalar::exchange_equal(&Concrete, bits, &a, &b);
            let expected = if seen == 0 { Value::undefined_bits(1) } else { Value::of(same as u64) };
            assert_eq!(found, expected, "{a:?} {b:?}");
        }
    }
}

#[test]
fn casts_and_selections() {
    for from in 1..=4 {
        for (a, to) in values(from).into_iter().flat_map(|a| (1..=6).map(move |to| (a, to))) {
            for op in [CastOp::Truncate, CastOp::ZeroExtend, CastOp::SignExtend] {
                if (op == CastOp::Truncate) != (to < from) {
                    continue;
                }
                let extended = |x: u64| match op {
                    CastOp::SignExtend => number(x, from) as u64 & mask(to),
                    _ => x & mask(to),
                };
                let expected = joined(meanings(a, from).map(extended));
                assert_eq!(scalar::cast(&Concrete, op, from, to, &a), expected, "{op:?} {a:?} {to}");
            }
        }
    }
    let all = values(3);
    for condition in values(1) {
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            let either = [b, a].into_iter().enumerate();
            let taken = either.filter(|(i, _)| meanings(condition, 1).any(|c| c as usize == *i));
            let expected = joined(taken.flat_map(|(_, v)| meanings(v, 3)));
            let found = scalar::select(&Concrete, &condition, || a, || b);
            assert_eq!(found, expected, "{condition:?} {a:?} {b:?}");
        }
    }
}
