//! Over a formula from its variables upwards: evaluation, substitution, support, size.
//!
//! Operands have smaller indices than the gate that has them, so sorting what is below a formula is all the order that is
//! needed, and nothing here recurses: formulas may be as deep as a program runs long.

use crate::gates::{Formula, Gate};
use crate::graph::{Graph, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

impl Graph {
    /// The gates below some formulas and their own, operands first.
    pub(crate) fn below(&self, roots: impl IntoIterator<Item = Formula>) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let mut stack: Vec<usize> = roots.into_iter().map(Formula::gate).collect();
        let mut below = Vec::new();
        while let Some(index) = stack.pop() {
            if seen.insert(index) {
                below.push(index);
                stack.extend(self.gate(index).operands().map(Formula::gate));
            }
        }
        below.sort_unstable();
        below
    }

    /// How many gates some formulas have together.
    pub fn size(&self, roots: impl IntoIterator<Item = Formula>) -> usize {
        self.below(roots).len()
    }

    /// How many clauses a solver is given for some formulas.
    pub fn clauses(&self, roots: impl IntoIterator<Item = Formula>) -> usize {
        let of = |index: usize| match self.gate(index) {
            Gate::True => 1,
            Gate::Variable(_) => 0,
            Gate::And(..) => 3,
            Gate::Xor(..) | Gate::If(..) => 4,
        };
        self.below(roots).into_iter().map(of).sum()
    }

    /// The variables that occur in some formulas, in their order.
    pub fn support(&self, roots: impl IntoIterator<Item = Formula>) -> Vec<VariableId> {
        let below = self.below(roots);
        let mut variables: Vec<VariableId> = below
            .into_iter()
            .filter_map(|index| match self.gate(index) {
                Gate::Variable(number) => Some(VariableId(number)),
                _ => None,
            })
            .collect();
        variables.sort_unstable();
        variables
    }

    /// The values of some formulas where variables have these.
    pub fn evaluate(&self, roots: &[Formula], variable: impl Fn(VariableId) -> bool) -> Vec<bool> {
        let mut values: FxHashMap<usize, bool> = FxHashMap::default();
        let read = |values: &FxHashMap<usize, bool>, f: Formula| values[&f.gate()] != f.is_negated();
        for index in self.below(roots.iter().copied()) {
            let value = match self.gate(index) {
                Gate::True => true,
                Gate::Variable(number) => variable(VariableId(number)),
                Gate::And(a, b) => read(&values, a) && read(&values, b),
                Gate::Xor(a, b) => read(&values, a) != read(&values, b),
                Gate::If(c, a, b) => read(&values, if read(&values, c) { a } else { b }),
            };
            values.insert(index, value);
        }
        roots.iter().map(|root| read(&values, *root)).collect()
    }

    /// Some formulas with formulas in the place of variables, all at once. Variables that are not mentioned stay.
    pub fn substitute(
        &mut self,
        roots: &[Formula],
        replaced: &FxHashMap<VariableId, Formula>,
    ) -> Vec<Formula> {
        let mut images: FxHashMap<usize, Formula> = FxHashMap::default();
        let image =
            |images: &FxHashMap<usize, Formula>, f: Formula| images[&f.gate()].negate_if(f.is_negated());
        for index in self.below(roots.iter().copied()) {
            let made = match self.gate(index) {
                Gate::True => Formula::TRUE,
                Gate::Variable(number) => {
                    let id = VariableId(number);
                    replaced.get(&id).copied().unwrap_or_else(|| self.value(id))
                }
                Gate::And(a, b) => {
                    let (a, b) = (image(&images, a), image(&images, b));
                    self.and(a, b)
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (image(&images, a), image(&images, b));
                    self.xor(a, b)
                }
                Gate::If(c, a, b) => {
                    let (c, a, b) = (image(&images, c), image(&images, a), image(&images, b));
                    self.if_then_else(c, a, b)
                }
            };
            images.insert(index, made);
        }
        roots.iter().map(|root| image(&images, *root)).collect()
    }
}
