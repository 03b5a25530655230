//! A domain of terms: a graph of operations over variables, evaluated afterwards. Only constants are known, and nothing
//! is simplified, so that every scalar function builds all its cases and joins them.
//!
//! The evaluation shares no code with the concrete domain. It checks the contract of [`Domain`] (no operand and no result
//! has a bit above its width), and gives an odd result where the contract allows any.

use std::cell::RefCell;

use raddle_semantics::{Domain, Faults, Pair};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    Constant(u64),
    Variable(usize),
    Operation { op: Op, bits: u8, extra: u8, operands: [u32; 3] },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Negation,
    Conjunction,
    Disjunction,
    Choose,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    UDiv,
    URem,
    SDiv,
    SRem,
    Shl,
    LShr,
    AShr,
    SignExtend,
    Truncate,
    Eq,
    ULt,
    SLt,
}

#[derive(Default)]
pub struct Terms {
    nodes: RefCell<Vec<Node>>,
}

/// The place of a node.
pub type Term = u32;

/// What stands where any result is allowed.
const ODD: u64 = 0x5a5a_5a5a_5a5a_5a5a;

fn ones(bits: u8) -> u128 {
    (1u128 << bits) - 1
}

fn number(value: u64, bits: u8) -> i128 {
    if value as u128 >> (bits - 1) & 1 == 1 { value as i128 - (1i128 << bits) } else { value as i128 }
}

impl Terms {
    fn node(&self, node: Node) -> Term {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(node);
        nodes.len() as u32 - 1
    }
    pub fn variable(&self, index: usize) -> Term {
        self.node(Node::Variable(index))
    }
    fn make(&self, op: Op, bits: u8, operands: &[Term]) -> Term {
        let mut all = [0; 3];
        all[..operands.len()].copy_from_slice(operands);
        self.node(Node::Operation { op, bits, extra: 0, operands: all })
    }
    pub fn len(&self) -> usize {
        self.nodes.borrow().len()
    }

    /// The values of all nodes under an assignment.
    pub fn evaluate(&self, variables: &[u64]) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::new();
        for node in self.nodes.borrow().iter() {
            let value = match *node {
                Node::Constant(value) => value,
                Node::Variable(index) => variables[index],
                Node::Operation { op, bits, extra, operands } => {
                    apply(op, bits, extra, operands.map(|o| values.get(o as usize).copied().unwrap_or(0)))
                }
            };
            values.push(value);
        }
        values
    }
}

fn apply(op: Op, bits: u8, extra: u8, [a, b, c]: [u64; 3]) -> u64 {
    let within = |x: u64| assert!(x as u128 <= ones(bits), "{op:?}.{bits} of {x:#x}");
    match op {
        Op::And | Op::Or | Op::Xor | Op::Truncate | Op::Choose => {}
        Op::Negation => assert!(a < 2),
        Op::Conjunction | Op::Disjunction => assert!(a < 2 && b < 2),
        Op::SignExtend => within(a),
        _ => {
            within(a);
            within(b);
        }
    }
    let (m, sa, sb) = (ones(bits), || number(a, bits), || number(b, bits));
    let odd = ODD & m as u64;
    let too_far = b >= bits as u64;
    match op {
        Op::Negation => 1 - a,
        Op::Conjunction => a * b,
        Op::Disjunction => a.max(b),
        Op::Choose => [c, b][a as usize],
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => ((a as u128 + b as u128) & m) as u64,
        Op::Sub => ((a as u128 + (1 << bits) - b as u128) & m) as u64,
        Op::Mul => ((a as u128 * b as u128) & m) as u64,
        Op::UDiv | Op::URem | Op::SDiv | Op::SRem if b == 0 => odd,
        Op::UDiv => a / b,
        Op::URem => a % b,
        Op::SDiv => (sa() / sb()) as u64 & m as u64,
        Op::SRem => (sa() % sb()) as u64 & m as u64,
        Op::Shl | Op::LShr | Op::AShr if too_far => odd,
        Op::Shl => (((a as u128) << b) & m) as u64,
        Op::LShr => a >> b,
        Op::AShr => (sa() >> b) as u64 & m as u64,
        Op::SignExtend => (number(a, bits) as u128 & ones(extra)) as u64,
        Op::Truncate => a & m as u64,
        Op::Eq => (a == b) as u64,
        Op::ULt => (a < b) as u64,
        Op::SLt => (sa() < sb()) as u64,
    }
}

impl Domain for Terms {
    type Word = Term;
    type Bit = Term;
    type Value = Pair<Term>;
    type Faults = Faults<Term>;

    fn word(&self, value: u64) -> Term {
        self.node(Node::Constant(value))
    }
    fn bit(&self, value: bool) -> Term {
        self.node(Node::Constant(value as u64))
    }
    fn known(&self, bit: &Term) -> Option<bool> {
        match self.nodes.borrow()[*bit as usize] {
            Node::Constant(value) => Some(value == 1),
            _ => None,
        }
    }
    fn negation(&self, a: &Term) -> Term {
        self.make(Op::Negation, 1, &[*a])
    }
    fn conjunction(&self, a: &Term, b: &Term) -> Term {
        self.make(Op::Conjunction, 1, &[*a, *b])
    }
    fn disjunction(&self, a: &Term, b: &Term) -> Term {
        self.make(Op::Disjunction, 1, &[*a, *b])
    }
    fn choose(&self, condition: &Term, yes: &Term, no: &Term) -> Term {
        self.make(Op::Choose, 64, &[*condition, *yes, *no])
    }
    fn word_of_bit(&self, bit: &Term) -> Term {
        *bit
    }
    fn and(&self, a: &Term, b: &Term) -> Term {
        self.make(Op::And, 64, &[*a, *b])
    }
    fn or(&self, a: &Term, b: &Term) -> Term {
        self.make(Op::Or, 64, &[*a, *b])
    }
    fn xor(&self, a: &Term, b: &Term) -> Term {
        self.make(Op::Xor, 64, &[*a, *b])
    }
    fn add(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::Add, bits, &[*a, *b])
    }
    fn sub(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::Sub, bits, &[*a, *b])
    }
    fn mul(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::Mul, bits, &[*a, *b])
    }
    fn udiv(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::UDiv, bits, &[*a, *b])
    }
    fn urem(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::URem, bits, &[*a, *b])
    }
    fn sdiv(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::SDiv, bits, &[*a, *b])
    }
    fn srem(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::SRem, bits, &[*a, *b])
    }
    fn shl(&self, bits: u8, a: &Term, by: &Term) -> Term {
        self.make(Op::Shl, bits, &[*a, *by])
    }
    fn lshr(&self, bits: u8, a: &Term, by: &Term) -> Term {
        self.make(Op::LShr, bits, &[*a, *by])
    }
    fn ashr(&self, bits: u8, a: &Term, by: &Term) -> Term {
        self.make(Op::AShr, bits, &[*a, *by])
    }
    fn sign_extend(&self, from: u8, to: u8, a: &Term) -> Term {
        self.node(Node::Operation { op: Op::SignExtend, bits: from, extra: to, operands: [*a, 0, 0] })
    }
    fn truncate(&self, to: u8, a: &Term) -> Term {
        self.make(Op::Truncate, to, &[*a])
    }
    fn eq(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::Eq, bits, &[*a, *b])
    }
    fn ult(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::ULt, bits, &[*a, *b])
    }
    fn slt(&self, bits: u8, a: &Term, b: &Term) -> Term {
        self.make(Op::SLt, bits, &[*a, *b])
    }
}
