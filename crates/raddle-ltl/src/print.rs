//! Formulas as text that [`parse`](crate::parse()) reads back.
//!
//! More parentheses are written than the grammar needs: only chains of `&&` or of `||` and unary operators go without,
//! because few readers know by heart that `->` leans to the left.
//!
//! What is written is a tree, what is stored is a graph: the normal form of deeply nested `<->` has few nodes and an
//! exponentially long text.

use crate::formula::{Formula, FormulaId, Node};
use std::fmt;

enum Piece {
    Text(&'static str),
    Whole(FormulaId),
    /// In parentheses if its operator has two operands; the operator given goes without.
    Operand(FormulaId, Option<&'static str>),
}

/// The spelling of an operator with two operands.
fn binary(formula: &Formula, node: Node) -> Option<(FormulaId, &'static str, FormulaId)> {
    Some(match node {
        Node::And(a, b) => (a, " && ", b),
        Node::Or(a, b) => (a, " || ", b),
        Node::Implies(a, b) => (a, " -> ", b),
        Node::Equivalent(a, b) => (a, " <-> ", b),
        Node::Until(a, b) if formula.node(a) != Node::True => (a, " U ", b),
        Node::Release(a, b) if formula.node(a) != Node::False => (a, " V ", b),
        Node::WeakUntil(a, b) => (a, " W ", b),
        _ => return None,
    })
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut waiting = vec![Piece::Whole(self.root())];
        while let Some(piece) = waiting.pop() {
            let id = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Operand(id, bare) => {
                    if binary(self, self.node(id)).is_some_and(|(_, operator, _)| Some(operator) != bare) {
                        waiting.extend([Piece::Text(")"), Piece::Whole(id)]);
                        f.write_str("(")?;
                        continue;
                    }
                    id
                }
                Piece::Whole(id) => id,
            };
            if let Some((left, operator, right)) = binary(self, self.node(id)) {
                let chain = matches!(self.node(id), Node::And(..) | Node::Or(..)).then_some(operator);
                waiting.extend([
                    Piece::Operand(right, None),
                    Piece::Text(operator),
                    Piece::Operand(left, chain),
                ]);
                continue;
            }
            match self.node(id) {
                Node::True => f.write_str("true")?,
                Node::False => f.write_str("false")?,
                Node::Proposition(number) => f.write_str(&self.propositions()[number as usize])?,
                Node::Not(a) => waiting.extend([Piece::Operand(a, None), Piece::Text("!")]),
                Node::Next(a) => waiting.extend([Piece::Operand(a, None), Piece::Text("X ")]),
                Node::Until(_, a) => waiting.extend([Piece::Operand(a, None), Piece::Text("<> ")]),
                Node::Release(_, a) => waiting.extend([Piece::Operand(a, None), Piece::Text("[] ")]),
                _ => unreachable!("operators with two operands were handled above"),
            }
        }
        Ok(())
    }
}
