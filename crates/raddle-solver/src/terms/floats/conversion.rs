//! Floats rounded to integers, and converted to and from integers and other formats.
//!
//! Rounding to an integral float works on the packed bits: fraction bits are cleared by a mask, and adding one to what
//! remains carries into the exponent where it must.

use super::FloatFormat;
use super::round::Range;
use crate::terms::{Bits, Term, Terms};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
    TowardZero,
    NearestAway,
    NearestEven,
}

impl Terms {
    pub fn float_floor(&mut self, format: FloatFormat, a: Term) -> Term {
        self.float_integral(format, a, Direction::Down)
    }

    pub fn float_ceil(&mut self, format: FloatFormat, a: Term) -> Term {
        self.float_integral(format, a, Direction::Up)
    }

    pub fn float_trunc(&mut self, format: FloatFormat, a: Term) -> Term {
        self.float_integral(format, a, Direction::TowardZero)
    }

    /// To the nearest integer, halves away from zero.
    pub fn float_round_away(&mut self, format: FloatFormat, a: Term) -> Term {
        self.float_integral(format, a, Direction::NearestAway)
    }

    /// To the nearest integer, halves to even.
    pub fn float_round_even(&mut self, format: FloatFormat, a: Term) -> Term {
        self.float_integral(format, a, Direction::NearestEven)
    }

    fn float_integral(&mut self, format: FloatFormat, a: Term, direction: Direction) -> Term {
        let (width, fraction_bits) = (format.width() - 1, format.significand - 1);
        let (sign, magnitude) = (self.sign_bit(a), self.float_magnitude(format, a));
        let field = self.extract(magnitude, width - 1, fraction_bits);
        let bias = u64::from(mask_of(format.exponent - 1));
        // The fields of 1 and of the numbers that have no fraction bits.
        let one_field = self.constant(format.exponent, bias);
        let below_one = self.ult(field, one_field);
        let whole_from = bias + u64::from(fraction_bits);
        let whole = if whole_from > u64::from(mask_of(format.exponent)) {
            // Infinity and NaN only.
            let ones = self.constant(format.exponent, Bits::ones(format.exponent));
            self.eq(field, ones)
        } else {
            let whole_from = self.constant(format.exponent, whole_from);
            self.ule(whole_from, field)
        };

        // The unit's bit, the half's, and all below the unit, as masks.
        let amount = self.sub(field, one_field);
        let top = self.constant(width, Bits::power(fraction_bits));
        let amount = self.zero_extend(amount, width);
        let unit = self.lshr(top, amount);
        let one = self.constant(width, 1u64);
        let below_unit = self.sub(unit, one);
        let half = self.extract(unit, width - 1, 1);
        let half = self.zero_extend(half, width);
        let below_half = self.extract(below_unit, width - 1, 1);
        let below_half = self.zero_extend(below_half, width);
        let kept = self.not(below_unit);
        let kept = self.and(magnitude, kept);
        let is_set = |terms: &mut Terms, mask: Term| {
            let part = terms.and(magnitude, mask);
            terms.is_not_zero(part)
        };
        let fraction = is_set(self, below_unit);
        let halves = is_set(self, half);
        let rest = is_set(self, below_half);
        // Of numbers from one on the unit of 1 is not stored.
        let stored_odd = is_set(self, unit);
        let is_one_field = self.eq(field, one_field);
        let odd = self.or(stored_odd, is_one_field);

        let not_zero = self.is_not_zero(magnitude);
        // With two bits of exponent one half is subnormal.
        let half_number = match bias {
            1 => Bits::power(fraction_bits - 1),
            _ => Bits::from(bias - 1).shl(fraction_bits, width),
        };
        let half_number = self.constant(width, half_number);
        let (up, up_to_one) = match direction {
            Direction::Down => (self.and(sign, fraction), self.and(sign, not_zero)),
            Direction::Up => {
                let positive = self.not(sign);
                (self.and(positive, fraction), self.and(positive, not_zero))
            }
            Direction::TowardZero => (Term::FALSE, Term::FALSE),
            Direction::NearestAway => (halves, self.ule(half_number, magnitude)),
            Direction::NearestEven => {
                let beyond = self.or(rest, odd);
                (self.and(halves, beyond), self.ult(half_number, magnitude))
            }
        };
        let zero = self.constant(width, Bits::ZERO);
        let increment = self.ite(up, unit, zero);
        let rounded = self.add(kept, increment);
        let one_number = self.constant(width, Bits::from(bias).shl(fraction_bits, width));
        let small = self.ite(up_to_one, one_number, zero);
        let result = self.cases(&[(whole, magnitude), (below_one, small)], rounded);
        let result = self.concat(sign, result);
        let (nan, default) = (self.float_is_nan(format, a), self.float_nan(format));
        self.ite(nan, default, result)
    }

