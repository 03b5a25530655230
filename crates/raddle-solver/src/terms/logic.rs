//! Bitwise operations and if-then-else, with their rules.
//!
//! Disjunction is conjunction with inverted edges. A conjunction with a mask of few runs is a concatenation of slices and
//! zeros, so that fields that are masked, shifted and joined again become slices of one another.

use super::bits::mask;
use super::node::ARRAY;
use super::{Bits, Node, Op, Term, Terms};

/// A mask with more runs of equal bits than this stays a conjunction.
const MOST_RUNS: usize = 4;

impl Terms {
    /// Bitwise negation.
    #[inline]
    pub fn not(&mut self, a: Term) -> Term {
        match self.as_constant(a) {
            Some(value) if self.rewriting => {
                let width = self.width(a);
                self.constant(width, value.not(width))
            }
            _ => {
                assert!(self.nodes[a.node()].sort & ARRAY == 0, "a bit vector is expected");
                a.flip()
            }
        }
    }

    pub(super) fn not_if(&mut self, a: Term, negate: bool) -> Term {
        if negate { self.not(a) } else { a }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x.and(y));
        }
        let (a, b) = self.ordered(a, b);
        self.rewrite(|terms| terms.and_rules(width, a, b)).unwrap_or_else(|| self.make2(Op::And, width, a, b))
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x.xor(y));
        }
        let (a, b) = self.ordered(a, b);
        self.rewrite(|terms| terms.xor_rules(width, a, b)).unwrap_or_else(|| self.make2(Op::Xor, width, a, b))
    }

    /// a implies b.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_b = self.not(b);
        let broken = self.and(a, not_b);
        self.not(broken)
    }

    pub fn all(&mut self, bits: impl IntoIterator<Item = Term>) -> Term {
        bits.into_iter().fold(Term::TRUE, |all, bit| self.and(all, bit))
    }

    pub fn any(&mut self, bits: impl IntoIterator<Item = Term>) -> Term {
        bits.into_iter().fold(Term::FALSE, |any, bit| self.or(any, bit))
    }

    /// `condition ? then : otherwise`, of bit vectors or arrays.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let sort = self.nodes[then.node()].sort;
        assert_eq!(sort, self.nodes[otherwise.node()].sort, "both cases have one sort");
        assert_eq!(self.width(condition), 1, "a condition has one bit");
        self.rewrite(|terms| terms.ite_rules(sort, condition, then, otherwise)).unwrap_or_else(|| {
            let node = Node { op: Op::Ite, sort, a: condition.0, b: then.0, c: otherwise.0 };
            self.intern(node)
        })
    }

    /// The parts of an if-then-else or of its negation.
    pub(super) fn as_ite(&mut self, term: Term) -> Option<(Term, Term, Term)> {
        let node = self.node(term);
        if node.op != Op::Ite {
            return None;
        }
        let inverted = term.is_inverted();
        let then = self.not_if(node.second(), inverted);
        Some((node.first(), then, self.not_if(node.third(), inverted)))
    }

    /// The parts of an if-then-else between constants, also where leading bits were taken out of it, or of an extended bit.
    pub(super) fn as_constant_ite(&self, term: Term) -> Option<(Term, Bits, Bits)> {
        let node = self.node(term);
        let width = u32::from(node.sort);
        let (condition, then, otherwise) = match node.op {
            Op::Ite if node.sort & ARRAY == 0 => {
                (node.first(), self.as_constant(node.second())?, self.as_constant(node.third())?)
            }
            Op::Concat => {
                let (high, low) = (self.as_constant(node.first())?, node.second());
                let below = self.width(low);
                let (condition, then, otherwise) = match below {
                    1 => (low, Bits::from(true), Bits::ZERO),
                    _ => {
                        let inner = self.as_op(low.positive(), Op::Ite)?;
                        let (then, otherwise) =
                            (self.as_constant(inner.second())?, self.as_constant(inner.third())?);
                        let turn = |value: Bits| if low.is_inverted() { value.not(below) } else { value };
                        (inner.first(), turn(then), turn(otherwise))
                    }
                };
                (condition, high.concat(then, below), high.concat(otherwise, below))
            }
            Op::SignExtend if self.width(node.first()) == 1 => (node.first(), Bits::ones(width), Bits::ZERO),
            _ => return None,
        };
        let turn = |value: Bits| if term.is_inverted() { value.not(width) } else { value };
        Some((condition, turn(then), turn(otherwise)))
    }

    /// `condition ? then : otherwise` of the results of an operation on constants.
    pub(super) fn ite_of(&mut self, condition: Term, width: u32, then: Bits, otherwise: Bits) -> Term {
        let (then, otherwise) = (self.constant(width, then), self.constant(width, otherwise));
        self.ite(condition, then, otherwise)
    }

    fn and_rules(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(a);
        }
        if a == b.flip() {
            return Some(self.constant(width, Bits::ZERO));
        }
        if let Some(value) = self.as_constant(b) {
            return self.mask_rules(width, a, b, value);
        }
        if width <= 64 {
            // One operand has ones wherever the other can have any.
            let (x, y) = (self.known(a), self.known(b));
            if x.most(width) & !y.ones == 0 {
                return Some(a);
            }
            if y.most(width) & !x.ones == 0 {
                return Some(b);
            }
        }
        for (one, other) in [(a, b), (b, a)] {
            let node = self.node(other);
            match node.op {
                Op::And => {
                    let (left, right) = (node.first(), node.second());
                    let (same, opposite) =
                        (one == left || one == right, one.flip() == left || one.flip() == right);
                    match (other.is_inverted(), same, opposite) {
                        (false, true, _) => return Some(other),
                        (false, _, true) => return Some(self.constant(width, Bits::ZERO)),
                        (true, _, true) => return Some(one),
                        (true, true, _) => {
                            let rest = if one == left { right } else { left };
                            let rest = self.not(rest);
                            return Some(self.and(one, rest));
                        }
                        _ => {}
                    }
                    // A constant is moved outwards.
                    if !other.is_inverted() && self.is_constant(right) {
                        let rest = self.and(one, left);
                        return Some(self.and(rest, right));
                    }
                }
                Op::Ite if width == 1 && one.positive() == node.first() => {
                    let (_, then, otherwise) = self.as_ite(other)?;
                    let case = if one.is_inverted() { otherwise } else { then };
                    return Some(self.and(one, case));
                }
                Op::SignExtend if self.width(node.first()) == 1 => {
                    let zero = self.constant(width, Bits::ZERO);
                    let bit = self.not_if(node.first(), other.is_inverted());
                    return Some(self.ite(bit, one, zero));
                }
                _ => {}
            }
        }
        if let (Some(x), Some(y)) = (self.as_op(a, Op::And), self.as_op(b, Op::And)) {
            let (x, y) = ([x.first(), x.second()], [y.first(), y.second()]);
            if x.iter().any(|one| y.contains(&one.flip())) {
                return Some(self.constant(width, Bits::ZERO));
            }
        }
        if width == 1 {
            return self.equality_pair(a, b);
        }
        self.bitwise_parts(width, a, b, Terms::and)
    }

    /// x = 3 and x = 4, x = 3 and x != 4.
    fn equality_pair(&mut self, a: Term, b: Term) -> Option<Term> {
        let (x, y) = (self.node(a), self.node(b));
        if x.op != Op::Eq || y.op != Op::Eq || x.a != y.a || a.is_inverted() && b.is_inverted() {
            return None;
        }
        if !self.surely_differ(x.second(), y.second()) {
            return None;
        }
        Some(match (a.is_inverted(), b.is_inverted()) {
            (false, false) => Term::FALSE,
            (false, true) => a,
            _ => b,
        })
    }

    fn mask_rules(&mut self, width: u32, a: Term, b: Term, value: Bits) -> Option<Term> {
        if value.is_zero() {
            return Some(b);
        }
        if value == Bits::ones(width) {
            return Some(a);
        }
        if width <= 64 {
            let known = self.known(a);
            if known.most(width) & !value.low() == 0 {
                return Some(a);
            }
            if (known.zeros | !value.low()) & mask(width) == mask(width) {
                return Some(self.constant(width, Bits::ZERO));
            }
        }
        if let Some(node) = self.as_op(a, Op::And)
            && let Some(other) = self.as_constant(node.second())
        {
            let both = self.constant(width, value.and(other));
            return Some(self.and(node.first(), both));
        }
        if let Some((condition, then, otherwise)) = self.as_constant_ite(a) {
            return Some(self.ite_of(condition, width, then.and(value), otherwise.and(value)));
        }
        let runs = runs(value, width)?;
        let mut made: Option<Term> = None;
        for (high, low) in runs {
            let part = if value.bit(low) {
                self.extract(a, high, low)
            } else {
                self.constant(high - low + 1, Bits::ZERO)
            };
            made = Some(made.map_or(part, |below| self.concat(part, below)));
        }
        made
    }

    fn xor_rules(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        if a.positive() == b.positive() {
            let value = if a == b { Bits::ZERO } else { Bits::ones(width) };
            return Some(self.constant(width, value));
        }
        if a.is_inverted() || b.is_inverted() {
            let made = self.xor(a.positive(), b.positive());
            return Some(self.not_if(made, a.is_inverted() != b.is_inverted()));
        }
        if let Some(value) = self.as_constant(b) {
            if value.is_zero() {
                return Some(a);
            }
            if value.bit(0) {
                let inverse = self.constant(width, value.not(width));
                let made = self.xor(a, inverse);
                return Some(self.not(made));
            }
            if let Some(node) = self.as_op(a, Op::Xor)
                && let Some(other) = self.as_constant(node.second())
            {
                let both = self.constant(width, value.xor(other));
                return Some(self.xor(node.first(), both));
            }
            if let Some((condition, then, otherwise)) = self.as_constant_ite(a) {
                return Some(self.ite_of(condition, width, then.xor(value), otherwise.xor(value)));
            }
        }
        for (one, other) in [(a, b), (b, a)] {
            let Some(node) = self.as_op(other, Op::Xor) else { continue };
            if node.first() == one {
                return Some(node.second());
            }
            if node.second() == one {
                return Some(node.first());
            }
            if self.is_constant(node.second()) && !self.is_constant(one) {
                let rest = self.xor(one, node.first());
                return Some(self.xor(rest, node.second()));
            }
        }
        if width == 1 {
            return None;
        }
        self.bitwise_parts(width, a, b, Terms::xor)
    }

    /// A bitwise operation part by part, where a concatenation has a constant part or meets a constant.
    fn bitwise_parts(
        &mut self,
        width: u32,
        a: Term,
        b: Term,
        apply: fn(&mut Terms, Term, Term) -> Term,
    ) -> Option<Term> {
        let concat = |term: Term| self.node(term).op == Op::Concat;
        let (a, b) = if concat(a) { (a, b) } else { (b, a) };
        if !concat(a) || !(concat(b) || self.is_constant(b)) {
            return None;
        }
        let constant_part = |term: Term| {
            let node = self.node(term);
            node.op != Op::Concat || self.is_constant(node.first()) || self.is_constant(node.second())
        };
        if !constant_part(a) && !constant_part(b) {
            return None;
        }
        let low = self.width(self.node(a).second());
        let (x, y) = (self.extract(a, width - 1, low), self.extract(b, width - 1, low));
        let high_part = apply(self, x, y);
        let (x, y) = (self.extract(a, low - 1, 0), self.extract(b, low - 1, 0));
        let low_part = apply(self, x, y);
        Some(self.concat(high_part, low_part))
    }

    fn ite_rules(&mut self, sort: u16, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        if let Some(value) = condition.as_boolean() {
            return Some(if value { then } else { otherwise });
        }
        if then == otherwise {
            return Some(then);
        }
        if condition.is_inverted() {
            return Some(self.ite(condition.flip(), otherwise, then));
        }
        if sort == 1
            && let Some(made) = self.logical_ite(condition, then, otherwise)
        {
            return Some(made);
        }
        if let Some(made) = self.nested_ite(condition, then, otherwise) {
            return Some(made);
        }
        if sort & ARRAY != 0 {
            return None;
        }
        let width = u32::from(sort);
        // x = y ? x : y
        if let Some(node) = self.as_op(condition, Op::Eq) {
            let (x, y) = (node.first(), node.second());
            if (then, otherwise) == (x, y) || (then, otherwise) == (y, x) {
                return Some(otherwise);
            }
        }
        if let (Some(x), Some(y)) = (self.as_constant(then), self.as_constant(otherwise))
            && x == y.not(width)
            && (x.is_zero() || y.is_zero())
        {
            return Some(self.sign_extend(condition.flip_if(x.is_zero()), width));
        }
        if let Some(made) = self.ite_of_parts(width, condition, then, otherwise) {
            return Some(made);
        }
        // The first case that is no constant is not inverted.
        let constant = self.is_constant(then);
        let deciding = if constant { otherwise } else { then };
        if deciding.is_inverted() {
            let (then, otherwise) = (self.not(then), self.not(otherwise));
            let made = self.ite(condition, then, otherwise);
            return Some(self.not(made));
        }
        None
    }

    /// Of one bit: a conjunction or disjunction where a case is a constant or the condition.
    fn logical_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        if then == otherwise.flip() {
            let differ = self.xor(condition, then);
            return Some(self.not(differ));
        }
        let inverse = condition.flip();
        if then == Term::TRUE || then == condition {
            Some(self.or(condition, otherwise))
        } else if then == Term::FALSE || then == inverse {
            Some(self.and(inverse, otherwise))
        } else if otherwise == Term::TRUE || otherwise == inverse {
            Some(self.or(inverse, then))
        } else if otherwise == Term::FALSE || otherwise == condition {
            Some(self.and(condition, then))
        } else {
            None
        }
    }

    fn nested_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        if let Some((inner, x, y)) = self.as_ite(then) {
            if let Some(value) = self.implied(condition, inner) {
                return Some(self.ite(condition, if value { x } else { y }, otherwise));
            }
            if y == otherwise {
                let both = self.and(condition, inner);
                return Some(self.ite(both, x, y));
            }
            if x == otherwise {
                let second = self.and(condition, inner.flip());
                return Some(self.ite(second, y, x));
            }
        }
        if let Some((inner, x, y)) = self.as_ite(otherwise) {
            if let Some(value) = self.implied(condition.flip(), inner) {
                return Some(self.ite(condition, then, if value { x } else { y }));
            }
            if x == then {
                let either = self.or(condition, inner);
                return Some(self.ite(either, x, y));
            }
            if y == then {
                let neither = self.and(condition.flip(), inner);
                return Some(self.ite(neither, x, y));
            }
        }
        None
    }

    /// The value of a condition where another one holds, as far as one level of conjunctions and equalities shows.
    fn implied(&self, assumption: Term, condition: Term) -> Option<bool> {
        if assumption.positive() == condition.positive() {
            return Some(assumption == condition);
        }
        let (given, asked) = (self.node(assumption), self.node(condition));
        if given.op == Op::And && !assumption.is_inverted() {
            for part in [given.first(), given.second()] {
                if part.positive() == condition.positive() {
                    return Some(part == condition);
                }
            }
        }
        // A conjunction with the opposite of what holds is false.
        if asked.op == Op::And && [asked.first(), asked.second()].contains(&assumption.flip()) {
            return Some(condition.is_inverted());
        }
        // Where x is 3, it is not 4.
        let other_value = given.op == Op::Eq
            && asked.op == Op::Eq
            && given.a == asked.a
            && !assumption.is_inverted()
            && self.surely_differ(given.second(), asked.second());
        other_value.then(|| condition.is_inverted())
    }

    /// Leading bits that are known and equal in both cases, and equal parts of concatenations, are taken out.
    fn ite_of_parts(&mut self, width: u32, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        if !self.slices_freely(then) || !self.slices_freely(otherwise) {
            return None;
        }
        if width <= 64 {
            let (x, y) = (self.known(then), self.known(otherwise));
            let agreed = x.zeros & y.zeros | x.ones & y.ones;
            let leading = (agreed << (64 - width)).leading_ones().min(width - 1);
            if leading > 0 {
                let low = width - leading;
                let high_part = self.constant(leading, x.ones >> low);
                let (x, y) = (self.extract(then, low - 1, 0), self.extract(otherwise, low - 1, 0));
                let low_part = self.ite(condition, x, y);
                return Some(self.concat(high_part, low_part));
            }
        }
        let ((high, low), (other_high, other_low)) = (self.as_concat(then)?, self.as_concat(otherwise)?);
        if low == other_low {
            let made = self.ite(condition, high, other_high);
            return Some(self.concat(made, low));
        }
        if high == other_high {
            let made = self.ite(condition, low, other_low);
            return Some(self.concat(high, made));
        }
        None
    }
}

/// The runs of equal bits of a mask, lowest first; `None`: there are too many.
fn runs(value: Bits, width: u32) -> Option<Vec<(u32, u32)>> {
    let mut runs: Vec<(u32, u32)> = Vec::with_capacity(MOST_RUNS);
    let mut low = 0;
    while low < width {
        let rest = value.lshr(low);
        let rest = if value.bit(low) { rest.not(width - low) } else { rest };
        let next = rest.trailing_zeros().saturating_add(low).min(width);
        if runs.len() == MOST_RUNS {
            return None;
        }
        runs.push((next - 1, low));
        low = next;
    }
    Some(runs)
}
