//! Values of bit vectors of up to 256 bits, and SMT-LIB's operations on them.
//!
//! A value is four limbs and knows no width: each operation is given the width in which it works, its operands have no bit
//! set above that, and neither has its result. Widths of up to 64 bits take one limb's arithmetic. Division of more than
//! 128 bits is bit by bit.

use std::cmp::Ordering;
use std::fmt;

/// The widest bit vector.
pub const MOST_BITS: u32 = 256;

/// The value of a bit vector: an unsigned number of up to 256 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bits([u64; 4]);

impl From<u64> for Bits {
    fn from(value: u64) -> Bits {
        Bits([value, 0, 0, 0])
    }
}

impl From<u128> for Bits {
    fn from(value: u128) -> Bits {
        Bits([value as u64, (value >> 64) as u64, 0, 0])
    }
}

impl From<bool> for Bits {
    fn from(value: bool) -> Bits {
        Bits([u64::from(value), 0, 0, 0])
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        if b | c | d == 0 { write!(f, "{a:#x}") } else { write!(f, "0x{d:016x}{c:016x}{b:016x}{a:016x}") }
    }
}

/// The lowest `width` bits of a limb, `width` at most 64.
#[inline]
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A limb as a signed number of `width` bits.
#[inline]
fn signed(value: u64, width: u32) -> i64 {
    (value << (64 - width)) as i64 >> (64 - width)
}

impl Bits {
    pub const ZERO: Bits = Bits([0; 4]);

    /// The limbs, least significant first.
    pub fn limbs(self) -> [u64; 4] {
        self.0
    }

    pub fn from_limbs(limbs: [u64; 4]) -> Bits {
        Bits(limbs)
    }

    /// The lowest 64 bits.
    #[inline]
    pub fn low(self) -> u64 {
        self.0[0]
    }

