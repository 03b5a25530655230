//! Reproducible random numbers and random formulas.

use raddle_ltl::{Formula, FormulaBuilder, FormulaId, Node};

/// Marsaglia's xorshift64* (2003; Vigna 2016): small, fast, good enough to choose test cases.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Less than `bound`, which is not zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 32) % bound
    }
}

pub const NAMES: [&str; 4] = ["p", "q", "r", "s"];

/// A formula of at most `operators` operators over the first `propositions` names.
pub fn formula(random: &mut Random, operators: u64, propositions: u64) -> Formula {
    let mut builder = FormulaBuilder::new();
    let root = subformula(random, &mut builder, operators, propositions);
    builder.finish(root)
}

fn subformula(
    random: &mut Random,
    builder: &mut FormulaBuilder,
    operators: u64,
    propositions: u64,
) -> FormulaId {
    if operators == 0 {
        return match random.below(20) {
            0 => builder.add(Node::True),
            1 => builder.add(Node::False),
            _ => builder.proposition(NAMES[random.below(propositions) as usize]),
        };
    }
    let choice = random.below(14);
    if choice < 6 {
        let a = subformula(random, builder, operators - 1, propositions);
        return match choice {
            0 | 1 => builder.add(Node::Not(a)),
            2 => builder.add(Node::Next(a)),
            3 | 4 => builder.eventually(a),
            _ => builder.globally(a),
        };
    }
    let left = random.below(operators);
    let a = subformula(random, builder, left, propositions);
    let b = subformula(random, builder, operators - 1 - left, propositions);
    builder.add(match choice {
        6 => Node::And(a, b),
        7 => Node::Or(a, b),
        8 => Node::Implies(a, b),
        9 => Node::Equivalent(a, b),
        10 | 11 => Node::Until(a, b),
        12 => Node::Release(a, b),
        _ => Node::WeakUntil(a, b),
    })
}
