//! The concrete domain: words are numbers, bits are truth values, floats are those of the processor. Every function is
//! inlined, so that a scalar function over this domain is the code that would be written by hand.

use raddle_ir::{FloatBinaryOp, FloatCastOp, FloatKind, FloatUnaryOp};

use crate::domain::Domain;
use crate::fault::ArithmeticFault;
use crate::value::{Value, mask, signed};

#[derive(Clone, Copy, Debug, Default)]
pub struct Concrete;

impl Domain for Concrete {
    type Word = u64;
    type Bit = bool;
    type Value = Value;
    type Faults = Option<ArithmeticFault>;

    #[inline(always)]
    fn word(&self, value: u64) -> u64 {
        value
    }
    #[inline(always)]
    fn bit(&self, value: bool) -> bool {
        value
    }
    #[inline(always)]
    fn known(&self, bit: &bool) -> Option<bool> {
        Some(*bit)
    }
    #[inline(always)]
    fn negation(&self, a: &bool) -> bool {
        !*a
    }
    #[inline(always)]
    fn conjunction(&self, a: &bool, b: &bool) -> bool {
        *a & *b
    }
    #[inline(always)]
    fn disjunction(&self, a: &bool, b: &bool) -> bool {
        *a | *b
    }
    #[inline(always)]
    fn choose(&self, condition: &bool, yes: &u64, no: &u64) -> u64 {
        if *condition { *yes } else { *no }
    }
    #[inline(always)]
    fn word_of_bit(&self, bit: &bool) -> u64 {
        *bit as u64
    }
    #[inline(always)]
    fn and(&self, a: &u64, b: &u64) -> u64 {
        a & b
    }
    #[inline(always)]
    fn or(&self, a: &u64, b: &u64) -> u64 {
        a | b
    }
    #[inline(always)]
    fn xor(&self, a: &u64, b: &u64) -> u64 {
        a ^ b
    }
    #[inline(always)]
    fn add(&self, bits: u8, a: &u64, b: &u64) -> u64 {
        a.wrapping_add(*b) & mask(bits)
    }
    #[inline(always)]
    fn sub(&self, bits: u8, a: &u64, b: &u64) -> u64 {
        a.wrapping_sub(*b) & mask(bits)
    }
    #[inline(always)]
    fn mul(&self, bits: u8, a: &u64, b: &u64) -> u64 {
        a.wrapping_mul(*b) & mask(bits)
    }
    #[inline(always)]
    fn udiv(&self, _: u8, a: &u64, b: &u64) -> u64 {
        a.checked_div(*b).unwrap_or(0)
    }
    #[inline(always)]
    fn urem(&self, _: u8, a: &u64, b: &u64) -> u64 {
        a.checked_rem(*b).unwrap_or(*a)
    }
    #[inline(always)]
    fn sdiv(&self, bits: u8, a: &u64, b: &u64) -> u64 {
        let (a, b) = (signed(*a, bits), signed(*b, bits));
        if b == 0 { 0 } else { a.wrapping_div(b) as u64 & mask(bits) }
    }
    #[inline(always)]
    fn srem(&self, bits: u8, a: &u64, b: &u64) -> u64 {
        let (x, y) = (signed(*a, bits), signed(*b, bits));
        if y == 0 { *a } else { x.wrapping_rem(y) as u64 & mask(bits) }
    }
    #[inline(always)]
    fn shl(&self, bits: u8, a: &u64, by: &u64) -> u64 {
        a.wrapping_shl(*by as u32) & mask(bits)
    }
    #[inline(always)]
    fn lshr(&self, _: u8, a: &u64, by: &u64) -> u64 {
        a.wrapping_shr(*by as u32)
    }
    #[inline(always)]
    fn ashr(&self, bits: u8, a: &u64, by: &u64) -> u64 {
        signed(*a, bits).wrapping_shr(*by as u32) as u64 & mask(bits)
    }
    #[inline(always)]
    fn sign_extend(&self, from: u8, to: u8, a: &u64) -> u64 {
        signed(*a, from) as u64 & mask(to)
    }
    #[inline(always)]
    fn truncate(&self, to: u8, a: &u64) -> u64 {
        a & mask(to)
    }
    #[inline(always)]
    fn eq(&self, _: u8, a: &u64, b: &u64) -> bool {
        a == b
    }
    #[inline(always)]
    fn ult(&self, _: u8, a: &u64, b: &u64) -> bool {
        a < b
    }
    #[inline(always)]
    fn slt(&self, bits: u8, a: &u64, b: &u64) -> bool {
        signed(*a, bits) < signed(*b, bits)
    }

