//! Sums, products, quotients, square roots and fused products of floats.
//!
//! Each computes a significand that is exact up to a sticky bit and rounds once; special operands are cases around that.
//! Quotients and roots are restoring digit recurrences (Ercegovac and Lang 2004), written as terms.

use super::round::Range;
use super::{FloatFormat, Parts};
use crate::terms::{Bits, Term, Terms};

impl Terms {
    pub fn float_add(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        self.check_float(format, a);
        self.check_float(format, b);
        // The operand with the greater magnitude is the first.
        let (x, y) = (self.float_magnitude(format, a), self.float_magnitude(format, b));
        let swap = self.ult(x, y);
        let (a, b) = (self.ite(swap, b, a), self.ite(swap, a, b));
        let (x, y) = (self.float_parts(format, a), self.float_parts(format, b));

        let distance = self.sub(x.exponent, y.exponent);
        let width = format.significand + 3;
        let (larger, smaller) = (self.at_least(x.significand, width), self.at_least(y.significand, width));
        let smaller = self.shift_right_sticky(smaller, distance);
        let subtract = self.xor(x.sign, y.sign);
        let sum = self.sum_or_difference(subtract, larger, smaller, width + 1);

        let exponent = self.zero_extend(x.exponent, format.exponent_width());
        let one = self.constant(format.exponent_width(), 1u64);
        let exponent = self.add(exponent, one);
        let range = Range { normal_exponent: true, ..Range::ANY };
        let rounded = self.float_round(format, x.sign, exponent, sum, range);

        let empty = self.is_zero(sum);
        let not_subtract = self.not(subtract);
        let sign = self.and(x.sign, not_subtract);
        let zero = self.float_zero(format, sign);
        let both = self.all([x.infinite, y.infinite, subtract]);
        let nan = self.any([x.nan, y.nan, both]);
        let (default, infinity) = (self.float_nan(format), self.float_infinity(format, x.sign));
        self.cases(&[(nan, default), (x.infinite, infinity), (empty, zero)], rounded)
    }

    pub fn float_sub(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let b = self.float_neg(format, b);
        self.float_add(format, a, b)
    }

    /// `a + b`, or `a - b` where `subtract` holds, in one adder of `width` bits.
    fn sum_or_difference(&mut self, subtract: Term, a: Term, b: Term, width: u32) -> Term {
        let (a, b) = (self.zero_extend(a, width), self.zero_extend(b, width));
        let turn = self.sign_extend(subtract, width);
        let b = self.xor(b, turn);
        // The bit below both operands is the carry into their lowest bit.
        let (a, b) = (self.concat(a, subtract), self.concat(b, subtract));
        let sum = self.add(a, b);
        self.extract(sum, width, 1)
    }

    pub fn float_mul(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let (x, y) = (self.float_parts(format, a), self.float_parts(format, b));
        let width = 2 * format.significand;
        let (p, q) = (self.zero_extend(x.significand, width), self.zero_extend(y.significand, width));
        let product = self.mul(p, q);
        let exponent_width = format.exponent_width();
        let (p, q) =
            (self.zero_extend(x.exponent, exponent_width), self.zero_extend(y.exponent, exponent_width));
        let exponent = self.product_exponent(format, p, q);
        let sign = self.xor(x.sign, y.sign);
        let rounded = self.float_round(format, sign, exponent, product, Range::ANY);

        let invalid = self.invalid_product(&x, &y);
        let nan = self.any([x.nan, y.nan, invalid]);
        let (infinite, empty) = (self.or(x.infinite, y.infinite), self.or(x.zero, y.zero));
        let (default, infinity) = (self.float_nan(format), self.float_infinity(format, sign));
        let zero = self.float_zero(format, sign);
        self.cases(&[(nan, default), (infinite, infinity), (empty, zero)], rounded)
    }

    /// The exponent of the highest bit of a product of two significands.
    fn product_exponent(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let sum = self.add(a, b);
        let offset = self.signed_constant(format.exponent_width(), format.least_exponent() + 1);
        self.add(sum, offset)
    }

