//! Random terms over all operations, beside each its values by a reference of its own in numbers of 128 bits.

#![allow(dead_code)]

use raddle_solver::{Term, Terms};

/// The generator of Marsaglia's xorshift family; the same numbers everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() >> 33) as usize % bound
    }

    /// A number of this width, special ones more often than others.
    pub fn number(&mut self, width: u32) -> u128 {
        let any = u128::from(self.word()) << 64 | u128::from(self.word());
        let number = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => 1 << (width - 1),
            4 => 1 << self.below(width as usize),
            5 => (1 << self.below(width as usize)) - 1,
            _ => any >> self.below(128),
        };
        number & mask(width)
    }
}

pub fn mask(width: u32) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

pub fn signed(value: u128, width: u32) -> i128 {
    (value << (128 - width)) as i128 >> (128 - width)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    Not,
    Neg,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
    AddOverflows(bool),
    SubOverflows(bool),
    MulOverflows(bool),
    Ite,
    Concat,
    Extract(u32, u32),
    ZeroExtend(u32),
    SignExtend(u32),
}

/// Operations on two operands of one width.
pub const BINARY: [Operation; 25] = [
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::Add,
    Operation::Sub,
    Operation::Mul,
    Operation::Udiv,
    Operation::Urem,
    Operation::Sdiv,
    Operation::Srem,
    Operation::Shl,
    Operation::Lshr,
    Operation::Ashr,
    Operation::Eq,
    Operation::Ne,
    Operation::Ult,
    Operation::Ule,
    Operation::Slt,
    Operation::Sle,
    Operation::AddOverflows(false),
    Operation::AddOverflows(true),
    Operation::SubOverflows(false),
    Operation::SubOverflows(true),
    Operation::MulOverflows(false),
    Operation::MulOverflows(true),
];

impl Operation {
    pub fn is_predicate(self) -> bool {
        use Operation::*;
        matches!(self, Eq | Ne | Ult | Ule | Slt | Sle | AddOverflows(_) | SubOverflows(_) | MulOverflows(_))
    }

    pub fn width(self, widths: &[u32]) -> u32 {
        match self {
            Operation::Ite => widths[1],
            Operation::Concat => widths[0] + widths[1],
            Operation::Extract(high, low) => high - low + 1,
            Operation::ZeroExtend(width) | Operation::SignExtend(width) => width,
            _ if self.is_predicate() => 1,
            _ => widths[0],
        }
    }

    pub fn apply(self, terms: &mut Terms, of: &[Term]) -> Term {
        use Operation::*;
        match self {
            Not => terms.not(of[0]),
            Neg => terms.neg(of[0]),
            And => terms.and(of[0], of[1]),
            Or => terms.or(of[0], of[1]),
            Xor => terms.xor(of[0], of[1]),
            Add => terms.add(of[0], of[1]),
            Sub => terms.sub(of[0], of[1]),
            Mul => terms.mul(of[0], of[1]),
            Udiv => terms.udiv(of[0], of[1]),
            Urem => terms.urem(of[0], of[1]),
            Sdiv => terms.sdiv(of[0], of[1]),
            Srem => terms.srem(of[0], of[1]),
            Shl => terms.shl(of[0], of[1]),
            Lshr => terms.lshr(of[0], of[1]),
            Ashr => terms.ashr(of[0], of[1]),
            Eq => terms.eq(of[0], of[1]),
            Ne => terms.ne(of[0], of[1]),
            Ult => terms.ult(of[0], of[1]),
            Ule => terms.ule(of[0], of[1]),
            Slt => terms.slt(of[0], of[1]),
            Sle => terms.sle(of[0], of[1]),
            AddOverflows(signed) => terms.add_overflows(signed, of[0], of[1]),
            SubOverflows(signed) => terms.sub_overflows(signed, of[0], of[1]),
            MulOverflows(signed) => terms.mul_overflows(signed, of[0], of[1]),
            Ite => terms.ite(of[0], of[1], of[2]),
            Concat => terms.concat(of[0], of[1]),
            Extract(high, low) => terms.extract(of[0], high, low),
            ZeroExtend(width) => terms.zero_extend(of[0], width),
            SignExtend(width) => terms.sign_extend(of[0], width),
        }
    }