    /// The lowest 128 bits.
    pub fn low_128(self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0[1]) << 64
    }

    /// The value, if it has no more than 64 bits.
    pub fn as_u64(self) -> Option<u64> {
        (self.0[1] | self.0[2] | self.0[3] == 0).then_some(self.0[0])
    }

    pub fn bit(self, index: u32) -> bool {
        self.0[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    pub fn is_zero(self) -> bool {
        self == Bits::ZERO
    }

    /// All bits of the width set.
    pub fn ones(width: u32) -> Bits {
        let limb = |index: u32| if width > 64 * index { mask(width - 64 * index) } else { 0 };
        Bits([limb(0), limb(1), limb(2), limb(3)])
    }

    /// Two to the power of `index`.
    pub fn power(index: u32) -> Bits {
        let mut limbs = [0; 4];
        limbs[(index / 64) as usize] = 1 << (index % 64);
        Bits(limbs)
    }

    /// The position of the highest bit that is set, plus one.
    pub fn length(self) -> u32 {
        (0..4).rev().find(|i| self.0[*i] != 0).map_or(0, |i| 64 * i as u32 + 64 - self.0[i].leading_zeros())
    }

    pub fn trailing_zeros(self) -> u32 {
        (0..4).find(|i| self.0[*i] != 0).map_or(256, |i| 64 * i as u32 + self.0[i].trailing_zeros())
    }

    /// The exponent, if it is a power of two.
    pub(crate) fn as_power(self) -> Option<u32> {
        (self.0.iter().map(|limb| limb.count_ones()).sum::<u32>() == 1).then(|| self.trailing_zeros())
    }

    fn zip(self, other: Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
        Bits(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    pub(crate) fn truncate(self, width: u32) -> Bits {
        self.zip(Bits::ones(width), |a, b| a & b)
    }

    pub(crate) fn not(self, width: u32) -> Bits {
        if width <= 64 {
            return Bits::from(!self.0[0] & mask(width));
        }
        self.zip(Bits::ones(width), |a, b| a ^ b)
    }

    pub(crate) fn and(self, other: Bits) -> Bits {
        self.zip(other, |a, b| a & b)
    }

    pub(crate) fn or(self, other: Bits) -> Bits {
        self.zip(other, |a, b| a | b)
    }

    pub(crate) fn xor(self, other: Bits) -> Bits {
        self.zip(other, |a, b| a ^ b)
    }

    pub(crate) fn add(self, other: Bits, width: u32) -> Bits {
        if width <= 64 {
            return Bits::from(self.0[0].wrapping_add(other.0[0]) & mask(width));
        }
        let mut carry = false;
        let limbs = std::array::from_fn(|i| {
            let (sum, first) = self.0[i].overflowing_add(other.0[i]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first | second;
            sum
        });
        Bits(limbs).truncate(width)
    }

    pub(crate) fn neg(self, width: u32) -> Bits {
        self.not(width).add(Bits::from(1u64), width)
    }

    pub(crate) fn sub(self, other: Bits, width: u32) -> Bits {
        self.add(other.neg(width), width)
    }

    pub(crate) fn mul(self, other: Bits, width: u32) -> Bits {
        if width <= 64 {
            return Bits::from(self.0[0].wrapping_mul(other.0[0]) & mask(width));
        }
        let mut limbs = [0u64; 4];
        for (i, a) in self.0.into_iter().enumerate() {
            let mut carry = 0u128;
            for j in 0..4 - i {
                let part = u128::from(a) * u128::from(other.0[j]) + u128::from(limbs[i + j]) + carry;
                limbs[i + j] = part as u64;
                carry = part >> 64;
            }
        }
        Bits(limbs).truncate(width)
    }

    /// Quotient and remainder; by zero: all ones and the dividend.
    pub(crate) fn divide(self, other: Bits, width: u32) -> (Bits, Bits) {
        if other.is_zero() {
            return (Bits::ones(width), self);
        }
        if width <= 128 {
            let (a, b) = (self.low_128(), other.low_128());
            return (Bits::from(a / b), Bits::from(a % b));
        }
        let (mut quotient, mut remainder) = (Bits::ZERO, Bits::ZERO);
        for index in (0..width).rev() {
            // A remainder of 256 bits would lose its highest bit here.
            let lost = remainder.bit(255);
            remainder = remainder.shl(1, 256).or(Bits::from(self.bit(index)));
            if lost || remainder.compare(other) != Ordering::Less {
                remainder = remainder.sub(other, 256);
                quotient = quotient.or(Bits::power(index));
            }
        }
        (quotient, remainder)
    }

    pub(crate) fn shl(self, by: u32, width: u32) -> Bits {
        if by >= width {
            return Bits::ZERO;
        }
        if width <= 64 {
            return Bits::from(self.0[0] << by & mask(width));
        }
        let (limbs, bits) = ((by / 64) as usize, by % 64);
        let part = |i: usize| if i < limbs { 0 } else { self.0[i - limbs] };
        let shifted = std::array::from_fn(|i| {
            let below = if bits == 0 || i == 0 { 0 } else { part(i - 1) >> (64 - bits) };
            part(i) << bits | below
        });
        Bits(shifted).truncate(width)
    }

    pub(crate) fn lshr(self, by: u32) -> Bits {
        if by >= MOST_BITS {
            return Bits::ZERO;
        }
        let (limbs, bits) = ((by / 64) as usize, by % 64);
        let part = |i: usize| if i + limbs < 4 { self.0[i + limbs] } else { 0 };
        Bits(std::array::from_fn(|i| {
            let above = if bits == 0 { 0 } else { part(i + 1) << (64 - bits) };
            part(i) >> bits | above
        }))
    }

    pub(crate) fn ashr(self, by: u32, width: u32) -> Bits {
        if !self.bit(width - 1) {
            return self.lshr(by);
        }
        self.not(width).lshr(by).not(width)
    }

    /// A shift amount: the value, or the width if that is less.
    pub(crate) fn amount(self, width: u32) -> u32 {
        self.as_u64().map_or(width, |by| by.min(u64::from(width)) as u32)
    }

    pub(crate) fn compare(self, other: Bits) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }

    pub(crate) fn ult(self, other: Bits) -> bool {
        self.compare(other) == Ordering::Less
    }

    pub(crate) fn slt(self, other: Bits, width: u32) -> bool {
        if width <= 64 {
            return signed(self.0[0], width) < signed(other.0[0], width);
        }
        let sign = Bits::power(width - 1);
        self.xor(sign).ult(other.xor(sign))
    }

    /// Above another value of `width` bits.
    pub(crate) fn concat(self, low: Bits, width: u32) -> Bits {
        self.shl(width, MOST_BITS).or(low)
    }

    pub(crate) fn extract(self, high: u32, low: u32) -> Bits {
        if high < 64 {
            return Bits::from(self.0[0] >> low & mask(high - low + 1));
        }
        self.lshr(low).truncate(high - low + 1)
    }

    pub(crate) fn sign_extend(self, from: u32, to: u32) -> Bits {
        if self.bit(from - 1) { self.not(from).not(to) } else { self }
    }

    /// Whether the exact product of two unsigned numbers has more bits.
    pub(crate) fn umul_overflows(self, other: Bits, width: u32) -> bool {
        !self.is_zero() && Bits::ones(width).divide(self, width).0.ult(other)
    }

    pub(crate) fn smul_overflows(self, other: Bits, width: u32) -> bool {
        let minus = self.bit(width - 1) != other.bit(width - 1);
        let magnitude = |x: Bits| if x.bit(width - 1) { x.neg(width) } else { x };
        let (a, b) = (magnitude(self), magnitude(other));
        let most = if minus { Bits::power(width - 1) } else { Bits::ones(width - 1) };
        !a.is_zero() && most.divide(a, width).0.ult(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation in widths whose operands have more than one limb, from the same in 128 bits of the processor.
    #[test]
    fn limbs_agree_with_the_processor() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let word = state.rotate_left(32) as u128;
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (word << 64 | state as u128) >> (state >> 57)
        };
        for _ in 0..2000 {
            let (a, b) = (next(), next());
            let (x, y) = (Bits::from(a), Bits::from(b));
            assert_eq!(x.add(y, 128).low_128(), a.wrapping_add(b));
            assert_eq!(x.sub(y, 128).low_128(), a.wrapping_sub(b));
            assert_eq!(x.mul(y, 128).low_128(), a.wrapping_mul(b));
            assert_eq!(x.slt(y, 128), (a as i128) < (b as i128));
            assert_eq!(x.ult(y), a < b);
            assert_eq!(x.umul_overflows(y, 128), a.checked_mul(b).is_none());
            assert_eq!(x.smul_overflows(y, 128), (a as i128).checked_mul(b as i128).is_none());
            let by = (b % 128) as u32;
            assert_eq!(x.shl(by, 128).low_128(), a << by);
            assert_eq!(x.lshr(by).low_128(), a >> by);
            assert_eq!(x.ashr(by, 128).low_128(), ((a as i128) >> by) as u128);
            assert_eq!(x.length(), 128 - a.leading_zeros());
            // In 256 bits: (a * 2^100 + b) divided by b, multiplied and added again.
            let wide = x.shl(100, 256).add(y, 256);
            let (quotient, remainder) = wide.divide(y, 256);
            if b != 0 {
                assert!(remainder.ult(y));
                assert_eq!(quotient.mul(y, 256).add(remainder, 256), wide);
            }
            assert_eq!(wide.sub(y, 256).lshr(100), x);
            assert_eq!(wide.sub(y, 256).extract(227, 100), x);
        }
    }
}