    /// Zero by infinity.
    fn invalid_product(&mut self, a: &Parts, b: &Parts) -> Term {
        let (first, second) = (self.and(a.zero, b.infinite), self.and(a.infinite, b.zero));
        self.or(first, second)
    }

    /// Exponent and significand of a number that is not zero, with its leading bit set.
    fn normalised(&mut self, format: FloatFormat, a: &Parts) -> (Term, Term) {
        let (precision, exponent_width) = (format.significand, format.exponent_width());
        let zeros = self.count_leading_zeros(a.significand);
        let by = self.resize(zeros, precision);
        let significand = self.shl(a.significand, by);
        let fraction = self.extract(significand, precision - 2, 0);
        let (exponent, zeros) =
            (self.zero_extend(a.exponent, exponent_width), self.zero_extend(zeros, exponent_width));
        (self.sub(exponent, zeros), self.concat(Term::TRUE, fraction))
    }

    pub fn float_div(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let (x, y) = (self.float_parts(format, a), self.float_parts(format, b));
        let ((p, dividend), (q, divisor)) = (self.normalised(format, &x), self.normalised(format, &y));
        let precision = format.significand;
        // One digit before the point, and enough behind it for a quotient of less than one.
        let mut remainder = self.zero_extend(dividend, precision + 1);
        let divisor = self.zero_extend(divisor, precision + 1);
        let mut digits = Vec::new();
        for _ in 0..precision + 2 {
            let less = self.ult(remainder, divisor);
            let digit = self.not(less);
            digits.push(digit);
            let difference = self.sub(remainder, divisor);
            let reduced = self.ite(digit, difference, remainder);
            let reduced = self.extract(reduced, precision - 1, 0);
            remainder = self.concat(reduced, Term::FALSE);
        }
        // Concatenations are nested to the right.
        let sticky = self.is_not_zero(remainder);
        let quotient = digits.into_iter().rev().fold(sticky, |low, digit| self.concat(digit, low));
        let exponent = self.sub(p, q);
        let offset = self.signed_constant(format.exponent_width(), -format.least_exponent());
        let exponent = self.add(exponent, offset);
        let sign = self.xor(x.sign, y.sign);
        let range = Range { normal_exponent: false, most_zeros: 1 };
        let rounded = self.float_round(format, sign, exponent, quotient, range);

        let (zeros, infinities) = (self.and(x.zero, y.zero), self.and(x.infinite, y.infinite));
        let nan = self.any([x.nan, y.nan, zeros, infinities]);
        let (infinite, empty) = (self.or(x.infinite, y.zero), self.or(x.zero, y.infinite));
        let (default, infinity) = (self.float_nan(format), self.float_infinity(format, sign));
        let zero = self.float_zero(format, sign);
        self.cases(&[(nan, default), (infinite, infinity), (empty, zero)], rounded)
    }

    pub fn float_sqrt(&mut self, format: FloatFormat, a: Term) -> Term {
        let x = self.float_parts(format, a);
        let (exponent, significand) = self.normalised(format, &x);
        let (precision, exponent_width) = (format.significand, format.exponent_width());
        // The true exponent; where it is odd, the significand is doubled.
        let least = self.signed_constant(exponent_width, format.least_exponent());
        let exponent = self.add(exponent, least);
        let odd = self.bit(exponent, 0);
        let (single, double) = (self.concat(Term::FALSE, significand), self.concat(significand, Term::FALSE));
        let radicand = self.ite(odd, double, single);
        let radicand = self.at_least(radicand, 2 * (precision + 1));
        // Two bits of the radicand make one digit of the root; the remainder is at most twice the root.
        let mut root: Option<Term> = None;
        let mut remainder: Option<Term> = None;
        for digit in 0..=precision {
            let high = 2 * (precision - digit) + 1;
            let pair = self.extract(radicand, high, high - 1);
            let width = digit + 3;
            let current = match remainder {
                Some(remainder) => self.concat(remainder, pair),
                None => pair,
            };
            let current = self.zero_extend(current, width);
            let one = self.constant(2, 1u64);
            let trial = match root {
                Some(root) => self.concat(root, one),
                None => one,
            };
            let trial = self.zero_extend(trial, width);
            let less = self.ult(current, trial);
            let bit = self.not(less);
            let difference = self.sub(current, trial);
            let reduced = self.ite(bit, difference, current);
            remainder = Some(self.extract(reduced, digit + 1, 0));
            root = Some(root.map_or(bit, |root| self.concat(root, bit)));
        }
        let sticky = self.is_not_zero(remainder.expect("digits"));
        let root = self.concat(root.expect("digits"), sticky);
        let half = self.extract(exponent, exponent_width - 1, 1);
        let half = self.sign_extend(half, exponent_width);
        let exponent = self.sub(half, least);
        // The root of a subnormal number is normal unless the significand has more bits than there are exponents.
        let normal_exponent = -format.least_exponent() >= i64::from(precision) - 1;
        let range = Range { normal_exponent, most_zeros: 0 };
        let rounded = self.float_round(format, Term::FALSE, exponent, root, range);

        let not_zero = self.not(x.zero);
        let negative = self.and(x.sign, not_zero);
        let nan = self.or(x.nan, negative);
        let default = self.float_nan(format);
        let same = self.or(x.zero, x.infinite);
        self.cases(&[(nan, default), (same, a)], rounded)
    }

