//! Terms as text of SMT-LIB 2.
//!
//! Every node that is no leaf becomes a definition without parameters, operands first, so that the text is linear in the size
//! and no reader has to nest. Booleans stay bit vectors of one bit. Whether a product overflows is written as a product of
//! twice the width, which is not how it is blasted.

use super::{Node, Op, Term, Terms};
use std::fmt::Write as _;

impl Terms {
    /// A script that asserts some terms of one bit and asks whether they can hold together.
    pub fn smt_lib(&self, assertions: &[Term]) -> String {
        let mut text = String::from("(set-logic QF_ABV)\n");
        for index in self.below(assertions.iter().copied(), |_| false) {
            let term = Term::of_node(index);
            let node = self.node(term);
            // Writing to a string does not fail.
            let _ = match node.op {
                Op::Constant | Op::WideConstant => Ok(()),
                Op::Variable => {
                    writeln!(text, "(declare-const {} {})", self.reference(term), self.sort(term))
                }
                _ => {
                    let definition = self.definition(term, &node);
                    writeln!(text, "(define-fun t{index} () {} {definition})", self.sort(term))
                }
            };
        }
        for assertion in assertions {
            let _ = writeln!(text, "(assert (= {} #b1))", self.reference(*assertion));
        }
        text + "(check-sat)\n"
    }

    fn sort(&self, term: Term) -> String {
        match self.array_widths(term) {
            Some((index, element)) => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
            None => format!("(_ BitVec {})", self.width(term)),
        }
    }

    fn reference(&self, term: Term) -> String {
        if let Some(value) = self.as_constant(term) {
            let width = self.width(term);
            return (0..width).rev().fold(String::from("#b"), |mut text, bit| {
                text.push(if value.bit(bit) { '1' } else { '0' });
                text
            });
        }
        if term.is_inverted() {
            return format!("(bvnot {})", self.reference(term.positive()));
        }
        let node = self.node(term);
        if node.op != Op::Variable {
            return format!("t{}", term.node());
        }
        match &self.labels[node.a as usize] {
            // The number keeps equal labels apart.
            Some(label) => {
                let label: String = label.chars().filter(|c| !matches!(c, '|' | '\\')).collect();
                format!("|{label}!{}|", node.a)
            }
            None => format!("v{}", node.a),
        }
    }

    fn definition(&self, term: Term, node: &Node) -> String {
        let first = || self.reference(node.first());
        let second = || self.reference(node.second());
        let binary = |name: &str| format!("({name} {} {})", first(), second());
        let predicate = |name: &str| format!("(ite ({name} {} {}) #b1 #b0)", first(), second());
        let width = u32::from(node.sort);
        match node.op {
            Op::Constant | Op::WideConstant | Op::Variable => self.reference(term),
            Op::And => binary("bvand"),
            Op::Xor => binary("bvxor"),
            Op::Neg => format!("(bvneg {})", first()),
            Op::Add => binary("bvadd"),
            Op::Mul => binary("bvmul"),
            Op::Udiv => binary("bvudiv"),
            Op::Urem => binary("bvurem"),
            Op::Shl => binary("bvshl"),
            Op::Lshr => binary("bvlshr"),
            Op::Ashr => binary("bvashr"),
            Op::Eq => predicate("="),
            Op::Ult => predicate("bvult"),
            Op::Slt => predicate("bvslt"),
            Op::UmulOverflow | Op::SmulOverflow => {
                let from = self.width(node.first());
                let name = if node.op == Op::UmulOverflow { "zero_extend" } else { "sign_extend" };
                let extend = |operand: String| format!("((_ {name} {from}) {operand})");
                let product = format!("(bvmul {} {})", extend(first()), extend(second()));
                let low = extend(format!("((_ extract {} 0) {product})", from - 1));
                format!("(ite (= {low} {product}) #b0 #b1)")
            }
            Op::Ite => {
                format!("(ite (= {} #b1) {} {})", first(), second(), self.reference(node.third()))
            }
            Op::Concat => binary("concat"),
            Op::Extract => format!("((_ extract {} {}) {})", node.b + width - 1, node.b, first()),
            Op::SignExtend => {
                format!("((_ sign_extend {}) {})", width - self.width(node.first()), first())
            }
            Op::ConstantArray => format!("((as const {}) {})", self.sort(term), first()),
            Op::Store => format!("(store {} {} {})", first(), second(), self.reference(node.third())),
            Op::Select => binary("select"),
        }
    }
}
