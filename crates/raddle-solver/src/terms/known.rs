//! Known bits: for terms of up to 64 bits, masks of the bits that are zero, or one, in every model.
//!
//! The domain and its transfer functions are those of LLVM's `KnownBits` (see Vishwanathan et al. 2022 for addition); they are
//! computed once, where a node is made. Terms of more than 64 bits have no known bits unless rules take them apart.

use super::bits::mask;
use super::{Node, Op, Term, Terms};

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Known {
    pub(crate) zeros: u64,
    pub(crate) ones: u64,
}

impl Known {
    fn flip(self) -> Known {
        Known { zeros: self.ones, ones: self.zeros }
    }

    /// The least value.
    pub(crate) fn least(self) -> u64 {
        self.ones
    }

    /// The greatest value.
    pub(crate) fn most(self, width: u32) -> u64 {
        !self.zeros & mask(width)
    }

    /// The bits whose value is known.
    pub(crate) fn determined(self) -> u64 {
        self.zeros | self.ones
    }

    /// All values up to this one.
    fn at_most(most: u64, width: u32) -> Known {
        let length = 64 - most.leading_zeros();
        Known { zeros: mask(width) & !mask(length), ones: 0 }
    }

    fn add(self, other: Known, carry: bool) -> Known {
        let most = (!self.zeros).wrapping_add(!other.zeros).wrapping_add(u64::from(carry));
        let least = self.ones.wrapping_add(other.ones).wrapping_add(u64::from(carry));
        let no_carry = !(most ^ self.zeros ^ other.zeros);
        let carries = least ^ self.ones ^ other.ones;
        let known = self.determined() & other.determined() & (no_carry | carries);
        Known { zeros: !most & known, ones: least & known }
    }

    fn within(self, width: u32) -> Known {
        Known { zeros: self.zeros & mask(width), ones: self.ones & mask(width) }
    }
}

impl Terms {
    /// The known bits of a term; none, if it has more than 64 bits.
    #[inline]
    pub(crate) fn known(&self, term: Term) -> Known {
        let known = self.known[term.node()];
        if term.is_inverted() { known.flip() } else { known }
    }