    /// What SMT-LIB says, in numbers. Overflow is asked for up to 63 bits.
    pub fn value(self, widths: &[u32], of: &[u128]) -> u128 {
        use Operation::*;
        let (w, a) = (widths[0], of[0]);
        let b = of.get(1).copied().unwrap_or(0);
        let m = mask(w);
        let (sa, sb) = (signed(a, w), signed(b, *widths.get(1).unwrap_or(&w)));
        let magnitude = |x: u128| if signed(x, w) < 0 { x.wrapping_neg() & m } else { x };
        let divide = |x: u128, y: u128| x.checked_div(y).unwrap_or(m);
        let overflow = |is_signed: bool, exact: fn(i128, i128) -> i128| {
            if is_signed {
                let exact = exact(sa, sb);
                exact != signed(exact as u128 & m, w)
            } else {
                let exact = exact(a as i128, b as i128);
                exact != (exact as u128 & m) as i128
            }
        };
        let result = match self {
            Not => !a,
            Neg => a.wrapping_neg(),
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            Add => a.wrapping_add(b),
            Sub => a.wrapping_sub(b),
            Mul => a.wrapping_mul(b),
            Udiv => divide(a, b),
            Urem => a.checked_rem(b).unwrap_or(a),
            Sdiv => {
                let quotient = divide(magnitude(a), magnitude(b));
                if (sa < 0) != (sb < 0) { quotient.wrapping_neg() } else { quotient }
            }
            Srem => {
                let remainder = magnitude(a).checked_rem(magnitude(b)).unwrap_or(magnitude(a));
                if sa < 0 { remainder.wrapping_neg() } else { remainder }
            }
            Shl => {
                if b < w.into() {
                    a << b
                } else {
                    0
                }
            }
            Lshr => {
                if b < w.into() {
                    a >> b
                } else {
                    0
                }
            }
            Ashr => (sa >> b.min(127)) as u128,
            Eq => u128::from(a == b),
            Ne => u128::from(a != b),
            Ult => u128::from(a < b),
            Ule => u128::from(a <= b),
            Slt => u128::from(sa < sb),
            Sle => u128::from(sa <= sb),
            AddOverflows(signed) => u128::from(overflow(signed, |a, b| a + b)),
            SubOverflows(signed) => u128::from(overflow(signed, |a, b| a - b)),
            MulOverflows(signed) => u128::from(overflow(signed, |a, b| a * b)),
            Ite => {
                if a == 1 {
                    b
                } else {
                    of[2]
                }
            }
            Concat => a << widths[1] | b,
            Extract(_, low) => a >> low,
            ZeroExtend(_) => a,
            SignExtend(_) => sa as u128,
        };
        result & mask(self.width(widths))
    }
}

#[derive(Clone)]
pub struct Entry {
    /// Made with rewriting, and without.
    pub term: Term,
    pub plain: Term,
    pub width: u32,
    /// By assignment.
    pub values: Vec<u128>,
}

/// Terms over some variables, each made from earlier ones.
pub struct Pool {
    pub terms: Terms,
    pub entries: Vec<Entry>,
    pub variables: usize,
    pub assignments: usize,
}

