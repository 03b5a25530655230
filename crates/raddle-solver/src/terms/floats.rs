//! IEEE 754 binary floating-point numbers as bit-vector terms: formats, classes, order, signs.
//!
//! The construction is word-level, so that constants fold and the rules of bit vectors apply, as in SymFPU (Brain, Schanda and
//! Sun 2019). It differs in keeping operands as they are packed: exponents are counted from the least normal one, and
//! subnormal operands stay unnormalised except where a quotient, a root or a fused product needs the leading bit. Rounding
//! is to nearest, ties to even. A NaN that an operation makes is the default NaN of x86: sign and quiet bit set, the rest
//! zero, whatever the operands' payloads. Signs are changed in the bits only.
//!
//! Other rounding modes, exception flags, remainders and powers are not offered.

mod arithmetic;
mod conversion;
mod round;

use super::{Bits, Term, Terms};

/// A binary interchange format, or one like it of any size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatFormat {
    /// Bits of the exponent.
    exponent: u32,
    /// Bits of the significand, with the leading one that is not stored.
    significand: u32,
}

impl FloatFormat {
    pub const BINARY32: FloatFormat = FloatFormat { exponent: 8, significand: 24 };
    pub const BINARY64: FloatFormat = FloatFormat { exponent: 11, significand: 53 };

    /// The significand is counted with its leading bit.
    ///
    /// # Panics
    ///
    /// With an exponent of less than 2 bits or more than 15, or a significand of less than 4 bits or more than 64.
    pub fn new(exponent: u32, significand: u32) -> FloatFormat {
        assert!((2..=15).contains(&exponent) && (4..=64).contains(&significand), "a float format");
        FloatFormat { exponent, significand }
    }

    /// All bits of a number.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// The exponent of the least normal number.
    fn least_exponent(self) -> i64 {
        2 - (1 << (self.exponent - 1))
    }

    /// Enough bits for sums of two exponents and of positions in a product, with a sign.
    fn exponent_width(self) -> u32 {
        self.exponent.max(34 - (4 * self.significand).leading_zeros()) + 3
    }

    /// The bits of infinity without its sign.
    fn infinity(self) -> Bits {
        Bits::ones(self.exponent).shl(self.significand - 1, self.width())
    }

    fn default_nan(self) -> Bits {
        Bits::ones(self.exponent + 2).shl(self.significand - 2, self.width())
    }
}

/// A number taken apart. Of zero, infinities and NaNs exponent and significand mean nothing.
struct Parts {
    sign: Term,
    nan: Term,
    infinite: Term,
    zero: Term,
    /// Above that of the least normal number, as wide as the exponent field.
    exponent: Term,
    /// With its leading bit, which is zero in subnormal numbers.
    significand: Term,
}

impl Terms {
    fn signed_constant(&mut self, width: u32, value: i64) -> Term {
        let value =
            if value < 0 { Bits::from(value.unsigned_abs()).neg(width) } else { Bits::from(value as u64) };
        self.constant(width, value)
    }

    fn check_float(&self, format: FloatFormat, a: Term) {
        assert_eq!(self.width(a), format.width(), "a number of the format");
    }

    /// All bits but the sign.
    fn float_magnitude(&mut self, format: FloatFormat, a: Term) -> Term {
        self.extract(a, format.width() - 2, 0)
    }

    pub fn float_is_nan(&mut self, format: FloatFormat, a: Term) -> Term {
        self.check_float(format, a);
        let magnitude = self.float_magnitude(format, a);
        let infinity = self.constant(format.width() - 1, format.infinity());
        self.ult(infinity, magnitude)
    }

    fn float_parts(&mut self, format: FloatFormat, a: Term) -> Parts {
        self.check_float(format, a);
        let fraction_bits = format.significand - 1;
        let sign = self.sign_bit(a);
        let field = self.extract(a, format.width() - 2, fraction_bits);
        let fraction = self.extract(a, fraction_bits - 1, 0);
        let ones = self.constant(format.exponent, Bits::ones(format.exponent));
        let (largest, small) = (self.eq(field, ones), self.is_zero(field));
        let whole = self.is_zero(fraction);
        let normal = self.not(small);
        // The field less one, or zero.
        let decrement = self.sign_extend(normal, format.exponent);
        Parts {
            sign,
            nan: {
                let not_whole = self.not(whole);
                self.and(largest, not_whole)
            },
            infinite: self.and(largest, whole),
            zero: self.and(small, whole),
            exponent: self.add(field, decrement),
            significand: self.concat(normal, fraction),
        }
    }