    #[inline(always)]
    fn add_overflows(&self, bits: u8, is_signed: bool, a: &u64, b: &u64) -> bool {
        let sum = self.add(bits, a, b);
        if is_signed { ((a ^ sum) & (b ^ sum)) >> (bits - 1) & 1 != 0 } else { sum < *a }
    }
    #[inline(always)]
    fn sub_overflows(&self, bits: u8, is_signed: bool, a: &u64, b: &u64) -> bool {
        let difference = self.sub(bits, a, b);
        if is_signed { ((a ^ b) & (a ^ difference)) >> (bits - 1) & 1 != 0 } else { a < b }
    }
    #[inline(always)]
    fn mul_overflows(&self, bits: u8, is_signed: bool, a: &u64, b: &u64) -> bool {
        let product = self.mul(bits, a, b);
        if is_signed {
            signed(*a, bits).checked_mul(signed(*b, bits)) != Some(signed(product, bits))
        } else {
            a.checked_mul(*b) != Some(product)
        }
    }
    fn mul_high(&self, a: &u64, b: &u64) -> u64 {
        ((*a as u128 * *b as u128) >> 64) as u64
    }
    fn ones(&self, a: &u64) -> u64 {
        a.count_ones() as u64
    }
    fn trailing_zeros(&self, bits: u8, a: &u64) -> u64 {
        a.trailing_zeros().min(bits as u32) as u64
    }
    fn leading_zeros(&self, bits: u8, a: &u64) -> u64 {
        (a.leading_zeros() - (64 - bits as u32)) as u64
    }
    fn byte_swap(&self, bits: u8, a: &u64) -> u64 {
        a.swap_bytes() >> (64 - bits as u32)
    }
    fn bit_reverse(&self, bits: u8, a: &u64) -> u64 {
        a.reverse_bits() >> (64 - bits as u32)
    }

    #[inline(always)]
    fn float_binary(&self, op: FloatBinaryOp, kind: FloatKind, a: &u64, b: &u64) -> Option<u64> {
        macro_rules! apply {
            ($ty:ty, $bits:ty) => {{
                let (x, y) = (<$ty>::from_bits(*a as $bits), <$ty>::from_bits(*b as $bits));
                let r = match op {
                    FloatBinaryOp::Add => x + y,
                    FloatBinaryOp::Sub => x - y,
                    FloatBinaryOp::Mul => x * y,
                    FloatBinaryOp::Div => x / y,
                    _ => return Some(rare_float_binary(op, kind, *a, *b)),
                };
                Some(if r.is_nan() { default_nan(kind) } else { r.to_bits() as u64 })
            }};
        }
        match kind {
            FloatKind::Float => apply!(f32, u32),
            FloatKind::Double => apply!(f64, u64),
        }
    }

    fn float_unary(&self, op: FloatUnaryOp, kind: FloatKind, a: &u64) -> Option<u64> {
        macro_rules! apply {
            ($ty:ty, $bits:ty) => {{
                let x = <$ty>::from_bits(*a as $bits);
                let r = match op {
                    FloatUnaryOp::Negate => return Some((-x).to_bits() as u64),
                    FloatUnaryOp::Abs => return Some(x.abs().to_bits() as u64),
                    FloatUnaryOp::Sqrt => x.sqrt(),
                    FloatUnaryOp::Floor => x.floor(),
                    FloatUnaryOp::Ceil => x.ceil(),
                    FloatUnaryOp::Trunc => x.trunc(),
                    FloatUnaryOp::Round => x.round(),
                    FloatUnaryOp::RoundEven => x.round_ties_even(),
                };
                Some(if r.is_nan() { default_nan(kind) } else { r.to_bits() as u64 })
            }};
        }
        match kind {
            FloatKind::Float => apply!(f32, u32),
            FloatKind::Double => apply!(f64, u64),
        }
    }

    fn float_fused(&self, kind: FloatKind, a: &u64, b: &u64, c: &u64) -> Option<u64> {
        Some(match kind {
            FloatKind::Float => {
                let f = |v: &u64| f32::from_bits(*v as u32);
                let r = f(a).mul_add(f(b), f(c));
                if r.is_nan() { default_nan(kind) } else { r.to_bits() as u64 }
            }
            FloatKind::Double => {
                let f = |v: &u64| f64::from_bits(*v);
                let r = f(a).mul_add(f(b), f(c));
                if r.is_nan() { default_nan(kind) } else { r.to_bits() }
            }
        })
    }

    fn float_compare(&self, relations: u8, kind: FloatKind, a: &u64, b: &u64) -> Option<bool> {
        let relation = match as_double(kind, *a).partial_cmp(&as_double(kind, *b)) {
            Some(std::cmp::Ordering::Equal) => 1,
            Some(std::cmp::Ordering::Greater) => 2,
            Some(std::cmp::Ordering::Less) => 4,
            None => 8,
        };
        Some(relations & relation != 0)
    }

