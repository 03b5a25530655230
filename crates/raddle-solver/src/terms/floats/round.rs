//! Rounding to nearest, ties to even, and the shifters that it needs.
//!
//! A number to be rounded is a significand of any width and the exponent of its highest bit, counted from the least normal
//! exponent. One shift to the left normalises it as far as the exponent allows, one to the right denormalises it; bits that
//! are lost are kept as one sticky bit. The sum of exponent field, significand and rounding carries over from one to the next,
//! up to infinity.

use super::FloatFormat;
use crate::terms::{Bits, Term, Terms};

/// What is known of the number before it is rounded.
#[derive(Clone, Copy)]
pub(super) struct Range {
    /// Its exponent is not below that of the least normal number.
    pub(super) normal_exponent: bool,
    /// The most leading zeros of its significand.
    pub(super) most_zeros: u32,
}

impl Range {
    pub(super) const ANY: Range = Range { normal_exponent: false, most_zeros: u32::MAX };
}

impl Terms {
    /// The nearest number of the format. The exponent is signed, the significand is not zero.
    pub(super) fn float_round(
        &mut self,
        format: FloatFormat,
        sign: Term,
        exponent: Term,
        significand: Term,
        range: Range,
    ) -> Term {
        let precision = format.significand;
        let exponent_width = self.width(exponent);
        let significand = self.at_least(significand, precision + 2);
        let width = self.width(significand);

        let zero = self.constant(exponent_width, Bits::ZERO);
        let subnormal = if range.normal_exponent { Term::FALSE } else { self.sign_bit(exponent) };
        let available = self.ite(subnormal, zero, exponent);
        let left = match range.most_zeros {
            0 => zero,
            1 => {
                let leading = self.sign_bit(significand);
                let missing = self.not(leading);
                self.zero_extend(missing, exponent_width)
            }
            _ => {
                let zeros = self.count_leading_zeros(significand);
                self.zero_extend(zeros, exponent_width)
            }
        };
        let limited = self.ult(available, left);
        let left = self.ite(limited, available, left);
        let remaining = self.sub(available, left);
        // No shift is farther than the width.
        let amount_bits = (32 - width.leading_zeros()).min(exponent_width);
        let by = self.extract(left, amount_bits - 1, 0);
        let by = self.zero_extend(by, width);
        let normalised = self.shl(significand, by);

        let kept = self.extract(normalised, width - 1, width - 1 - precision);
        let lost = self.extract(normalised, width - 2 - precision, 0);
        let sticky = self.is_not_zero(lost);
        let mut cut = self.concat(kept, sticky);
        if !range.normal_exponent {
            let distance = self.neg(exponent);
            let distance = self.ite(subnormal, distance, zero);
            cut = self.shift_right_sticky(cut, distance);
        }

        let kept = self.extract(cut, precision + 1, 2);
        let (odd, half, rest) = (self.bit(cut, 2), self.bit(cut, 1), self.bit(cut, 0));
        let above_half = self.or(odd, rest);
        let up = self.and(half, above_half);
        // Exponents whose field would be that of infinity or more.
        let most =
            self.constant(exponent_width, Bits::ones(format.exponent).sub(Bits::from(2u64), format.exponent));
        let overflows = self.ult(most, remaining);
        let field = self.extract(remaining, format.exponent - 1, 0);
        let low = self.constant(precision - 1, Bits::ZERO);
        let base = self.concat(field, low);
        let kept = self.zero_extend(kept, format.width() - 1);
        // The bit below both operands is the carry into their lowest bit.
        let (base, kept) = (self.concat(base, up), self.concat(kept, up));
        let sum = self.add(base, kept);
        let sum = self.extract(sum, format.width() - 1, 1);
        let infinity = self.constant(format.width() - 1, format.infinity());
        let magnitude = self.ite(overflows, infinity, sum);
        self.concat(sign, magnitude)
    }

    /// Zeros below, to this width.
    pub(super) fn at_least(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        if from >= width {
            return a;
        }
        let zeros = self.constant(width - from, Bits::ZERO);
        self.concat(a, zeros)
    }

    pub(super) fn is_not_zero(&mut self, a: Term) -> Term {
        let zero = self.is_zero(a);
        self.not(zero)
    }

    /// The zeros above the highest one, by halves; of zero any number.
    pub(super) fn count_leading_zeros(&mut self, a: Term) -> Term {
        let mut width = self.width(a).next_power_of_two();
        let mut rest = self.at_least(a, width);
        let mut count: Option<Term> = None;
        while width > 1 {
            width /= 2;
            let (high, low) = (self.extract(rest, 2 * width - 1, width), self.extract(rest, width - 1, 0));
            let empty = self.is_zero(high);
            rest = self.ite(empty, low, high);
            count = Some(count.map_or(empty, |count| self.concat(count, empty)));
        }
        count.unwrap_or(Term::FALSE)
    }

    /// A shift to the right by an unsigned distance of any width; the lowest bit becomes one if a one was lost.
    pub(super) fn shift_right_sticky(&mut self, a: Term, by: Term) -> Term {
        let width = self.width(a);
        let stages = (32 - (width - 1).leading_zeros()).min(self.width(by));
        let (mut shifted, mut sticky) = (a, Term::FALSE);
        for stage in 0..stages {
            let (distance, bit) = (1 << stage, self.bit(by, stage));
            let lost = self.extract(shifted, distance - 1, 0);
            let lost = self.is_not_zero(lost);
            let lost = self.and(bit, lost);
            sticky = self.or(sticky, lost);
            let moved = self.extract(shifted, width - 1, distance);
            let moved = self.zero_extend(moved, width);
            shifted = self.ite(bit, moved, shifted);
        }
        if stages < self.width(by) {
            let far = self.extract(by, self.width(by) - 1, stages);
            let far = self.is_not_zero(far);
            let lost = self.is_not_zero(shifted);
            let lost = self.and(far, lost);
            sticky = self.or(sticky, lost);
            let zero = self.constant(width, Bits::ZERO);
            shifted = self.ite(far, zero, shifted);
        }
        let sticky = self.zero_extend(sticky, width);
        self.or(shifted, sticky)
    }
}