    fn float_zero(&mut self, format: FloatFormat, sign: Term) -> Term {
        let zero = self.constant(format.width() - 1, Bits::ZERO);
        self.concat(sign, zero)
    }

    fn float_infinity(&mut self, format: FloatFormat, sign: Term) -> Term {
        let infinity = self.constant(format.width() - 1, format.infinity());
        self.concat(sign, infinity)
    }

    fn float_nan(&mut self, format: FloatFormat) -> Term {
        self.constant(format.width(), format.default_nan())
    }

    /// The first case that holds, or the last.
    fn cases(&mut self, cases: &[(Term, Term)], otherwise: Term) -> Term {
        cases.iter().rev().fold(otherwise, |rest, (condition, value)| self.ite(*condition, *value, rest))
    }

    /// The sign turned over, of NaNs too.
    pub fn float_neg(&mut self, format: FloatFormat, a: Term) -> Term {
        let (sign, magnitude) = (self.sign_bit(a), self.float_magnitude(format, a));
        let sign = self.not(sign);
        self.concat(sign, magnitude)
    }

    /// The sign cleared, of NaNs too.
    pub fn float_abs(&mut self, format: FloatFormat, a: Term) -> Term {
        let magnitude = self.float_magnitude(format, a);
        self.concat(Term::FALSE, magnitude)
    }

    /// `a` with the sign of `b`.
    pub fn float_copy_sign(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        self.check_float(format, b);
        let (sign, magnitude) = (self.sign_bit(b), self.float_magnitude(format, a));
        self.concat(sign, magnitude)
    }

    /// Whether they are equal, whether `a` is greater, whether it is less, and whether they are unordered: exactly one holds.
    pub fn float_compare(&mut self, format: FloatFormat, a: Term, b: Term) -> [Term; 4] {
        let (nan_a, nan_b) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        let unordered = self.or(nan_a, nan_b);
        let ordered = self.not(unordered);
        let (sign_a, sign_b) = (self.sign_bit(a), self.sign_bit(b));
        let (x, y) = (self.float_magnitude(format, a), self.float_magnitude(format, b));
        let (zero_a, zero_b) = (self.is_zero(x), self.is_zero(y));
        let zeros = self.and(zero_a, zero_b);
        let same = self.eq(a, b);
        let equal = self.or(same, zeros);
        let equal = self.and(ordered, equal);
        // Of two negative numbers the one with the greater magnitude is less.
        let (below, above) = (self.ult(x, y), self.ult(y, x));
        let negative = self.ite(sign_b, above, Term::TRUE);
        let not_sign_b = self.not(sign_b);
        let positive = self.and(not_sign_b, below);
        let less = self.ite(sign_a, negative, positive);
        let not_equal = self.not(equal);
        let differ = self.and(ordered, not_equal);
        let less = self.and(differ, less);
        let not_less = self.not(less);
        let greater = self.and(differ, not_less);
        [equal, greater, less, unordered]
    }

    /// The other operand if one is a NaN; of two zeros the second.
    pub fn float_min(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let [_, _, less, _] = self.float_compare(format, a, b);
        self.float_chosen(format, less, a, b)
    }

    /// The other operand if one is a NaN; of two zeros the second.
    pub fn float_max(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let [_, greater, _, _] = self.float_compare(format, a, b);
        self.float_chosen(format, greater, a, b)
    }

    fn float_chosen(&mut self, format: FloatFormat, first: Term, a: Term, b: Term) -> Term {
        let (nan_a, nan_b) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        let (both, nan) = (self.and(nan_a, nan_b), self.float_nan(format));
        let first = self.or(first, nan_b);
        self.cases(&[(both, nan), (nan_a, b), (first, a)], b)
    }
}