impl Pool {
    /// Variables of these widths; `assignments` of each: all, if there are no more than that.
    pub fn new(random: &mut Random, widths: &[u32], assignments: usize) -> Pool {
        let all = widths.iter().sum::<u32>();
        let exhaustive = all < 20 && 1 << all <= assignments;
        let assignments = if exhaustive { 1 << all } else { assignments };
        let mut pool =
            Pool { terms: Terms::new(), entries: Vec::new(), variables: widths.len(), assignments };
        let mut shift = 0;
        for width in widths {
            let term = pool.terms.variable(*width);
            let value = |row: usize| (row as u128 >> shift) & mask(*width);
            let values = (0..assignments)
                .map(|row| if exhaustive { value(row) } else { random.number(*width) })
                .collect();
            pool.entries.push(Entry { term, plain: term, width: *width, values });
            shift += if exhaustive { *width } else { 0 };
        }
        pool
    }

    pub fn constant(&mut self, width: u32, value: u128) -> Entry {
        let term = self.terms.constant(width, value);
        Entry { term, plain: term, width, values: vec![value; self.assignments] }
    }

    pub fn apply(&mut self, operation: Operation, of: &[Entry]) -> Entry {
        let widths: Vec<u32> = of.iter().map(|entry| entry.width).collect();
        let of_terms = |pick: fn(&Entry) -> Term| of.iter().map(pick).collect::<Vec<Term>>();
        let term = operation.apply(&mut self.terms, &of_terms(|entry| entry.term));
        self.terms.set_rewriting(false);
        let plain = operation.apply(&mut self.terms, &of_terms(|entry| entry.plain));
        self.terms.set_rewriting(true);
        let values = (0..self.assignments)
            .map(|row| {
                let of: Vec<u128> = of.iter().map(|entry| entry.values[row]).collect();
                operation.value(&widths, &of)
            })
            .collect();
        let width = operation.width(&widths);
        assert_eq!(width, self.terms.width(term));
        Entry { term, plain, width, values }
    }

    /// An entry or a constant; of this width, if one is given.
    pub fn operand(&mut self, random: &mut Random, width: Option<u32>) -> Entry {
        if let Some(width) = width
            && random.below(4) == 0
        {
            let value = random.number(width);
            return self.constant(width, value);
        }
        // Later ones more often.
        let count = self.entries.len();
        let index = count - 1 - random.below(count).min(random.below(count));
        let entry = self.entries[index].clone();
        let Some(width) = width.filter(|width| *width != entry.width) else { return entry };
        if width > entry.width {
            let operation = match random.below(3) {
                0 => Operation::SignExtend(width),
                1 => Operation::ZeroExtend(width),
                _ => {
                    let low = self.operand(random, Some(width - entry.width));
                    return self.apply(Operation::Concat, &[entry, low]);
                }
            };
            return self.apply(operation, &[entry]);
        }
        let low = random.below((entry.width - width) as usize + 1) as u32;
        self.apply(Operation::Extract(low + width - 1, low), &[entry])
    }

    /// One more entry of up to `most` bits.
    pub fn grow(&mut self, random: &mut Random, most: u32) {
        let made = match random.below(12) {
            0 => {
                let a = self.operand(random, None);
                self.apply(Operation::Not, &[a])
            }
            1 => {
                let a = self.operand(random, None);
                self.apply(Operation::Neg, &[a])
            }
            2 | 3 => {
                let c = self.operand(random, Some(1));
                let a = self.operand(random, None);
                let b = self.operand(random, Some(a.width));
                let (a, b) = if random.below(2) == 0 { (a, b) } else { (b, a) };
                self.apply(Operation::Ite, &[c, a, b])
            }
            4 => {
                let width = 1 + random.below(most as usize) as u32;
                self.operand(random, Some(width))
            }
            _ => {
                let a = self.operand(random, None);
                let b = self.operand(random, Some(a.width));
                let (a, b) = if random.below(2) == 0 { (a, b) } else { (b, a) };
                let mut operation = BINARY[random.below(BINARY.len())];
                if a.width > 63 && operation.is_predicate() && !matches!(operation, Operation::Slt) {
                    operation = Operation::Ult;
                }
                self.apply(operation, &[a, b])
            }
        };
        self.entries.push(made);
    }
}