    /// A number of one format in another.
    pub fn float_convert(&mut self, from: FloatFormat, to: FloatFormat, a: Term) -> Term {
        let x = self.float_parts(from, a);
        let width = from.exponent_width().max(to.exponent_width());
        let exponent = self.zero_extend(x.exponent, width);
        let shift = from.least_exponent() - to.least_exponent();
        let offset = self.signed_constant(width, shift);
        let exponent = self.add(exponent, offset);
        let range = Range { normal_exponent: shift >= 0, ..Range::ANY };
        let rounded = self.float_round(to, x.sign, exponent, x.significand, range);
        let (default, infinity) = (self.float_nan(to), self.float_infinity(to, x.sign));
        let zero = self.float_zero(to, x.sign);
        self.cases(&[(x.nan, default), (x.infinite, infinity), (x.zero, zero)], rounded)
    }

    /// The nearest number to an integer of up to 192 bits.
    pub fn float_from_integer(&mut self, format: FloatFormat, signed: bool, a: Term) -> Term {
        let bits = self.width(a);
        assert!(bits <= 192, "an integer of up to 192 bits");
        let sign = if signed { self.sign_bit(a) } else { Term::FALSE };
        let negated = self.neg(a);
        let magnitude = self.ite(sign, negated, a);
        let width = format.exponent_width().max(12);
        let exponent = self.signed_constant(width, i64::from(bits) - 1 - format.least_exponent());
        let range = Range { normal_exponent: true, ..Range::ANY };
        let rounded = self.float_round(format, sign, exponent, magnitude, range);
        let (empty, zero) = (self.is_zero(a), self.float_zero(format, Term::FALSE));
        self.ite(empty, zero, rounded)
    }

    /// The integer toward zero, of `bits` bits up to 128, and whether it is in range; where it is not, the nearest end of
    /// the range, and zero for NaN.
    pub fn float_to_integer(
        &mut self,
        format: FloatFormat,
        signed: bool,
        bits: u32,
        a: Term,
    ) -> (Term, Term) {
        assert!((1..=128).contains(&bits), "an integer of up to 128 bits");
        let x = self.float_parts(format, a);
        let precision = format.significand;
        let width = format.exponent_width().max(12);
        let exponent = self.zero_extend(x.exponent, width);
        let least = self.signed_constant(width, format.least_exponent());
        let exponent = self.add(exponent, least);
        let small = self.sign_bit(exponent);
        let limit = self.constant(width, u64::from(bits));
        let large = self.slt(limit, exponent);
        let large = self.or(large, x.infinite);
        // One bit more than the result has, above the fraction.
        let window = self.zero_extend(x.significand, bits + precision);
        let amount = self.resize(exponent, bits + precision);
        let shifted = self.shl(window, amount);
        let integer = self.extract(shifted, bits + precision - 1, precision - 1);
        let zero = self.constant(bits + 1, Bits::ZERO);
        let integer = self.ite(small, zero, integer);

        let positive_end = Bits::ones(bits - u32::from(signed));
        let negative_end = if signed { Bits::power(bits - 1) } else { Bits::ZERO };
        let (most, least) = (self.constant(bits + 1, positive_end), self.constant(bits + 1, negative_end));
        let limit = self.ite(x.sign, least, most);
        let fits = self.ule(integer, limit);
        let (not_large, number) = (self.not(large), self.not(x.nan));
        let in_range = self.all([fits, not_large, number]);
        let integer = self.extract(integer, bits - 1, 0);
        let negated = self.neg(integer);
        let integer = self.ite(x.sign, negated, integer);
        let (most, least) = (self.constant(bits, positive_end), self.constant(bits, negative_end));
        let end = self.ite(x.sign, least, most);
        let zero = self.constant(bits, Bits::ZERO);
        let value = self.cases(&[(x.nan, zero), (in_range, integer)], end);
        (value, in_range)
    }
}

fn mask_of(bits: u32) -> u32 {
    (1 << bits) - 1
}
