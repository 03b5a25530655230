//! Equality and order, with their rules.
//!
//! Non-strict orders are negations of strict ones. Equality takes sums, concatenations, extensions and cases between
//! constants apart; orders drop leading bits that are known to be equal, and become equalities where a bound is at the end of
//! the range or a power of two.

use super::{Bits, Op, Term, Terms};

impl Terms {
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return Term::boolean(x == y);
        }
        let (a, b) = self.ordered(a, b);
        self.rewrite(|terms| terms.eq_rules(width, a, b)).unwrap_or_else(|| self.make2(Op::Eq, 1, a, b))
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    pub fn is_zero(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let zero = self.constant(width, Bits::ZERO);
        self.eq(a, zero)
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return Term::boolean(x.ult(y));
        }
        self.rewrite(|terms| terms.ult_rules(width, a, b)).unwrap_or_else(|| self.make2(Op::Ult, 1, a, b))
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return Term::boolean(x.slt(y, width));
        }
        self.rewrite(|terms| terms.slt_rules(width, a, b)).unwrap_or_else(|| self.make2(Op::Slt, 1, a, b))
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    fn eq_rules(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(Term::TRUE);
        }
        if self.surely_differ(a, b) {
            return Some(Term::FALSE);
        }
        if width == 1 {
            let differ = self.xor(a, b);
            return Some(self.not(differ));
        }
        if a.is_inverted() {
            let b = self.not(b);
            return Some(self.eq(a.flip(), b));
        }
        if let Some(value) = self.as_constant(b) {
            if let Some(made) = self.eq_constant(width, a, value) {
                return Some(made);
            }
        } else if let Some(made) = self.eq_sums(a, b) {
            return Some(made);
        }
        for (one, other) in [(a, b), (b, a)] {
            // (c ? x : y) = x
            if let Some((condition, x, y)) = self.as_ite(other)
                && (one == x || one == y)
            {
                let rest = self.eq(one, if one == x { y } else { x });
                return Some(self.or(condition.flip_if(one == y), rest));
            }
        }
        if let (Some(x), Some(y)) = (self.as_sign_extend(a), self.as_sign_extend(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.eq(x, y));
        }
        self.eq_parts(width, a, b)
    }

    fn eq_constant(&mut self, width: u32, a: Term, value: Bits) -> Option<Term> {
        let node = self.node(a);
        match node.op {
            Op::Add | Op::Xor => {
                if let Some(inner) = self.as_constant(node.second()) {
                    let rest = if node.op == Op::Add { value.sub(inner, width) } else { value.xor(inner) };
                    let rest = self.constant(width, rest);
                    return Some(self.eq(node.first(), rest));
                }
                if !value.is_zero() {
                    return None;
                }
                // x - y = 0
                if node.op == Op::Xor {
                    return Some(self.eq(node.first(), node.second()));
                }
                for (one, other) in [(node.first(), node.second()), (node.second(), node.first())] {
                    if let Some(negated) = self.as_op(other, Op::Neg) {
                        return Some(self.eq(one, negated.first()));
                    }
                }
                None
            }
            Op::Neg => {
                let value = self.constant(width, value.neg(width));
                Some(self.eq(node.first(), value))
            }
            Op::Mul if value.is_zero() => {
                // An odd factor has an inverse.
                let factor = self.as_constant(node.second())?;
                factor.bit(0).then(|| self.is_zero(node.first()))
            }
            Op::SignExtend => {
                let from = self.width(node.first());
                let low = value.truncate(from);
                if low.sign_extend(from, width) != value {
                    return Some(Term::FALSE);
                }
                let low = self.constant(from, low);
                Some(self.eq(node.first(), low))
            }
            Op::Concat => {
                let low = self.width(node.second());
                let (above, below) = (value.lshr(low), value.truncate(low));
                let (above, below) = (self.constant(width - low, above), self.constant(low, below));
                let (above, below) = (self.eq(node.first(), above), self.eq(node.second(), below));
                Some(self.and(above, below))
            }
            Op::Ite => {
                let (condition, then, otherwise) = (node.first(), node.second(), node.third());
                let (then_value, otherwise_value) = (self.as_constant(then), self.as_constant(otherwise));
                if then_value.is_none() && otherwise_value.is_none() {
                    return None;
                }
                let value = self.constant(width, value);
                let (x, y) = (self.eq(then, value), self.eq(otherwise, value));
                Some(self.ite(condition, x, y))
            }
            _ => None,
        }
    }

    /// Equal summands are dropped.
    fn eq_sums(&mut self, a: Term, b: Term) -> Option<Term> {
        for (one, other) in [(a, b), (b, a)] {
            let Some(x) = self.as_op(one, Op::Add) else { continue };
            if x.first() == other {
                return Some(self.is_zero(x.second()));
            }
            if x.second() == other {
                return Some(self.is_zero(x.first()));
            }
        }
        if let (Some(x), Some(y)) = (self.as_op(a, Op::Add), self.as_op(b, Op::Add)) {
            let (x, y) = ([x.first(), x.second()], [y.first(), y.second()]);
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                if x[i] == y[j] {
                    return Some(self.eq(x[1 - i], y[1 - j]));
                }
            }
        }
        if let (Some(x), Some(y)) = (self.as_op(a, Op::Neg), self.as_op(b, Op::Neg)) {
            return Some(self.eq(x.first(), y.first()));
        }
        None
    }

    fn eq_parts(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        let ((high, low), (other_high, other_low)) = (self.as_concat(a)?, self.as_concat(b)?);
        let split = self.width(low);
        let aligned = split == self.width(other_low);
        if !aligned && ![high, low, other_high, other_low].into_iter().any(|part| self.is_constant(part)) {
            return None;
        }
        let (x, y) = (self.extract(a, width - 1, split), self.extract(b, width - 1, split));
        let above = self.eq(x, y);
        let (x, y) = (self.extract(a, split - 1, 0), self.extract(b, split - 1, 0));
        let below = self.eq(x, y);
        Some(self.and(above, below))
    }

    fn ult_rules(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(Term::FALSE);
        }
        if width == 1 {
            let not_a = self.not(a);
            return Some(self.and(not_a, b));
        }
        if a.is_inverted() && (b.is_inverted() || self.is_constant(b))
            || b.is_inverted() && self.is_constant(a)
        {
            let (x, y) = (self.not(b), self.not(a));
            return Some(self.ult(x, y));
        }
        if width <= 64 {
            let (x, y) = (self.known(a), self.known(b));
            if x.most(width) < y.least() {
                return Some(Term::TRUE);
            }
            if x.least() >= y.most(width) {
                return Some(Term::FALSE);
            }
        }
        if let Some(bound) = self.as_constant(b) {
            if let Some((condition, x, y)) = self.as_constant_ite(a) {
                return Some(self.ite_of(condition, 1, x.ult(bound).into(), y.ult(bound).into()));
            }
            if let Some(made) = self.below_constant(width, a, bound) {
                return Some(made);
            }
        }
        if let Some(bound) = self.as_constant(a) {
            if let Some((condition, x, y)) = self.as_constant_ite(b) {
                return Some(self.ite_of(condition, 1, bound.ult(x).into(), bound.ult(y).into()));
            }
            // bound < b is not b < bound + 1
            if bound == Bits::ones(width) {
                return Some(Term::FALSE);
            }
            if let Some(made) = self.below_constant(width, b, bound.add(Bits::from(1u64), width)) {
                return Some(self.not(made));
            }
        }
        // Equal parts above are dropped, and equal parts below.
        if !self.slices_freely(a) || !self.slices_freely(b) {
            return None;
        }
        let zeros = self.leading_zeros(a).min(self.leading_zeros(b)).min(width - 1);
        if zeros > 0 {
            let high = width - zeros - 1;
            let (x, y) = (self.extract(a, high, 0), self.extract(b, high, 0));
            return Some(self.ult(x, y));
        }
        let ((high, low), (other_high, other_low)) = (self.as_concat(a)?, self.as_concat(b)?);
        if high == other_high {
            return Some(self.ult(low, other_low));
        }
        (low == other_low).then(|| self.ult(high, other_high))
    }

    /// a < 0, a < 1, a < 2^k, a < 2^width - 1.
    fn below_constant(&mut self, width: u32, a: Term, bound: Bits) -> Option<Term> {
        if bound.is_zero() {
            return Some(Term::FALSE);
        }
        if let Some(exponent) = bound.as_power() {
            let above = self.extract(a, width - 1, exponent);
            return Some(self.is_zero(above));
        }
        if bound == Bits::ones(width) {
            let bound = self.constant(width, bound);
            let last = self.eq(a, bound);
            return Some(self.not(last));
        }
        None
    }

    fn slt_rules(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(Term::FALSE);
        }
        if width == 1 {
            let not_b = self.not(b);
            return Some(self.and(a, not_b));
        }
        match (self.sign(a), self.sign(b)) {
            (Some(x), Some(y)) => return Some(if x == y { self.ult(a, b) } else { Term::boolean(x) }),
            // a < b where b is not negative, or negative.
            (None, Some(false)) if self.as_constant(b).is_some_and(Bits::is_zero) => {
                return Some(self.sign_bit(a));
            }
            (Some(true), None) if self.as_constant(a) == Some(Bits::ones(width)) => {
                let sign = self.sign_bit(b);
                return Some(self.not(sign));
            }
            _ => {}
        }
        if width <= 64 {
            // The order of signed numbers is that of unsigned ones with the highest bit turned over.
            let turn = 1 << (width - 1);
            let bounds = |term: Term| {
                let known = self.known(term);
                let least = known.ones & !turn | known.zeros & turn;
                let most = known.most(width) & !turn | turn & !known.ones;
                (least, most)
            };
            let ((least, most), (other_least, other_most)) = (bounds(a), bounds(b));
            if most < other_least {
                return Some(Term::TRUE);
            }
            if least >= other_most {
                return Some(Term::FALSE);
            }
        }
        if let Some(bound) = self.as_constant(b)
            && let Some((condition, x, y)) = self.as_constant_ite(a)
        {
            return Some(self.ite_of(condition, 1, x.slt(bound, width).into(), y.slt(bound, width).into()));
        }
        if let Some(bound) = self.as_constant(a)
            && let Some((condition, x, y)) = self.as_constant_ite(b)
        {
            return Some(self.ite_of(condition, 1, bound.slt(x, width).into(), bound.slt(y, width).into()));
        }
        self.slt_extended(width, a, b)
    }

    fn slt_extended(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        match (self.as_sign_extend(a), self.as_sign_extend(b)) {
            (Some(x), Some(y)) => {
                let common = self.width(x).max(self.width(y));
                let (x, y) = (self.sign_extend(x, common), self.sign_extend(y, common));
                Some(self.slt(x, y))
            }
            (Some(x), None) | (None, Some(x)) => {
                let (constant, below) = if self.is_constant(b) { (b, true) } else { (a, false) };
                let value = self.as_constant(constant)?;
                let from = self.width(x);
                let low = value.truncate(from);
                if low.sign_extend(from, width) != value {
                    // Beyond one end of the narrow range.
                    return Some(Term::boolean(below != value.bit(width - 1)));
                }
                let low = self.constant(from, low);
                Some(if below { self.slt(x, low) } else { self.slt(low, x) })
            }
            _ => None,
        }
    }
}