    pub(super) fn known_of(&self, node: &Node) -> Known {
        let width = u32::from(node.sort);
        if width > 64 {
            return Known::default();
        }
        let of = |number: u32| self.known(Term(number));
        let known = match node.op {
            Op::Constant => {
                let value = u64::from(node.a) | u64::from(node.b) << 32;
                Known { zeros: !value, ones: value }
            }
            Op::And => {
                let (a, b) = (of(node.a), of(node.b));
                Known { zeros: a.zeros | b.zeros, ones: a.ones & b.ones }
            }
            Op::Xor => {
                let (a, b) = (of(node.a), of(node.b));
                Known {
                    zeros: a.zeros & b.zeros | a.ones & b.ones,
                    ones: a.zeros & b.ones | a.ones & b.zeros,
                }
            }
            Op::Add => of(node.a).add(of(node.b), false),
            Op::Neg => of(node.a).flip().add(Known { zeros: !0, ones: 0 }, true),
            Op::Mul => {
                let (a, b) = (of(node.a), of(node.b));
                let even = |known: Known| known.zeros.trailing_ones();
                let product = u128::from(a.most(width)) * u128::from(b.most(width));
                let bounded = if product > u128::from(mask(width)) {
                    Known::default()
                } else {
                    Known::at_most(product as u64, width)
                };
                Known { zeros: bounded.zeros | mask((even(a) + even(b)).min(64)), ones: 0 }
            }
            Op::Udiv => {
                let (a, b) = (of(node.a), of(node.b));
                match a.most(width).checked_div(b.least()) {
                    Some(most) => Known::at_most(most, width),
                    None => Known::default(),
                }
            }
            Op::Urem => {
                let (a, b) = (of(node.a), of(node.b));
                let below = if b.least() > 0 { b.most(width) - 1 } else { u64::MAX };
                Known::at_most(a.most(width).min(below), width)
            }
            Op::Shl => {
                let (a, by) = (of(node.a), of(node.b));
                let zeros = u64::from(a.zeros.trailing_ones()).saturating_add(by.least()).min(64);
                Known { zeros: mask(zeros as u32), ones: 0 }
            }
            Op::Lshr => {
                let (a, by) = (of(node.a), of(node.b));
                let most = a.most(width).checked_shr(by.least().min(64) as u32).unwrap_or(0);
                Known::at_most(most, width)
            }
            Op::Ashr => {
                let a = of(node.a);
                let above = |known: u64| {
                    let copies = (known << (64 - width)).leading_ones();
                    mask(width) & !mask(width.saturating_sub(copies))
                };
                Known { zeros: above(a.zeros), ones: above(a.ones) }
            }
            Op::Ite if node.sort <= 64 => {
                let (a, b) = (of(node.b), of(node.c));
                Known { zeros: a.zeros & b.zeros, ones: a.ones & b.ones }
            }
            Op::Concat => {
                let (a, b) = (of(node.a), of(node.b));
                let low = self.width(Term(node.b));
                Known { zeros: a.zeros << low | b.zeros, ones: a.ones << low | b.ones }
            }
            Op::Extract if self.width(Term(node.a)) <= 64 => {
                let a = of(node.a);
                Known { zeros: a.zeros >> node.b, ones: a.ones >> node.b }
            }
            Op::SignExtend => {
                let (a, from) = (of(node.a), self.width(Term(node.a)));
                let extend = |bits: u64| if bits >> (from - 1) & 1 == 1 { bits | !mask(from) } else { bits };
                Known { zeros: extend(a.zeros), ones: extend(a.ones) }
            }
            _ => Known::default(),
        };
        known.within(width)
    }

    /// How many of the highest bits are known to be zero, of any width.
    pub(super) fn leading_zeros(&self, term: Term) -> u32 {
        let width = self.width(term);
        if width <= 64 {
            return (self.known(term).zeros << (64 - width)).leading_ones();
        }
        if let Some(value) = self.as_constant(term) {
            return width - value.length();
        }
        match self.as_op(term, Op::Concat) {
            Some(node) => {
                let high = self.width(node.first());
                let zeros = self.leading_zeros(node.first());
                if zeros == high { high + self.leading_zeros(node.second()) } else { zeros }
            }
            None => 0,
        }
    }

    /// Whether the highest bit is known, and what it is.
    pub(super) fn sign(&self, term: Term) -> Option<bool> {
        let width = self.width(term);
        if width <= 64 {
            let known = self.known(term);
            let bit = 1 << (width - 1);
            return if known.zeros & bit != 0 {
                Some(false)
            } else {
                (known.ones & bit != 0).then_some(true)
            };
        }
        if let Some(value) = self.as_constant(term) {
            return Some(value.bit(width - 1));
        }
        let node = self.node(term);
        let sign = (node.op == Op::Concat).then(|| self.sign(node.first()))?;
        sign.map(|sign| sign != term.is_inverted())
    }

    /// Whether two terms of one width differ in every model, as far as their known bits and offsets show.
    pub(super) fn surely_differ(&self, a: Term, b: Term) -> bool {
        if a == b.flip() {
            return true;
        }
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
            return x != y;
        }
        let (x, y) = (self.known(a), self.known(b));
        if x.zeros & y.ones | x.ones & y.zeros != 0 {
            return true;
        }
        // The same base with different offsets.
        let split = |term: Term| match self.as_op(term, Op::Add) {
            Some(node) => match self.as_constant(node.second()) {
                Some(offset) => (node.first(), offset),
                None => (term, Default::default()),
            },
            None => (term, Default::default()),
        };
        let ((base, offset), (other_base, other_offset)) = (split(a), split(b));
        base == other_base && offset != other_offset
    }
}
