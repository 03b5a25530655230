//! Integer and float arithmetic on values whose bits may be indeterminate.
//!
//! Indeterminate bits travel as in MemorySanitizer (Stepanov, Serebryany, CGO 2015): exactly through and, or, xor,
//! shifts by known amounts, truncation and extension; a sum is indeterminate from the lowest indeterminate bit
//! upward; any other operation is indeterminate as a whole. Equality is known when determinate bits differ, order
//! when it is the same for the least and the greatest value that the indeterminate bits allow.

use raddle_ir::{
    BinaryOp, BitOp, CompareOp, FloatBinaryOp, FloatCastOp, FloatKind, FloatUnaryOp, OverflowOp, UpdateOp,
};

use crate::semantics::value::{Value, mask, signed};

/// What arithmetic can do wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ArithmeticFault {
    SignedOverflow,
    DivisionByZero,
    ShiftRange,
    /// A floating-point value that the integer type cannot represent; the result is what x86 gives.
    ConversionRange,
}

/// A result and, if the operation was at fault, how; the result then is what the wrap-around gives.
pub type Checked = (Value, Option<ArithmeticFault>);

#[inline(always)]
pub fn binary(op: BinaryOp, bits: u8, signed_wrap: bool, a: Value, b: Value) -> Checked {
    if (a.undefined | b.undefined) != 0 {
        return undefined_binary(op, bits, a, b);
    }
    let (x, y) = (a.bits, b.bits);
    let m = mask(bits);
    let value = match op {
        BinaryOp::Add => {
            let r = x.wrapping_add(y) & m;
            if signed_wrap && ((x ^ r) & (y ^ r)) >> (bits - 1) & 1 != 0 {
                return (Value::of(r), Some(ArithmeticFault::SignedOverflow));
            }
            r
        }
        BinaryOp::Sub => {
            let r = x.wrapping_sub(y) & m;
            if signed_wrap && ((x ^ y) & (x ^ r)) >> (bits - 1) & 1 != 0 {
                return (Value::of(r), Some(ArithmeticFault::SignedOverflow));
            }
            r
        }
        BinaryOp::Mul => {
            let r = x.wrapping_mul(y) & m;
            if signed_wrap && signed(x, bits).checked_mul(signed(y, bits)) != Some(signed(r, bits)) {
                return (Value::of(r), Some(ArithmeticFault::SignedOverflow));
            }
            r
        }
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        BinaryOp::Shl | BinaryOp::ShlSigned | BinaryOp::LShr | BinaryOp::AShr => {
            if y >= bits as u64 {
                // What a processor does: the amount modulo the width.
                let wrapped = shift(op, bits, x, y % bits as u64);
                return (Value::of(wrapped), Some(ArithmeticFault::ShiftRange));
            }
            let r = shift(op, bits, x, y);
            if signed_wrap && op == BinaryOp::Shl && signed(r, bits) >> y != signed(x, bits) {
                return (Value::of(r), Some(ArithmeticFault::SignedOverflow));
            }
            // The sign bit of the base and every bit that moves into or past that position must be zero (C11 6.5.7).
            if op == BinaryOp::ShlSigned && x >> (bits as u64 - 1 - y) != 0 {
                return (Value::of(r), Some(ArithmeticFault::SignedOverflow));
            }
            r
        }
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => return divide(op, bits, x, y),
        _ => min_max_saturate(op, bits, x, y),
    };
    (Value::of(value), None)
}

/// By less than `bits`.
#[inline(always)]
fn shift(op: BinaryOp, bits: u8, x: u64, y: u64) -> u64 {
    match op {
        BinaryOp::Shl | BinaryOp::ShlSigned => x << y & mask(bits),
        BinaryOp::LShr => x >> y,
        _ => (signed(x, bits) >> y) as u64 & mask(bits),
    }
}

#[inline(never)]
fn divide(op: BinaryOp, bits: u8, x: u64, y: u64) -> Checked {
    let m = mask(bits);
    if y == 0 {
        // The run continues: quotient 0, and the remainder that fits it.
        let value = if matches!(op, BinaryOp::UDiv | BinaryOp::SDiv) { 0 } else { x };
        return (Value::of(value), Some(ArithmeticFault::DivisionByZero));
    }
    let (sx, sy) = (signed(x, bits), signed(y, bits));
    if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) && sy == -1 && sx == signed(1 << (bits - 1), bits) {
        let value = if op == BinaryOp::SDiv { x } else { 0 };
        return (Value::of(value), Some(ArithmeticFault::SignedOverflow));
    }
    let value = match op {
        BinaryOp::UDiv => x / y,
        BinaryOp::URem => x % y,
        BinaryOp::SDiv => (sx / sy) as u64 & m,
        _ => (sx % sy) as u64 & m,
    };
    (Value::of(value), None)
}

