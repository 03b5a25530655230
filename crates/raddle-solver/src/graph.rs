//! Formulas as a graph of gates, in which what is written alike is there once.
//!
//! Constants are folded, and a few laws of one and two levels are applied where a gate is made. It only grows, until
//! it is rewound to how it was.

use crate::gates::{Formula, Gate};
use rustc_hash::FxHashMap;

/// A variable of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub(crate) u32);

/// A moment in the life of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    gates: usize,
    variables: usize,
}

/// Where formulas live. All that are combined must come from the same one.
pub struct Graph {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
    /// By variable, its gate.
    variables: Vec<Formula>,
}

impl Default for Graph {
    fn default() -> Graph {
        Graph { gates: vec![Gate::True], known: FxHashMap::default(), variables: Vec::new() }
    }
}

impl Graph {
    pub fn new() -> Graph {
        Graph::default()
    }

    /// How many gates there are, used or not.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    pub(crate) fn gate(&self, index: usize) -> Gate {
        self.gates[index]
    }

    /// Where it ends now, for [`Graph::rewind`].
    pub fn mark(&self) -> Mark {
        Mark { gates: self.gates.len(), variables: self.variables.len() }
    }

    /// Drops all formulas and variables that were made since the mark: those of a query that has been answered.
    /// Solvers that contain any of them must not be used any more.
    pub fn rewind(&mut self, mark: Mark) {
        for gate in self.gates.drain(mark.gates..) {
            self.known.remove(&gate);
        }
        self.variables.truncate(mark.variables);
    }

    /// A new variable.
    pub fn variable(&mut self) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        self.gates.push(Gate::Variable(id.0));
        self.variables.push(Formula::of_gate(self.gates.len() - 1));
        id
    }

    /// A formula that is a new variable.
    pub fn fresh(&mut self) -> Formula {
        let id = self.variable();
        self.value(id)
    }

    /// The formula that is the variable's value.
    pub fn value(&self, variable: VariableId) -> Formula {
        self.variables[variable.0 as usize]
    }

    /// The variable, and whether it is negated, if the formula is just that.
    pub fn as_literal(&self, formula: Formula) -> Option<(VariableId, bool)> {
        match self.gates[formula.gate()] {
            Gate::Variable(number) => Some((VariableId(number), formula.is_negated())),
            _ => None,
        }
    }

    fn make(&mut self, gate: Gate) -> Formula {
        let gates = &mut self.gates;
        let index = *self.known.entry(gate).or_insert_with(|| {
            gates.push(gate);
            (gates.len() - 1) as u32
        });
        Formula::of_gate(index as usize)
    }

    pub fn and(&mut self, a: Formula, b: Formula) -> Formula {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b || a == Formula::TRUE {
            return b;
        }
        if a == Formula::FALSE || a == !b {
            return Formula::FALSE;
        }
        for (one, other) in [(a, b), (b, a)] {
            let Gate::And(left, right) = self.gates[other.gate()] else { continue };
            match (other.is_negated(), one == left || one == right, one == !left || one == !right) {
                // a & (a & b), a & (!a & b)
                (false, true, _) => return other,
                (false, _, true) => return Formula::FALSE,
                // a & !(!a & b)
                (true, _, true) => return one,
                // a & !(a & b)
                (true, true, _) => {
                    let rest = if one == left { right } else { left };
                    return self.and(one, !rest);
                }
                _ => {}
            }
        }
        self.make(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Formula, b: Formula) -> Formula {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Formula, b: Formula) -> Formula {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.positive().min(b.positive()), a.positive().max(b.positive()));
        let positive = if a == b {
            Formula::FALSE
        } else if a == Formula::TRUE {
            !b
        } else {
            self.make(Gate::Xor(a, b))
        };
        positive.negate_if(negated)
    }

    pub fn equal(&mut self, a: Formula, b: Formula) -> Formula {
        !self.xor(a, b)
    }

    /// `condition ? then : otherwise`.
    pub fn if_then_else(&mut self, condition: Formula, then: Formula, otherwise: Formula) -> Formula {
        let (condition, then, otherwise) =
            if condition.is_negated() { (!condition, otherwise, then) } else { (condition, then, otherwise) };
        if condition == Formula::TRUE || then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.equal(condition, then);
        }
        if then == Formula::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Formula::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Formula::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        if otherwise == Formula::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        let negated = then.is_negated();
        self.make(Gate::If(condition, then.negate_if(negated), otherwise.negate_if(negated)))
            .negate_if(negated)
    }

    pub fn all(&mut self, formulas: impl IntoIterator<Item = Formula>) -> Formula {
        formulas.into_iter().fold(Formula::TRUE, |a, b| self.and(a, b))
    }

    pub fn any(&mut self, formulas: impl IntoIterator<Item = Formula>) -> Formula {
        !self.all(formulas.into_iter().map(|formula| !formula))
    }

    /// Whether each formula equals its partner.
    pub fn all_equal(&mut self, pairs: impl IntoIterator<Item = (Formula, Formula)>) -> Formula {
        pairs.into_iter().fold(Formula::TRUE, |all, (a, b)| {
            let same = self.equal(a, b);
            self.and(all, same)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_since_a_mark_can_be_forgotten() {
        let mut graph = Graph::new();
        let (a, b) = (graph.fresh(), graph.fresh());
        let mark = graph.mark();
        let c = graph.fresh();
        let first = graph.and(a, c);
        graph.rewind(mark);
        assert_eq!(graph.len(), 3);
        let d = graph.fresh();
        assert_eq!(d, c);
        let either = graph.or(a, b);
        let both = graph.and(a, d);
        assert!(both != first && both != either && graph.or(b, a) == either);
    }

    #[test]
    fn laws_are_applied_where_gates_are_made() {
        let mut graph = Graph::new();
        let (a, b) = (graph.fresh(), graph.fresh());
        let both = graph.and(a, b);
        assert_eq!(graph.and(b, a), both);
        assert_eq!(graph.and(a, both), both);
        assert_eq!(graph.and(!a, both), Formula::FALSE);
        assert_eq!(graph.and(!a, !both), !a);
        let rest = graph.and(a, !both);
        assert_eq!(rest, graph.and(a, !b));
        assert_eq!(graph.xor(a, !a), Formula::TRUE);
        let differ = graph.xor(a, b);
        assert_eq!(graph.xor(!a, b), !differ);
        assert_eq!(graph.if_then_else(a, b, !b), !differ);
        assert_eq!(graph.if_then_else(a, b, Formula::FALSE), both);
        assert_eq!(graph.if_then_else(!a, Formula::FALSE, b), both);
    }
}
