//! The domain of values that depend on the answer to one choice: numbers plus or minus the answer, and tests of it, which
//! are the sets of answers that pass. Sums with constants, extensions and comparisons with constants are computed; of all
//! else it is only known whether it depends on the answer.

use raddle_ir::CompareOp;
use raddle_machine::{mask, signed};
use raddle_semantics::{Concrete, Domain, Faults, Pair};

use super::ranges::{Ranges, complement, intersect, union};

/// A word or a bit that depends on the answer.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Symbol {
    Known(u64),
    Sum(Sum),
    /// One when the answer is among these, else zero.
    Test(Ranges),
    /// Not computed, but the same for every answer: an address, for example.
    Fixed,
    /// It may be anything made of the answer.
    Other,
}

/// A number plus the answer, or minus it, in the answer's width; then extended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sum {
    pub add: u64,
    /// The answer is subtracted.
    pub negative: bool,
    pub extension: Extension,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extension {
    /// By zeros, as every word is.
    Zero,
    /// By its sign, to so many bits.
    Sign(u8),
}

impl Sum {
    pub const ANSWER: Sum = Sum { add: 0, negative: false, extension: Extension::Zero };
}

impl Symbol {
    /// The result of an operation that is not computed.
    pub fn of(operands: &[&Symbol]) -> Symbol {
        if operands.iter().all(|s| s.is_fixed()) { Symbol::Fixed } else { Symbol::Other }
    }
    /// The same for every answer.
    pub fn is_fixed(&self) -> bool {
        matches!(self, Symbol::Known(_) | Symbol::Fixed)
    }
}

/// The answers have `bits` bits, up to `last`.
pub(super) struct Answers {
    pub bits: u8,
    pub last: u64,
}

impl Answers {
    /// Of two numbers as the machine has it, of all else not computed.
    fn numbers(&self, a: &Symbol, b: &Symbol, f: impl Fn(&u64, &u64) -> u64) -> Symbol {
        match (a, b) {
            (Symbol::Known(x), Symbol::Known(y)) => Symbol::Known(f(x, y)),
            _ => Symbol::of(&[a, b]),
        }
    }

    /// A comparison of a sum, or of a test, with a number.
    fn compared(&self, op: CompareOp, bits: u8, a: &Symbol, b: &Symbol) -> Symbol {
        use CompareOp::{Eq, SGt, SLt, UGt, ULt};
        let turned = match op {
            ULt => UGt,
            SLt => SGt,
            _ => op,
        };
        let number = |v: u64| if op == SLt { signed(v, bits) as i128 } else { v as i128 };
        match (a, b) {
            (Symbol::Known(x), Symbol::Known(y)) => Symbol::Known(holds(op, number(*x), number(*y)) as u64),
            // It is 0 or 1, in more bits than one: never negative.
            (Symbol::Test(set), Symbol::Known(c)) if bits > 1 => {
                self.tested(set, holds(op, 1, number(*c)), holds(op, 0, number(*c)))
            }
            (Symbol::Known(c), Symbol::Test(set)) if bits > 1 && op != Eq => {
                self.tested(set, holds(op, number(*c), 1), holds(op, number(*c), 0))
            }
            (Symbol::Sum(sum), Symbol::Known(c)) => self.sum_against(op, bits, *sum, *c),
            (Symbol::Known(c), Symbol::Sum(sum)) => self.sum_against(turned, bits, *sum, *c),
            _ => Symbol::of(&[a, b]),
        }
    }

    /// What holds for the answers in the set, and for the others.
    fn tested(&self, set: &Ranges, inside: bool, outside: bool) -> Symbol {
        match (inside, outside) {
            (true, true) => Symbol::Known(1),
            (false, false) => Symbol::Known(0),
            (true, false) => Symbol::Test(set.clone()),
            (false, true) => Symbol::Test(complement(set, self.last)),
        }
    }