#[inline(never)]
fn min_max_saturate(op: BinaryOp, bits: u8, x: u64, y: u64) -> u64 {
    let m = mask(bits);
    let (sx, sy) = (signed(x, bits) as i128, signed(y, bits) as i128);
    let (low, high) = (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
    match op {
        BinaryOp::UMin => x.min(y),
        BinaryOp::UMax => x.max(y),
        BinaryOp::SMin => sx.min(sy) as u64 & m,
        BinaryOp::SMax => sx.max(sy) as u64 & m,
        BinaryOp::UAddSat => (x as u128 + y as u128).min(m as u128) as u64,
        BinaryOp::USubSat => x.saturating_sub(y),
        BinaryOp::SAddSat => (sx + sy).clamp(low, high) as u64 & m,
        _ => (sx - sy).clamp(low, high) as u64 & m,
    }
}

#[cold]
#[inline(never)]
fn undefined_binary(op: BinaryOp, bits: u8, a: Value, b: Value) -> Checked {
    let m = mask(bits);
    let op = if op == BinaryOp::ShlSigned { BinaryOp::Shl } else { op };
    let (ua, ub) = (a.undefined & m, b.undefined & m);
    let undefined = match op {
        BinaryOp::And => (ua | ub) & (ua | a.bits) & (ub | b.bits),
        BinaryOp::Or => (ua | ub) & (ua | !a.bits) & (ub | !b.bits) & m,
        BinaryOp::Xor => ua | ub,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if ua | ub == 0 => 0,
        BinaryOp::Add | BinaryOp::Sub => m & !((1u64 << (ua | ub).trailing_zeros()) - 1),
        BinaryOp::Shl if ub == 0 && b.bits < bits as u64 => ua << b.bits & m,
        BinaryOp::LShr if ub == 0 && b.bits < bits as u64 => ua >> b.bits,
        BinaryOp::AShr if ub == 0 && b.bits < bits as u64 => (signed(ua, bits) >> b.bits) as u64 & m,
        // Dividing by what may be zero is a fault that the caller sees as an indeterminate use.
        _ => m,
    };
    let known = |v: Value| Value::of(v.bits & m);
    let value = match op {
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => {
            binary(op, bits, false, known(a), known(b)).0.bits
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if undefined != m => {
            binary(op, bits, false, known(a), known(b)).0.bits
        }
        _ => 0,
    };
    (Value { bits: value & !undefined, undefined }, None)
}

#[inline(always)]
pub fn compare(op: CompareOp, bits: u8, a: Value, b: Value) -> Value {
    if (a.undefined | b.undefined) != 0 {
        return undefined_compare(op, bits, a, b);
    }
    let (x, y) = (a.bits, b.bits);
    let (sx, sy) = (signed(x, bits), signed(y, bits));
    Value::of(match op {
        CompareOp::Eq => x == y,
        CompareOp::Ne => x != y,
        CompareOp::ULt => x < y,
        CompareOp::ULe => x <= y,
        CompareOp::UGt => x > y,
        CompareOp::UGe => x >= y,
        CompareOp::SLt => sx < sy,
        CompareOp::SLe => sx <= sy,
        CompareOp::SGt => sx > sy,
        CompareOp::SGe => sx >= sy,
    } as u64)
}

#[cold]
#[inline(never)]
fn undefined_compare(op: CompareOp, bits: u8, a: Value, b: Value) -> Value {
    let m = mask(bits);
    let known = !(a.undefined | b.undefined);
    let differ = (a.bits ^ b.bits) & known & m != 0;
    // With the sign bit turned over, signed order is unsigned order.
    let sign = match op {
        CompareOp::SLt | CompareOp::SLe | CompareOp::SGt | CompareOp::SGe => 1 << (bits - 1),
        _ => 0,
    };
    let least = |v: Value| (v.bits ^ sign) & !v.undefined & m;
    let greatest = |v: Value| ((v.bits ^ sign) | v.undefined) & m;
    let less = |x: Value, y: Value| match (greatest(x) < least(y), least(x) >= greatest(y)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let answer = match op {
        CompareOp::Eq => differ.then_some(false),
        CompareOp::Ne => differ.then_some(true),
        CompareOp::ULt | CompareOp::SLt => less(a, b),
        CompareOp::UGt | CompareOp::SGt => less(b, a),
        CompareOp::ULe | CompareOp::SLe => less(b, a).map(|less| !less),
        CompareOp::UGe | CompareOp::SGe => less(a, b).map(|less| !less),
    };
    answer.map_or(Value { bits: 0, undefined: 1 }, |holds| Value::of(holds as u64))
}

/// Sign extension, of the indeterminate bits too.
#[inline(always)]
pub fn sign_extend(value: Value, from: u8, to: u8) -> Value {
    let m = mask(to);
    Value { bits: signed(value.bits, from) as u64 & m, undefined: signed(value.undefined, from) as u64 & m }
}

pub fn overflow(op: OverflowOp, bits: u8, x: u64, y: u64) -> (u64, bool) {
    let m = mask(bits);
    let (sx, sy) = (signed(x, bits) as i128, signed(y, bits) as i128);
    let (ux, uy) = (x as i128, y as i128);
    let exact = match op {
        OverflowOp::SAdd => sx + sy,
        OverflowOp::SSub => sx - sy,
        OverflowOp::SMul => sx * sy,
        OverflowOp::UAdd => ux + uy,
        OverflowOp::USub => ux - uy,
        // 64 by 64 bits may exceed i128's sign, not its width.
        OverflowOp::UMul => return ((x as u128 * y as u128) as u64 & m, x as u128 * y as u128 > m as u128),
    };
    let result = exact as u64 & m;
    let back = match op {
        OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => signed(result, bits) as i128,
        _ => result as i128,
    };
    (result, back != exact)
}

pub fn bit_operation(op: BitOp, bits: u8, a: u64, b: u64, c: u64) -> u64 {
    let m = mask(bits);
    let shift = 64 - bits as u32;
    match op {
        BitOp::Settle => a,
        BitOp::PopCount => a.count_ones() as u64,
        BitOp::LeadingZeros => (a.leading_zeros() - shift) as u64,
        BitOp::TrailingZeros => (a.trailing_zeros()).min(bits as u32) as u64,
        BitOp::ByteSwap => a.swap_bytes() >> shift,
        BitOp::BitReverse => a.reverse_bits() >> shift,
        BitOp::Abs => (signed(a, bits).wrapping_abs()) as u64 & m,
        BitOp::FunnelLeft | BitOp::FunnelRight => {
            let wide = (a as u128) << bits | b as u128;
            let amount = (c % bits as u64) as u32;
            if op == BitOp::FunnelLeft {
                ((wide << amount) >> bits) as u64 & m
            } else {
                (wide >> amount) as u64 & m
            }
        }
    }
}

/// The new content of an atomic update.
pub fn update(op: UpdateOp, bits: u8, kind: Option<FloatKind>, old: Value, operand: Value) -> Value {
    if op == UpdateOp::Exchange {
        return operand;
    }
    if !old.is_defined() || !operand.is_defined() {
        return Value::undefined_bits(bits);
    }
    if let Some(kind) = kind {
        let op = match op {
            UpdateOp::FAdd => FloatBinaryOp::Add,
            UpdateOp::FSub => FloatBinaryOp::Sub,
            UpdateOp::FMax => FloatBinaryOp::Max,
            _ => FloatBinaryOp::Min,
        };
        return float_binary(op, kind, old, operand);
    }
    let (x, y) = (old.bits, operand.bits);
    let m = mask(bits);
    let (sx, sy) = (signed(x, bits), signed(y, bits));
    Value::of(
        m & match op {
            UpdateOp::Add => x.wrapping_add(y),
            UpdateOp::Sub => x.wrapping_sub(y),
            UpdateOp::And => x & y,
            UpdateOp::Nand => !(x & y),
            UpdateOp::Or => x | y,
            UpdateOp::Xor => x ^ y,
            UpdateOp::Max => sx.max(sy) as u64,
            UpdateOp::Min => sx.min(sy) as u64,
            UpdateOp::UMax => x.max(y),
            UpdateOp::UMin => x.min(y),
            UpdateOp::UIncWrap => {
                if x >= y {
                    0
                } else {
                    x + 1
                }
            }
            UpdateOp::UDecWrap => {
                if x == 0 || x > y {
                    y
                } else {
                    x - 1
                }
            }
            _ => y,
        },
    )
}

#[inline(always)]
pub fn float_binary(op: FloatBinaryOp, kind: FloatKind, a: Value, b: Value) -> Value {
    let width = if kind == FloatKind::Float { 32 } else { 64 };
    if !a.is_defined() || !b.is_defined() {
        return Value::undefined_bits(width);
    }
    macro_rules! apply {
        ($ty:ty, $bits:ty) => {{
            let (x, y) = (<$ty>::from_bits(a.bits as $bits), <$ty>::from_bits(b.bits as $bits));
            let r = match op {
                FloatBinaryOp::Add => x + y,
                FloatBinaryOp::Sub => x - y,
                FloatBinaryOp::Mul => x * y,
                FloatBinaryOp::Div => x / y,
                _ => return rare_float_binary(op, kind, a.bits, b.bits),
            };
            Value::of(r.to_bits() as u64)
        }};
    }
    match kind {
        FloatKind::Float => apply!(f32, u32),
        FloatKind::Double => apply!(f64, u64),
    }
}

#[inline(never)]
fn rare_float_binary(op: FloatBinaryOp, kind: FloatKind, a: u64, b: u64) -> Value {
    macro_rules! apply {
        ($ty:ty, $bits:ty) => {{
            let (x, y) = (<$ty>::from_bits(a as $bits), <$ty>::from_bits(b as $bits));
            let r = match op {
                FloatBinaryOp::Rem => x % y,
                FloatBinaryOp::Min => x.min(y),
                FloatBinaryOp::Max => x.max(y),
                FloatBinaryOp::CopySign => x.copysign(y),
                FloatBinaryOp::Pow => x.powf(y),
                _ => unreachable!("done in place"),
            };
            Value::of(r.to_bits() as u64)
        }};
    }
    match kind {
        FloatKind::Float => apply!(f32, u32),
        FloatKind::Double => apply!(f64, u64),
    }
}

pub fn float_unary(op: FloatUnaryOp, kind: FloatKind, a: Value) -> Value {
    if !a.is_defined() {
        return Value::undefined_bits(if kind == FloatKind::Float { 32 } else { 64 });
    }
    macro_rules! apply {
        ($ty:ty, $bits:ty) => {{
            let x = <$ty>::from_bits(a.bits as $bits);
            let r = match op {
                FloatUnaryOp::Negate => -x,
                FloatUnaryOp::Abs => x.abs(),
                FloatUnaryOp::Sqrt => x.sqrt(),
                FloatUnaryOp::Floor => x.floor(),
                FloatUnaryOp::Ceil => x.ceil(),
                FloatUnaryOp::Trunc => x.trunc(),
                FloatUnaryOp::Round => x.round(),
                FloatUnaryOp::RoundEven => x.round_ties_even(),
            };
            Value::of(r.to_bits() as u64)
        }};
    }
    match kind {
        FloatKind::Float => apply!(f32, u32),
        FloatKind::Double => apply!(f64, u64),
    }
}

pub fn float_multiply_add(kind: FloatKind, fused: bool, a: Value, b: Value, c: Value) -> Value {
    if !(fused && a.is_defined() && b.is_defined() && c.is_defined()) {
        let product = float_binary(FloatBinaryOp::Mul, kind, a, b);
        return float_binary(FloatBinaryOp::Add, kind, product, c);
    }
    match kind {
        FloatKind::Float => {
            let f = |v: Value| f32::from_bits(v.bits as u32);
            Value::of(f(a).mul_add(f(b), f(c)).to_bits() as u64)
        }
        FloatKind::Double => {
            let f = |v: Value| f64::from_bits(v.bits);
            Value::of(f(a).mul_add(f(b), f(c)).to_bits())
        }
    }
}

/// The value of a float as a double.
pub fn as_double(kind: FloatKind, value: u64) -> f64 {
    match kind {
        FloatKind::Float => f32::from_bits(value as u32) as f64,
        FloatKind::Double => f64::from_bits(value),
    }
}

pub fn float_compare(predicate: u8, kind: FloatKind, a: Value, b: Value) -> Value {
    if !a.is_defined() || !b.is_defined() {
        return Value { bits: 0, undefined: 1 };
    }
    let (x, y) = (as_double(kind, a.bits), as_double(kind, b.bits));
    let relation = match x.partial_cmp(&y) {
        Some(std::cmp::Ordering::Equal) => 1,
        Some(std::cmp::Ordering::Greater) => 2,
        Some(std::cmp::Ordering::Less) => 4,
        None => 8,
    };
    Value::of((predicate & relation != 0) as u64)
}

pub fn float_cast(op: FloatCastOp, kind: FloatKind, bits: u8, a: Value) -> Checked {
    let value = float_cast_within(op, kind, bits, a);
    let converts = matches!(op, FloatCastOp::ToSigned | FloatCastOp::ToUnsigned);
    if converts && a.is_defined() && !value.is_defined() {
        return (value, Some(ArithmeticFault::ConversionRange));
    }
    (value, None)
}

/// A conversion out of range is indeterminate here.
fn float_cast_within(op: FloatCastOp, kind: FloatKind, bits: u8, a: Value) -> Value {
    let float = |v: f64| match kind {
        FloatKind::Float => Value::of((v as f32).to_bits() as u64),
        FloatKind::Double => Value::of(v.to_bits()),
    };
    if !a.is_defined() {
        return match op {
            FloatCastOp::Resize | FloatCastOp::FromSigned | FloatCastOp::FromUnsigned => Value::UNDEFINED,
            _ => Value::undefined_bits(bits),
        };
    }
    match op {
        FloatCastOp::Resize => match kind {
            FloatKind::Float => Value::of((f32::from_bits(a.bits as u32) as f64).to_bits()),
            FloatKind::Double => Value::of((f64::from_bits(a.bits) as f32).to_bits() as u64),
        },
        FloatCastOp::FromSigned => match kind {
            FloatKind::Float => Value::of((signed(a.bits, bits) as f32).to_bits() as u64),
            FloatKind::Double => float(signed(a.bits, bits) as f64),
        },
        FloatCastOp::FromUnsigned => match kind {
            FloatKind::Float => Value::of((a.bits as f32).to_bits() as u64),
            FloatKind::Double => float(a.bits as f64),
        },
        FloatCastOp::ToSigned | FloatCastOp::ToSignedSaturating => {
            let (x, m) = (as_double(kind, a.bits).trunc(), mask(bits));
            let (low, high) = (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1));
            if x >= low && x < high {
                Value::of(x as i64 as u64 & m)
            } else if op == FloatCastOp::ToSigned {
                Value::undefined_bits(bits)
            } else {
                let high = (m >> 1) as i64;
                Value::of((x as i64).clamp(-high - 1, high) as u64 & m)
            }
        }
        FloatCastOp::ToUnsigned | FloatCastOp::ToUnsignedSaturating => {
            let (x, m) = (as_double(kind, a.bits).trunc(), mask(bits));
            if x > -1.0 && x < 2f64.powi(bits as i32) {
                Value::of(x as u64 & m)
            } else if op == FloatCastOp::ToUnsigned {
                Value::undefined_bits(bits)
            } else {
                Value::of((x as u64).min(m))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All values of four bits that a value may be.
    fn meanings(value: Value) -> impl Iterator<Item = u64> {
        (0..16).filter(move |x| x & !value.undefined & 15 == value.bits)
    }

    #[test]
    fn comparisons_know_what_indeterminate_bits_cannot_change() {
        use CompareOp::*;
        let values = (0..16u64).flat_map(|u| (0..16).filter(move |b| b & u == 0).map(move |bits| (bits, u)));
        let values: Vec<Value> = values.map(|(bits, undefined)| Value { bits, undefined }).collect();
        for op in [Eq, Ne, ULt, ULe, UGt, UGe, SLt, SLe, SGt, SGe] {
            for a in &values {
                for b in &values {
                    let mut seen = [false; 2];
                    for x in meanings(*a) {
                        for y in meanings(*b) {
                            seen[compare(op, 4, Value::of(x), Value::of(y)).bits as usize] = true;
                        }
                    }
                    let expected = match seen {
                        [true, false] => Value::of(0),
                        [false, true] => Value::of(1),
                        _ => Value { bits: 0, undefined: 1 },
                    };
                    assert_eq!(compare(op, 4, *a, *b), expected, "{op:?} {a:?} {b:?}");
                }
            }
        }
    }
}