    fn float_cast(&self, op: FloatCastOp, kind: FloatKind, bits: u8, a: &u64) -> Option<(u64, bool)> {
        let whole = || as_double(kind, *a).trunc();
        let value = match op {
            FloatCastOp::Resize if as_double(kind, *a).is_nan() => default_nan(match kind {
                FloatKind::Float => FloatKind::Double,
                FloatKind::Double => FloatKind::Float,
            }),
            FloatCastOp::Resize => match kind {
                FloatKind::Float => (f32::from_bits(*a as u32) as f64).to_bits(),
                FloatKind::Double => (f64::from_bits(*a) as f32).to_bits() as u64,
            },
            FloatCastOp::FromSigned => match kind {
                FloatKind::Float => (signed(*a, bits) as f32).to_bits() as u64,
                FloatKind::Double => (signed(*a, bits) as f64).to_bits(),
            },
            FloatCastOp::FromUnsigned => match kind {
                FloatKind::Float => (*a as f32).to_bits() as u64,
                FloatKind::Double => (*a as f64).to_bits(),
            },
            FloatCastOp::ToSigned | FloatCastOp::ToSignedSaturating => {
                let m = mask(bits);
                let (x, limit, high) = (whole(), 2f64.powi(bits as i32 - 1), (m >> 1) as i64);
                let saturated = (x as i64).clamp(-high - 1, high) as u64 & m;
                return Some((saturated, x >= -limit && x < limit));
            }
            FloatCastOp::ToUnsigned | FloatCastOp::ToUnsignedSaturating => {
                let x = whole();
                return Some(((x as u64).min(mask(bits)), x > -1.0 && x < 2f64.powi(bits as i32)));
            }
        };
        Some((value, true))
    }

    fn float_to_wide(&self, kind: FloatKind, signed: bool, bits: u16, a: &u64) -> Option<(Vec<u64>, bool)> {
        let value = as_double(kind, *a).trunc();
        let magnitude = value.abs();
        let limit = 2f64.powi(bits as i32 - signed as i32);
        let outside = magnitude >= limit && !(signed && value == -limit);
        let in_range = magnitude.is_finite() && !outside && (value >= 0.0 || signed);
        let mut limbs = vec![0u64; raddle_ir::instruction::limbs(bits) as usize];
        let raw = magnitude as u128;
        limbs[0] = raw as u64;
        if let Some(second) = limbs.get_mut(1) {
            *second = (raw >> 64) as u64;
        }
        if value < 0.0 {
            limbs = crate::wide::negate(self, &limbs, bits);
        }
        Some((limbs, in_range))
    }

    fn wide_to_float(&self, kind: FloatKind, signed: bool, bits: u16, a: &[u64]) -> Option<u64> {
        let minus = signed && crate::wide::sign(self, a, bits);
        let magnitude = if minus { crate::wide::negate(self, a, bits) } else { a.to_vec() };
        let low = magnitude[0] as u128 | (magnitude.get(1).copied().unwrap_or(0) as u128) << 64;
        let sign = if minus { -1.0 } else { 1.0 };
        Some(match kind {
            FloatKind::Float => (low as f32 * sign as f32).to_bits() as u64,
            FloatKind::Double => (low as f64 * sign).to_bits(),
        })
    }
}

#[inline(never)]
fn rare_float_binary(op: FloatBinaryOp, kind: FloatKind, a: u64, b: u64) -> u64 {
    macro_rules! apply {
        ($ty:ty, $bits:ty) => {{
            let (x, y) = (<$ty>::from_bits(a as $bits), <$ty>::from_bits(b as $bits));
            let r = match op {
                FloatBinaryOp::Rem => x % y,
                FloatBinaryOp::Min if !x.is_nan() && (y.is_nan() || x < y) => x,
                FloatBinaryOp::Max if !x.is_nan() && (y.is_nan() || x > y) => x,
                FloatBinaryOp::Min | FloatBinaryOp::Max => y,
                FloatBinaryOp::CopySign => return x.copysign(y).to_bits() as u64,
                FloatBinaryOp::Pow => x.powf(y),
                _ => unreachable!("done in place"),
            };
            if r.is_nan() { default_nan(kind) } else { r.to_bits() as u64 }
        }};
    }
    match kind {
        FloatKind::Float => apply!(f32, u32),
        FloatKind::Double => apply!(f64, u64),
    }
}

/// The NaN that every operation gives which gives one: that of x86 for an invalid operation. Payloads of operands are not
/// handed on, which IEEE 754 recommends and does not demand: they would depend on the order of operands that a compiler
/// chooses.
fn default_nan(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::Float => 0xffc0_0000,
        FloatKind::Double => 0xfff8_0000_0000_0000,
    }
}

/// The value of a float as a double.
fn as_double(kind: FloatKind, value: u64) -> f64 {
    match kind {
        FloatKind::Float => f32::from_bits(value as u32) as f64,
        FloatKind::Double => f64::from_bits(value),
    }
}