    /// The answers for which the sum, seen as a number, has this relation to a constant.
    pub fn sum_against(&self, op: CompareOp, bits: u8, sum: Sum, c: u64) -> Symbol {
        use CompareOp::*;
        let Sum { add, negative, extension } = sum;
        let is_signed = matches!(op, SLt | SLe | SGt | SGe);
        let is_equality = matches!(op, Eq | Ne);
        // As which number the sum counts: of the answer's width, signed or not.
        let sum_signed = match extension {
            _ if bits == self.bits => is_signed,
            Extension::Zero if bits > self.bits => false,
            Extension::Sign(to) if to == bits && (is_signed || is_equality) => true,
            _ => return Symbol::Other,
        };
        let c = if is_signed || sum_signed { signed(c, bits) as i128 } else { c as i128 };
        let width = self.bits as u32;
        let (low, high) = if sum_signed {
            (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
        } else {
            (0, (1i128 << width) - 1)
        };
        let range = match op {
            Eq | Ne => (c, c),
            ULt | SLt => (low, c - 1),
            ULe | SLe => (low, c),
            UGt | SGt => (c + 1, high),
            UGe | SGe => (c, high),
        };
        let range = (range.0.max(low), range.1.min(high));
        let mut set: Ranges = Vec::new();
        if range.0 <= range.1 {
            // Numbers below zero are the upper half; then the sum is undone, which may wrap round.
            let modulus = 1i128 << width;
            let undo = |x: i128| if negative { add as i128 - x } else { x - add as i128 };
            let (first, last) = if negative { (range.1, range.0) } else { range };
            let (from, to) = (undo(first).rem_euclid(modulus) as u64, undo(last).rem_euclid(modulus) as u64);
            let all = range.1 - range.0 + 1 == modulus;
            set = match () {
                _ if all => vec![(0, self.last)],
                _ if from <= to => vec![(from, to)],
                _ => vec![(0, to), (from, self.last)],
            };
        }
        Symbol::Test(if op == Ne { complement(&set, self.last) } else { set })
    }

    /// The answers for which a sum is a number below or above these two.
    fn outside(&self, bits: u8, sum: &Sum, below: i128, above: i128) -> Symbol {
        if bits != self.bits {
            return Symbol::Other;
        }
        let (low, high) = (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
        let mut set = Vec::new();
        for (op, limit) in [(CompareOp::SLt, below), (CompareOp::SGt, above)] {
            // A limit outside the numbers of this width is never passed.
            if (low..=high).contains(&limit) {
                match self.sum_against(op, bits, *sum, limit as u64 & mask(bits)) {
                    Symbol::Test(part) => set = union(set, part),
                    _ => return Symbol::Other,
                }
            }
        }
        Symbol::Test(set)
    }

    fn sum(&self, add: u64, negative: bool) -> Symbol {
        Symbol::Sum(Sum { add: add & self.last, negative, extension: Extension::Zero })
    }
}

fn holds(op: CompareOp, a: i128, b: i128) -> bool {
    match op {
        CompareOp::Eq => a == b,
        _ => a < b,
    }
}

impl Domain for Answers {
    type Word = Symbol;
    type Bit = Symbol;
    type Value = Pair<Symbol>;
    type Faults = Faults<Symbol>;

    fn word(&self, value: u64) -> Symbol {
        Symbol::Known(value)
    }
    fn bit(&self, value: bool) -> Symbol {
        Symbol::Known(value as u64)
    }
    fn known(&self, bit: &Symbol) -> Option<bool> {
        match bit {
            Symbol::Known(value) => Some(*value == 1),
            _ => None,
        }
    }

    fn negation(&self, a: &Symbol) -> Symbol {
        match a {
            Symbol::Known(value) => Symbol::Known(1 - value),
            Symbol::Test(set) => Symbol::Test(complement(set, self.last)),
            _ => Symbol::of(&[a]),
        }
    }
    fn conjunction(&self, a: &Symbol, b: &Symbol) -> Symbol {
        match (a, b) {
            (Symbol::Known(0), _) | (_, Symbol::Known(0)) => Symbol::Known(0),
            (Symbol::Known(_), other) | (other, Symbol::Known(_)) => other.clone(),
            _ => self.and(a, b),
        }
    }
    fn disjunction(&self, a: &Symbol, b: &Symbol) -> Symbol {
        match (a, b) {
            (Symbol::Known(0), other) | (other, Symbol::Known(0)) => other.clone(),
            (Symbol::Known(_), _) | (_, Symbol::Known(_)) => Symbol::Known(1),
            _ => self.or(a, b),
        }
    }
    fn choose(&self, condition: &Symbol, yes: &Symbol, no: &Symbol) -> Symbol {
        match condition {
            Symbol::Known(1) => yes.clone(),
            Symbol::Known(_) => no.clone(),
            _ => Symbol::of(&[condition, yes, no]),
        }
    }
    fn word_of_bit(&self, bit: &Symbol) -> Symbol {
        bit.clone()
    }

    fn and(&self, a: &Symbol, b: &Symbol) -> Symbol {
        match (a, b) {
            (Symbol::Test(a), Symbol::Test(b)) => Symbol::Test(intersect(a, b)),
            (Symbol::Test(_), Symbol::Known(c)) if c & 1 == 1 => a.clone(),
            _ => self.numbers(a, b, |x, y| x & y),
        }
    }
    fn or(&self, a: &Symbol, b: &Symbol) -> Symbol {
        match (a, b) {
            (Symbol::Test(a), Symbol::Test(b)) => Symbol::Test(union(a.clone(), b.clone())),
            _ => self.numbers(a, b, |x, y| x | y),
        }
    }
    fn xor(&self, a: &Symbol, b: &Symbol) -> Symbol {
        match (a, b) {
            (Symbol::Test(a), Symbol::Known(1)) => Symbol::Test(complement(a, self.last)),
            _ => self.numbers(a, b, |x, y| x ^ y),
        }
    }
    fn add(&self, bits: u8, a: &Symbol, b: &Symbol) -> Symbol {
        match (a, b) {
            (Symbol::Sum(s), Symbol::Known(c)) | (Symbol::Known(c), Symbol::Sum(s)) if bits == self.bits => {
                self.sum(s.add.wrapping_add(*c), s.negative)
            }
            _ => self.numbers(a, b, |x, y| Concrete.add(bits, x, y)),
        }
    }
    fn sub(&self, bits: u8, a: &Symbol, b: &Symbol) -> Symbol {
        match (a, b) {
            (Symbol::Sum(s), Symbol::Known(c)) if bits == self.bits => {
                self.sum(s.add.wrapping_sub(*c), s.negative)
            }
            (Symbol::Known(c), Symbol::Sum(s)) if bits == self.bits => {
                self.sum(c.wrapping_sub(s.add), !s.negative)
            }
            _ => self.numbers(a, b, |x, y| Concrete.sub(bits, x, y)),
        }
    }
    fn mul(&self, bits: u8, a: &Symbol, b: &Symbol) -> Symbol {
        self.numbers(a, b, |x, y| Concrete.mul(bits, x, y))
    }
    // Divisions and shifts have faults that some answers show and others do not: nothing is dropped behind them, so that
    // their results are not needed.
    fn udiv(&self, _: u8, a: &Symbol, b: &Symbol) -> Symbol {
        Symbol::of(&[a, b])
    }
    fn urem(&self, _: u8, a: &Symbol, b: &Symbol) -> Symbol {
        Symbol::of(&[a, b])
    }
    fn sdiv(&self, _: u8, a: &Symbol, b: &Symbol) -> Symbol {
        Symbol::of(&[a, b])
    }
    fn srem(&self, _: u8, a: &Symbol, b: &Symbol) -> Symbol {
        Symbol::of(&[a, b])
    }
    fn shl(&self, _: u8, a: &Symbol, by: &Symbol) -> Symbol {
        Symbol::of(&[a, by])
    }
    fn lshr(&self, _: u8, a: &Symbol, by: &Symbol) -> Symbol {
        Symbol::of(&[a, by])
    }
    fn ashr(&self, _: u8, a: &Symbol, by: &Symbol) -> Symbol {
        Symbol::of(&[a, by])
    }
    fn sign_extend(&self, from: u8, to: u8, a: &Symbol) -> Symbol {
        match a {
            Symbol::Known(value) => Symbol::Known(Concrete.sign_extend(from, to, value)),
            Symbol::Test(_) if from > 1 => a.clone(),
            Symbol::Sum(sum) if from == self.bits => {
                Symbol::Sum(Sum { extension: Extension::Sign(to), ..*sum })
            }
            _ => Symbol::of(&[a]),
        }
    }
    fn truncate(&self, to: u8, a: &Symbol) -> Symbol {
        match a {
            Symbol::Known(value) => Symbol::Known(value & mask(to)),
            Symbol::Test(_) => a.clone(),
            Symbol::Sum(sum) if to == self.bits => Symbol::Sum(Sum { extension: Extension::Zero, ..*sum }),
            Symbol::Sum(sum) if to > self.bits => {
                let extension = match sum.extension {
                    Extension::Sign(from) => Extension::Sign(from.min(to)),
                    Extension::Zero => Extension::Zero,
                };
                Symbol::Sum(Sum { extension, ..*sum })
            }
            _ => Symbol::of(&[a]),
        }
    }

    fn eq(&self, bits: u8, a: &Symbol, b: &Symbol) -> Symbol {
        self.compared(CompareOp::Eq, bits, a, b)
    }
    fn ult(&self, bits: u8, a: &Symbol, b: &Symbol) -> Symbol {
        self.compared(CompareOp::ULt, bits, a, b)
    }
    fn slt(&self, bits: u8, a: &Symbol, b: &Symbol) -> Symbol {
        self.compared(CompareOp::SLt, bits, a, b)
    }

    fn add_overflows(&self, bits: u8, is_signed: bool, a: &Symbol, b: &Symbol) -> Symbol {
        let (low, high) = (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
        match (a, b) {
            (Symbol::Sum(sum), Symbol::Known(c)) | (Symbol::Known(c), Symbol::Sum(sum)) if is_signed => {
                let c = signed(*c, bits) as i128;
                self.outside(bits, sum, low - c, high - c)
            }
            _ => self.numbers(a, b, |x, y| Concrete.add_overflows(bits, is_signed, x, y) as u64),
        }
    }
    fn sub_overflows(&self, bits: u8, is_signed: bool, a: &Symbol, b: &Symbol) -> Symbol {
        let (low, high) = (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
        match (a, b) {
            (Symbol::Sum(sum), Symbol::Known(c)) if is_signed => {
                let c = signed(*c, bits) as i128;
                self.outside(bits, sum, low + c, high + c)
            }
            // c - v: v above c - low is too small a result, v below c - high too great.
            (Symbol::Known(c), Symbol::Sum(sum)) if is_signed => {
                let c = signed(*c, bits) as i128;
                self.outside(bits, sum, c - high, c - low)
            }
            _ => self.numbers(a, b, |x, y| Concrete.sub_overflows(bits, is_signed, x, y) as u64),
        }
    }
    fn mul_overflows(&self, bits: u8, is_signed: bool, a: &Symbol, b: &Symbol) -> Symbol {
        self.numbers(a, b, |x, y| Concrete.mul_overflows(bits, is_signed, x, y) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{BinaryOp, CastOp};
    use raddle_semantics::{Marked, Value};

    const ANSWERS: Answers = Answers { bits: 4, last: 15 };

    fn defined(bits: Symbol) -> Pair<Symbol> {
        Pair { bits, undefined: Symbol::Known(0) }
    }

    /// All sums of four bits, and how they are computed from an answer.
    fn sums() -> impl Iterator<Item = (Sum, u8)> {
        let sums = (0..16).flat_map(|add| [(add, false), (add, true)]);
        let extended = [(Extension::Zero, 4), (Extension::Zero, 6), (Extension::Sign(6), 6)];
        sums.flat_map(move |(add, negative)| {
            extended.map(|(extension, bits)| (Sum { add, negative, extension }, bits))
        })
    }

    fn number(symbol: &Symbol, answer: u64) -> Option<u64> {
        match symbol {
            Symbol::Known(value) => Some(*value),
            Symbol::Test(set) => Some(set.iter().any(|(a, b)| (*a..=*b).contains(&answer)) as u64),
            Symbol::Sum(sum) => {
                let answer = if sum.negative { answer.wrapping_neg() } else { answer };
                let value = sum.add.wrapping_add(answer) & 15;
                Some(match sum.extension {
                    Extension::Zero => value,
                    Extension::Sign(to) => signed(value, 4) as u64 & mask(to),
                })
            }
            Symbol::Fixed | Symbol::Other => None,
        }
    }

    /// What the domain says agrees with the concrete domain, for every answer.
    fn agrees(found: &Pair<Symbol>, expected: impl Fn(u64) -> Value, context: &str) {
        for answer in 0..16 {
            if let (Some(bits), Some(undefined)) =
                (number(&found.bits, answer), number(&found.undefined, answer))
            {
                assert_eq!(Value { bits, undefined }, expected(answer), "{context} for {answer}");
            }
        }
    }

    #[test]
    fn comparisons_agree_with_trying() {
        use CompareOp::*;
        let mut tests = 0;
        for (sum, bits) in sums() {
            for op in [Eq, Ne, ULt, ULe, UGt, UGe, SLt, SLe, SGt, SGe] {
                for c in 0..1u64 << bits {
                    let (a, b) = (defined(Symbol::Sum(sum)), defined(Symbol::Known(c)));
                    for turned in [false, true] {
                        let (x, y) = if turned { (&b, &a) } else { (&a, &b) };
                        let found = raddle_semantics::compare(&ANSWERS, op, bits, x, y);
                        tests += matches!(found.bits, Symbol::Test(_)) as u32;
                        let value = |v: &Pair<Symbol>, answer| Value::of(number(v.bits(), answer).unwrap());
                        let expected = |answer| {
                            let (x, y) = (value(x, answer), value(y, answer));
                            raddle_semantics::compare(&Concrete, op, bits, &x, &y)
                        };
                        agrees(&found, expected, &format!("{op:?}.{bits} {sum:?} {c} {turned}"));
                    }
                }
            }
        }
        // All but the unsigned orders of what was extended by its sign.
        assert_eq!(tests, 2 * 32 * (10 * 16 + 10 * 64 + 6 * 64));
    }

    /// Every sum and difference of four bits with every number: the value and where it overflows.
    #[test]
    fn sums_agree_with_trying() {
        for (sum, c) in
            sums().filter(|(_, bits)| *bits == 4).flat_map(|(sum, _)| (0..16).map(move |c| (sum, c)))
        {
            let (a, b) = (defined(Symbol::Sum(sum)), defined(Symbol::Known(c)));
            for (op, x, y) in [
                (BinaryOp::Add, &a, &b),
                (BinaryOp::Add, &b, &a),
                (BinaryOp::Sub, &a, &b),
                (BinaryOp::Sub, &b, &a),
            ] {
                let found = raddle_semantics::binary(&ANSWERS, op, 4, true, x, y);
                assert!(matches!(found.value.bits, Symbol::Sum(_)));
                assert!(matches!(found.faults.overflow, Symbol::Test(_)));
                let context = format!("{op:?} {x:?} {y:?}");
                let concrete = |answer| {
                    let value = |v: &Pair<Symbol>| Value::of(number(&v.bits, answer).unwrap());
                    raddle_semantics::binary(&Concrete, op, 4, true, &value(x), &value(y))
                };
                agrees(&found.value, |answer| concrete(answer).value, &context);
                let overflow = defined(found.faults.overflow);
                agrees(&overflow, |answer| Value::of(concrete(answer).faults.is_some() as u64), &context);
            }
        }
    }

    #[test]
    fn casts_agree_with_trying() {
        for (sum, bits) in sums() {
            let a = defined(Symbol::Sum(sum));
            for to in 1..=8 {
                let ops: &[CastOp] =
                    if to < bits { &[CastOp::Truncate] } else { &[CastOp::ZeroExtend, CastOp::SignExtend] };
                for (op, wider) in ops.iter().flat_map(|op| [(*op, false), (*op, true)]) {
                    // Once more extended by zeros: what was extended by its sign must not be taken for more.
                    let cast = |v: &Value| {
                        let once = raddle_semantics::cast(&Concrete, op, bits, to, v);
                        if wider {
                            raddle_semantics::cast(&Concrete, CastOp::SignExtend, to, 9, &once)
                        } else {
                            once
                        }
                    };
                    let once = raddle_semantics::cast(&ANSWERS, op, bits, to, &a);
                    let found = if wider {
                        raddle_semantics::cast(&ANSWERS, CastOp::SignExtend, to, 9, &once)
                    } else {
                        once
                    };
                    let expected = |answer| cast(&Value::of(number(&a.bits, answer).unwrap()));
                    agrees(&found, expected, &format!("{op:?} {sum:?} {bits} to {to}"));
                }
            }
        }
    }
}
