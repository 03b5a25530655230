//! Concatenation, slices and extensions, with their rules.
//!
//! Concatenations are nested to the right, adjacent constants and adjacent slices of one term are merged. A slice is pushed
//! into its operand where that makes no larger term.

use super::{Bits, MOST_BITS, Node, Op, Term, Terms};

impl Terms {
    /// The bits of `high` above those of `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (above, below) = (self.width(high), self.width(low));
        let width = above + below;
        assert!(width <= MOST_BITS, "a width is 1 to 256");
        if let Some((x, y)) = self.constants(high, low) {
            return self.constant(width, x.concat(y, below));
        }
        self.rewrite(|terms| terms.concat_rules(high, low))
            .unwrap_or_else(|| self.make2(Op::Concat, width, high, low))
    }

    /// Bits `high` down to `low`.
    pub fn extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        let width = self.width(a);
        assert!(low <= high && high < width, "a slice is inside its operand");
        if self.rewriting {
            if high - low + 1 == width {
                return a;
            }
            if let Some(value) = self.as_constant(a) {
                return self.constant(high - low + 1, value.extract(high, low));
            }
        }
        self.rewrite(|terms| terms.extract_rules(a, high, low)).unwrap_or_else(|| {
            self.intern(Node { op: Op::Extract, sort: (high - low + 1) as u16, a: a.0, b: low, c: 0 })
        })
    }

    /// One bit.
    pub fn bit(&mut self, a: Term, index: u32) -> Term {
        self.extract(a, index, index)
    }

    /// The highest bit.
    pub fn sign_bit(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.extract(a, width - 1, width - 1)
    }

    /// The lowest `width` bits, or zeros above.
    pub fn resize(&mut self, a: Term, width: u32) -> Term {
        if width < self.width(a) { self.extract(a, width - 1, 0) } else { self.zero_extend(a, width) }
    }

    /// Zeros above, to this width.
    pub fn zero_extend(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        assert!(from <= width, "an extension is no narrower");
        if from == width {
            return a;
        }
        let zeros = self.constant(width - from, Bits::ZERO);
        self.concat(zeros, a)
    }

    /// Copies of the highest bit above, to this width.
    pub fn sign_extend(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        assert!(from <= width && width <= MOST_BITS, "an extension is no narrower, a width is 1 to 256");
        if from == width {
            return a;
        }
        if self.rewriting
            && let Some(value) = self.as_constant(a)
        {
            return self.constant(width, value.sign_extend(from, width));
        }
        self.rewrite(|terms| terms.sign_extend_rules(a, from, width))
            .unwrap_or_else(|| self.make1(Op::SignExtend, width, a))
    }

    /// The parts of a concatenation or of its negation.
    pub(super) fn as_concat(&mut self, term: Term) -> Option<(Term, Term)> {
        let node = self.node(term);
        if node.op != Op::Concat {
            return None;
        }
        if !term.is_inverted() {
            return Some((node.first(), node.second()));
        }
        Some((self.not(node.first()), self.not(node.second())))
    }

    /// The operand of a sign extension or of its negation.
    pub(super) fn as_sign_extend(&mut self, term: Term) -> Option<Term> {
        let node = self.node(term);
        (node.op == Op::SignExtend).then(|| node.first().flip_if(term.is_inverted()))
    }

    /// Whether a slice of it is made of slices of what it is made of.
    pub(super) fn slices_freely(&self, term: Term) -> bool {
        matches!(
            self.node(term).op,
            Op::Constant | Op::WideConstant | Op::Concat | Op::SignExtend | Op::Extract
        )
    }

    fn concat_rules(&mut self, high: Term, low: Term) -> Option<Term> {
        if let Some((x, y)) = self.as_concat(high) {
            let rest = self.concat(y, low);
            return Some(self.concat(x, rest));
        }
        if let Some((x, y)) = self.as_concat(low)
            && let Some(merged) = self.merged(high, x)
        {
            return Some(self.concat(merged, y));
        }
        if let Some(merged) = self.merged(high, low) {
            return Some(merged);
        }
        // The lowest part that is no constant is not inverted.
        let deciding = if self.is_constant(low) { high } else { low };
        if deciding.is_inverted() {
            let (high, low) = (self.not(high), self.not(low));
            let made = self.concat(high, low);
            return Some(self.not(made));
        }
        None
    }

    /// Two neighbours as one term: constants, adjacent slices, cases of one condition.
    fn merged(&mut self, high: Term, low: Term) -> Option<Term> {
        let (x, y) = (self.node(high), self.node(low));
        let width = u32::from(x.sort) + u32::from(y.sort);
        if let (Some(a), Some(b)) = (self.as_constant(high), self.as_constant(low)) {
            return Some(self.constant(width, a.concat(b, u32::from(y.sort))));
        }
        if x.op == Op::Extract
            && y.op == Op::Extract
            && x.a == y.a
            && high.is_inverted() == low.is_inverted()
            && x.b == y.b + u32::from(y.sort)
        {
            let whole = self.extract(x.first(), y.b + width - 1, y.b);
            return Some(self.not_if(whole, high.is_inverted()));
        }
        if x.op == Op::Ite && y.op == Op::Ite && x.a == y.a {
            let ((condition, a, b), (_, c, d)) = (self.as_ite(high)?, self.as_ite(low)?);
            let (then, otherwise) = (self.concat(a, c), self.concat(b, d));
            return Some(self.ite(condition, then, otherwise));
        }
        None
    }

    fn extract_rules(&mut self, a: Term, high: u32, low: u32) -> Option<Term> {
        if a.is_inverted() {
            let made = self.extract(a.flip(), high, low);
            return Some(self.not(made));
        }
        let (node, width) = (self.node(a), high - low + 1);
        let (x, y) = (node.first(), node.second());
        match node.op {
            Op::Extract => Some(self.extract(x, high + node.b, low + node.b)),
            Op::Concat => {
                let below = self.width(y);
                if high < below {
                    return Some(self.extract(y, high, low));
                }
                if low >= below {
                    return Some(self.extract(x, high - below, low - below));
                }
                let (above, below) = (self.extract(x, high - below, 0), self.extract(y, below - 1, low));
                Some(self.concat(above, below))
            }
            Op::SignExtend => {
                let from = self.width(x);
                if high < from {
                    return Some(self.extract(x, high, low));
                }
                let part = self.extract(x, from - 1, low.min(from - 1));
                Some(self.sign_extend(part, width))
            }
            Op::And | Op::Xor if self.slices_freely(x) || self.slices_freely(y) => {
                let (x, y) = (self.extract(x, high, low), self.extract(y, high, low));
                Some(if node.op == Op::And { self.and(x, y) } else { self.xor(x, y) })
            }
            Op::Ite => {
                let (then, otherwise) = (y, node.third());
                let pays = self.is_constant(then)
                    || self.is_constant(otherwise)
                    || self.slices_freely(then) && self.slices_freely(otherwise);
                if !pays {
                    return None;
                }
                let (then, otherwise) = (self.extract(then, high, low), self.extract(otherwise, high, low));
                Some(self.ite(x, then, otherwise))
            }
            // The lowest bits of a sum or product depend on the lowest bits only.
            Op::Add | Op::Mul if low == 0 && self.slices_freely(x) && self.slices_freely(y) => {
                let (x, y) = (self.extract(x, high, 0), self.extract(y, high, 0));
                Some(if node.op == Op::Add { self.add(x, y) } else { self.mul(x, y) })
            }
            Op::Neg if low == 0 && self.slices_freely(x) => {
                let x = self.extract(x, high, 0);
                Some(self.neg(x))
            }
            Op::Add | Op::Neg if high == 0 => {
                let x = self.extract(x, 0, 0);
                if node.op == Op::Neg {
                    return Some(x);
                }
                let y = self.extract(y, 0, 0);
                Some(self.xor(x, y))
            }
            _ => None,
        }
    }

    fn sign_extend_rules(&mut self, a: Term, from: u32, width: u32) -> Option<Term> {
        if let Some(sign) = self.sign(a) {
            let value = if sign { Bits::ones(width - from) } else { Bits::ZERO };
            let above = self.constant(width - from, value);
            return Some(self.concat(above, a));
        }
        if a.is_inverted() {
            let made = self.sign_extend(a.flip(), width);
            return Some(self.not(made));
        }
        let node = self.as_op(a, Op::SignExtend)?;
        Some(self.sign_extend(node.first(), width))
    }
}
