//! Sums, products, quotients and shifts, with their rules, and the overflow predicates.
//!
//! Constants move to the outside of sums. Products and unsigned quotients by powers of two are slices. Division and
//! remainder of signed numbers are those of the magnitudes with a sign, as SMT-LIB defines them; whether a product
//! overflows is a term of its own, with a circuit in the bit-blaster (Schulte et al. 2000) instead of a product of twice
//! the width.

use super::{Bits, MOST_BITS, Op, Term, Terms};

impl Terms {
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x.add(y, width));
        }
        let (a, b) = self.ordered(a, b);
        self.rewrite(|terms| terms.add_rules(width, a, b)).unwrap_or_else(|| self.make2(Op::Add, width, a, b))
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let b = self.neg(b);
        self.add(a, b)
    }

    /// Two's complement.
    pub fn neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if self.rewriting
            && let Some(value) = self.as_constant(a)
        {
            return self.constant(width, value.neg(width));
        }
        self.rewrite(|terms| terms.neg_rules(width, a)).unwrap_or_else(|| self.make1(Op::Neg, width, a))
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x.mul(y, width));
        }
        let (a, b) = self.ordered(a, b);
        self.rewrite(|terms| terms.mul_rules(width, a, b)).unwrap_or_else(|| self.make2(Op::Mul, width, a, b))
    }

    /// By zero: all ones.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x.divide(y, width).0);
        }
        self.rewrite(|terms| terms.divide_rules(width, a, b, true))
            .unwrap_or_else(|| self.make2(Op::Udiv, width, a, b))
    }

    /// By zero: the dividend.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x.divide(y, width).1);
        }
        self.rewrite(|terms| terms.divide_rules(width, a, b, false))
            .unwrap_or_else(|| self.make2(Op::Urem, width, a, b))
    }

    /// Toward zero; of the least number by -1 the least number, by zero -1 or, of negative numbers, 1.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if self.rewriting
            && let Some(exponent) = self.as_constant(b).and_then(Bits::as_power)
            && exponent > 0
            && exponent < width - 1
        {
            return self.sdiv_by_power(width, a, exponent);
        }
        let (sign_a, magnitude_a) = self.magnitude(a);
        let (sign_b, magnitude_b) = self.magnitude(b);
        let quotient = self.udiv(magnitude_a, magnitude_b);
        let negative = self.xor(sign_a, sign_b);
        let negated = self.neg(quotient);
        self.ite(negative, negated, quotient)
    }

    /// With the sign of the dividend; by zero the dividend.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if self.rewriting
            && let Some(exponent) = self.as_constant(b).and_then(Bits::as_power)
            && exponent > 0
            && exponent < width - 1
        {
            let quotient = self.sdiv_by_power(width, a, exponent);
            let product = self.mul(quotient, b);
            return self.sub(a, product);
        }
        let (sign_a, magnitude_a) = self.magnitude(a);
        let (_, magnitude_b) = self.magnitude(b);
        let remainder = self.urem(magnitude_a, magnitude_b);
        let negated = self.neg(remainder);
        self.ite(sign_a, negated, remainder)
    }

    /// The sign, and the number without it.
    fn magnitude(&mut self, a: Term) -> (Term, Term) {
        let sign = self.sign_bit(a);
        let negated = self.neg(a);
        (sign, self.ite(sign, negated, a))
    }

    /// Negative dividends are rounded toward zero by adding the divisor less one.
    fn sdiv_by_power(&mut self, width: u32, a: Term, exponent: u32) -> Term {
        let sign = self.sign_bit(a);
        let copies = self.sign_extend(sign, exponent);
        let correction = self.zero_extend(copies, width);
        let sum = self.add(a, correction);
        let quotient = self.extract(sum, width - 1, exponent);
        self.sign_extend(quotient, width)
    }

    /// By the width or more: zero.
    pub fn shl(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Shl, a, by)
    }

    /// By the width or more: zero.
    pub fn lshr(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Lshr, a, by)
    }

    /// By the width or more: copies of the highest bit.
    pub fn ashr(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Ashr, a, by)
    }

    fn shift(&mut self, op: Op, a: Term, by: Term) -> Term {
        let width = self.common_width(a, by);
        if self.rewriting
            && let Some(by) = self.as_constant(by)
        {
            return self.shift_by(op, width, a, by.amount(width));
        }
        self.rewrite(|terms| terms.shift_rules(op, width, a, by))
            .unwrap_or_else(|| self.make2(op, width, a, by))
    }

    fn shift_by(&mut self, op: Op, width: u32, a: Term, by: u32) -> Term {
        match op {
            _ if by == 0 => a,
            Op::Ashr => {
                let part = self.extract(a, width - 1, by.min(width - 1));
                self.sign_extend(part, width)
            }
            _ if by >= width => self.constant(width, Bits::ZERO),
            Op::Shl => {
                let part = self.extract(a, width - 1 - by, 0);
                let zeros = self.constant(by, Bits::ZERO);
                self.concat(part, zeros)
            }
            _ => {
                let part = self.extract(a, width - 1, by);
                self.zero_extend(part, width)
            }
        }
    }

    /// Whether the exact sum is no number of this width.
    pub fn add_overflows(&mut self, signed: bool, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if !signed && width < MOST_BITS {
            let (a, b) = (self.zero_extend(a, width + 1), self.zero_extend(b, width + 1));
            let sum = self.add(a, b);
            return self.sign_bit(sum);
        }
        let sum = self.add(a, b);
        if !signed {
            return self.ult(sum, a);
        }
        let (sign_a, sign_b, sign) = (self.sign_bit(a), self.sign_bit(b), self.sign_bit(sum));
        let (first, second) = (self.xor(sign_a, sign), self.xor(sign_b, sign));
        self.and(first, second)
    }

    /// Whether the exact difference is no number of this width.
    pub fn sub_overflows(&mut self, signed: bool, a: Term, b: Term) -> Term {
        self.common_width(a, b);
        if !signed {
            return self.ult(a, b);
        }
        let difference = self.sub(a, b);
        let (sign_a, sign_b, sign) = (self.sign_bit(a), self.sign_bit(b), self.sign_bit(difference));
        let (first, second) = (self.xor(sign_a, sign_b), self.xor(sign_a, sign));
        self.and(first, second)
    }

    /// Whether the exact product is no number of this width.
    pub fn mul_overflows(&mut self, signed: bool, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            let overflows = if signed { x.smul_overflows(y, width) } else { x.umul_overflows(y, width) };
            return Term::boolean(overflows);
        }
        let (a, b) = self.ordered(a, b);
        let op = if signed { Op::SmulOverflow } else { Op::UmulOverflow };
        self.rewrite(|terms| terms.mul_overflow_rules(width, signed, a, b))
            .unwrap_or_else(|| self.make2(op, 1, a, b))
    }

    fn mul_overflow_rules(&mut self, width: u32, signed: bool, a: Term, b: Term) -> Option<Term> {
        // As many bits as both operands need, or fewer than that.
        if self.leading_zeros(a) + self.leading_zeros(b) >= width + u32::from(signed) {
            return Some(Term::FALSE);
        }
        let value = self.as_constant(b)?;
        if value.is_zero() || value == Bits::from(1u64) && !(signed && width == 1) {
            return Some(Term::FALSE);
        }
        if !signed {
            let most = Bits::ones(width).divide(value, width).0;
            let most = self.constant(width, most);
            return Some(self.ult(most, a));
        }
        if value.bit(width - 1) {
            return None;
        }
        // Toward zero, so that both ends are reached.
        let most = Bits::ones(width - 1).divide(value, width).0;
        let least = Bits::power(width - 1).divide(value, width).0.neg(width);
        let (most, least) = (self.constant(width, most), self.constant(width, least));
        let (above, below) = (self.slt(most, a), self.slt(a, least));
        Some(self.or(above, below))
    }

    fn neg_rules(&mut self, width: u32, a: Term) -> Option<Term> {
        if width == 1 {
            return Some(a);
        }
        if a.is_inverted() {
            let one = self.constant(width, 1u64);
            return Some(self.add(a.flip(), one));
        }
        let node = self.node(a);
        match node.op {
            Op::Neg => Some(node.first()),
            Op::Add => {
                let value = self.as_constant(node.second())?;
                let (rest, value) = (self.neg(node.first()), self.constant(width, value.neg(width)));
                Some(self.add(rest, value))
            }
            Op::Mul => {
                let value = self.as_constant(node.second())?;
                let value = self.constant(width, value.neg(width));
                Some(self.mul(node.first(), value))
            }
            Op::Ite => {
                let (condition, x, y) = self.as_constant_ite(a)?;
                Some(self.ite_of(condition, width, x.neg(width), y.neg(width)))
            }
            // Zeros below stay.
            Op::Concat if self.as_constant(node.second()).is_some_and(Bits::is_zero) => {
                let high = self.neg(node.first());
                Some(self.concat(high, node.second()))
            }
            _ => None,
        }
    }

    fn add_rules(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        if width == 1 {
            return Some(self.xor(a, b));
        }
        if a == b.flip() {
            return Some(self.constant(width, Bits::ones(width)));
        }
        if a == b {
            return Some(self.shift_by(Op::Shl, width, a, 1));
        }
        if width <= 64 && self.known(a).most(width) & self.known(b).most(width) == 0 {
            return Some(self.or(a, b));
        }
        if let Some(value) = self.as_constant(b) {
            if value.is_zero() {
                return Some(a);
            }
            if let Some((condition, x, y)) = self.as_constant_ite(a) {
                return Some(self.ite_of(condition, width, x.add(value, width), y.add(value, width)));
            }
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some(node) = self.as_op(other, Op::Neg)
                && node.first() == one
            {
                return Some(self.constant(width, Bits::ZERO));
            }
            let Some(node) = self.as_op(other, Op::Add) else { continue };
            let (left, right) = (node.first(), node.second());
            // (x + 3) + y
            if self.is_constant(right) {
                if self.is_constant(one) {
                    let value = self.add(one, right);
                    return Some(self.add(left, value));
                }
                let rest = self.add(left, one);
                return Some(self.add(rest, right));
            }
            // (x + y) + -x
            let cancels = |term: Term| {
                self.as_op(term, Op::Neg).is_some_and(|node| node.first() == one)
                    || self.as_op(one, Op::Neg).is_some_and(|node| node.first() == term)
            };
            if cancels(left) {
                return Some(right);
            }
            if cancels(right) {
                return Some(left);
            }
        }
        self.add_above_zeros(width, a, b)
    }

    /// Where one operand ends in constant zeros, the other's lowest bits stay.
    fn add_above_zeros(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        for (one, other) in [(a, b), (b, a)] {
            if !self.slices_freely(other) {
                continue;
            }
            let Some((_, zeros)) = self.as_concat(one) else { continue };
            if !self.as_constant(zeros).is_some_and(Bits::is_zero) {
                continue;
            }
            let low = self.width(zeros);
            let (x, y) = (self.extract(one, width - 1, low), self.extract(other, width - 1, low));
            let (sum, rest) = (self.add(x, y), self.extract(other, low - 1, 0));
            return Some(self.concat(sum, rest));
        }
        None
    }

    fn mul_rules(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        if width == 1 {
            return Some(self.and(a, b));
        }
        if let Some(value) = self.as_constant(b) {
            if value.is_zero() {
                return Some(b);
            }
            if let Some(exponent) = value.as_power() {
                return Some(self.shift_by(Op::Shl, width, a, exponent));
            }
            if value == Bits::ones(width) {
                return Some(self.neg(a));
            }
            if let Some((condition, x, y)) = self.as_constant_ite(a) {
                return Some(self.ite_of(condition, width, x.mul(value, width), y.mul(value, width)));
            }
            if let Some(node) = self.as_op(a, Op::Mul)
                && let Some(inner) = self.as_constant(node.second())
            {
                let both = self.constant(width, inner.mul(value, width));
                return Some(self.mul(node.first(), both));
            }
            if let Some(node) = self.as_op(a, Op::Add)
                && let Some(inner) = self.as_constant(node.second())
            {
                let (x, y) = (self.mul(node.first(), b), self.constant(width, inner.mul(value, width)));
                return Some(self.add(x, y));
            }
            if let Some(node) = self.as_op(a, Op::Neg) {
                let value = self.constant(width, value.neg(width));
                return Some(self.mul(node.first(), value));
            }
        }
        for (one, other) in [(a, b), (b, a)] {
            // One of two values: zero or the other operand, shifted by one position.
            if let Some((high, low)) = self.as_concat(other)
                && self.width(low) == 1
                && self.as_constant(high).is_some_and(Bits::is_zero)
            {
                let zero = self.constant(width, Bits::ZERO);
                return Some(self.ite(low, one, zero));
            }
        }
        None
    }

    fn divide_rules(&mut self, width: u32, a: Term, b: Term, quotient: bool) -> Option<Term> {
        if let Some(value) = self.as_constant(b) {
            if value.is_zero() {
                return Some(if quotient { self.constant(width, Bits::ones(width)) } else { a });
            }
            if let Some(exponent) = value.as_power() {
                if quotient {
                    return Some(self.shift_by(Op::Lshr, width, a, exponent));
                }
                if exponent == 0 {
                    return Some(self.constant(width, Bits::ZERO));
                }
                let low = self.extract(a, exponent - 1, 0);
                return Some(self.zero_extend(low, width));
            }
            if let Some((condition, x, y)) = self.as_constant_ite(a) {
                let of = |x: Bits| if quotient { x.divide(value, width).0 } else { x.divide(value, width).1 };
                return Some(self.ite_of(condition, width, of(x), of(y)));
            }
        }
        if width <= 64 && self.known(a).most(width) < self.known(b).least() {
            return Some(if quotient { self.constant(width, Bits::ZERO) } else { a });
        }
        // Fewer bits, where both operands have leading zeros; a quotient by zero has ones there.
        let zeros = self.leading_zeros(a).min(self.leading_zeros(b)).min(width - 1);
        if zeros == 0 {
            return None;
        }
        let high = width - zeros - 1;
        let (a, b) = (self.extract(a, high, 0), self.extract(b, high, 0));
        if !quotient {
            let made = self.urem(a, b);
            return Some(self.zero_extend(made, width));
        }
        let zero = self.constant(high + 1, Bits::ZERO);
        let by_zero = self.eq(b, zero);
        let above = self.sign_extend(by_zero, zeros);
        let made = self.udiv(a, b);
        Some(self.concat(above, made))
    }

    fn shift_rules(&mut self, op: Op, width: u32, a: Term, by: Term) -> Option<Term> {
        if width == 1 {
            return Some(if op == Op::Ashr { a } else { self.and(a, by.flip()) });
        }
        if self.as_constant(a).is_some_and(Bits::is_zero) {
            return Some(a);
        }
        if op == Op::Ashr && self.sign(a) == Some(false) {
            return Some(self.lshr(a, by));
        }
        if width <= 64 && self.known(by).least() >= u64::from(width) {
            return Some(self.shift_by(op, width, a, width));
        }
        if let Some((condition, x, y)) = self.as_constant_ite(by) {
            let (x, y) = (x.amount(width), y.amount(width));
            let (then, otherwise) = (self.shift_by(op, width, a, x), self.shift_by(op, width, a, y));
            return Some(self.ite(condition, then, otherwise));
        }
        None
    }
}
