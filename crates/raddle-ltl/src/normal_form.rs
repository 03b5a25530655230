//! Negation normal form: negation only before propositions, and no operator but `&&`, `||`, `X`, `U` and `V`.
//!
//! One pass over the table gives each node and its negation a place in the new one; what the root does not need is
//! dropped at the end. The rules are the textbook dualities (Baier & Katoen 2008, section 5.1.4), with
//! `a W b` = `b V (a || b)` and its dual `!(a W b)` = `!b U (!a && !b)`.

use crate::formula::{Formula, Node};

impl Formula {
    /// An equivalent formula with negation only before propositions and no operator but `&&`, `||`, `X`, `U`, `V`.
    pub fn negation_normal_form(&self) -> Formula {
        let mut to = self.empty_builder();
        let mut images = Vec::with_capacity(self.nodes().len());
        for &node in self.nodes() {
            let of = |id: crate::FormulaId| -> (crate::FormulaId, crate::FormulaId) { images[id.index()] };
            let image = match node {
                Node::True => (to.add(Node::True), to.add(Node::False)),
                Node::False => (to.add(Node::False), to.add(Node::True)),
                Node::Proposition(_) => {
                    let positive = to.add(node);
                    (positive, to.add(Node::Not(positive)))
                }
                Node::Not(a) => (of(a).1, of(a).0),
                Node::Next(a) => (to.add(Node::Next(of(a).0)), to.add(Node::Next(of(a).1))),
                Node::And(a, b) => (to.add(Node::And(of(a).0, of(b).0)), to.add(Node::Or(of(a).1, of(b).1))),
                Node::Or(a, b) => (to.add(Node::Or(of(a).0, of(b).0)), to.add(Node::And(of(a).1, of(b).1))),
                Node::Implies(a, b) => {
                    (to.add(Node::Or(of(a).1, of(b).0)), to.add(Node::And(of(a).0, of(b).1)))
                }
                Node::Equivalent(a, b) => {
                    let ((a, not_a), (b, not_b)) = (of(a), of(b));
                    let mut either = |x, y, v, w| {
                        let (left, right) = (to.add(Node::And(x, y)), to.add(Node::And(v, w)));
                        to.add(Node::Or(left, right))
                    };
                    (either(a, b, not_a, not_b), either(a, not_b, not_a, b))
                }
                Node::Until(a, b) => {
                    (to.add(Node::Until(of(a).0, of(b).0)), to.add(Node::Release(of(a).1, of(b).1)))
                }
                Node::Release(a, b) => {
                    (to.add(Node::Release(of(a).0, of(b).0)), to.add(Node::Until(of(a).1, of(b).1)))
                }
                Node::WeakUntil(a, b) => {
                    let ((a, not_a), (b, not_b)) = (of(a), of(b));
                    let (either, neither) = (to.add(Node::Or(a, b)), to.add(Node::And(not_a, not_b)));
                    (to.add(Node::Release(b, either)), to.add(Node::Until(not_b, neither)))
                }
            };
            images.push(image);
        }
        to.finish(images[self.root().index()].0)
    }
}