    /// `a * b + c`, rounded once.
    pub fn float_fma(&mut self, format: FloatFormat, a: Term, b: Term, c: Term) -> Term {
        let (x, y, z) =
            (self.float_parts(format, a), self.float_parts(format, b), self.float_parts(format, c));
        let ((p, first), (q, second)) = (self.normalised(format, &x), self.normalised(format, &y));
        let (precision, exponent_width) = (format.significand, format.exponent_width());
        let (first, second) =
            (self.zero_extend(first, 2 * precision), self.zero_extend(second, 2 * precision));
        let product = self.mul(first, second);
        let exponent = self.product_exponent(format, p, q);

        // A window with the addend at its top, two bits between, and the product at its bottom. An addend that is higher
        // than that stays there: the product is then no more than a sticky bit.
        let offset = self.constant(exponent_width, u64::from(precision + 2));
        let top = self.add(exponent, offset);
        let addend_exponent = self.zero_extend(z.exponent, exponent_width);
        let distance = self.sub(top, addend_exponent);
        let zero = self.constant(exponent_width, Bits::ZERO);
        let higher = self.sign_bit(distance);
        let distance = self.ite(higher, zero, distance);
        let top = self.ite(higher, addend_exponent, top);
        let one = self.constant(exponent_width, 1u64);
        let top = self.add(top, one);
        // The lowest bit is sticky.
        let addend = self.at_least(z.significand, 3 * precision + 3);
        let addend = self.shift_right_sticky(addend, distance);
        let product = self.concat(product, Term::FALSE);

        let sign = self.xor(x.sign, y.sign);
        let subtract = self.xor(sign, z.sign);
        let width = 3 * precision + 5;
        let sum = self.sum_or_difference(subtract, addend, product, width);
        let negative = self.sign_bit(sum);
        let negated = self.neg(sum);
        let magnitude = self.ite(negative, negated, sum);
        let magnitude = self.extract(magnitude, width - 2, 0);
        let sum_sign = self.ite(negative, sign, z.sign);
        let rounded = self.float_round(format, sum_sign, top, magnitude, Range::ANY);

        let not_subtract = self.not(subtract);
        let zero_sign = self.and(sign, not_subtract);
        let (empty, cancelled) = (self.or(x.zero, y.zero), self.is_zero(magnitude));
        let nothing = self.and(empty, z.zero);
        let infinite = self.or(x.infinite, y.infinite);
        let invalid = self.invalid_product(&x, &y);
        let opposite = self.all([infinite, z.infinite, subtract]);
        let nan = self.any([x.nan, y.nan, z.nan, invalid, opposite]);
        let addend_only = self.or(z.infinite, empty);
        let (default, infinity) = (self.float_nan(format), self.float_infinity(format, sign));
        let zero = self.float_zero(format, zero_sign);
        let special =
            [(nan, default), (infinite, infinity), (nothing, zero), (addend_only, c), (cancelled, zero)];
        self.cases(&special, rounded)
    }
}
