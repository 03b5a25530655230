//! Expressions over variables and choices, with no sugar.

/// A variable of the program, as one procedure sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// Shared by all threads and procedures.
    Global(u32),
    /// Of the procedure; parameters first.
    Local(u32),
}

/// A Boolean expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    Constant(bool),
    /// The value before the step.
    Now(Variable),
    /// The value after the step; only in a constraint.
    Next(Variable),
    /// `*`, either value, chosen anew whenever the step is taken; no number occurs twice in a node.
    Choice(u32),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Equal(Box<Formula>, Box<Formula>),
    /// `condition ? then : otherwise`.
    If(Box<[Formula; 3]>),
}

impl Formula {
    #[expect(clippy::should_implement_trait)]
    pub fn not(operand: Formula) -> Formula {
        Formula::Not(Box::new(operand))
    }

    pub fn and(left: Formula, right: Formula) -> Formula {
        Formula::And(Box::new(left), Box::new(right))
    }

    pub fn or(left: Formula, right: Formula) -> Formula {
        Formula::Or(Box::new(left), Box::new(right))
    }

    pub fn equal(left: Formula, right: Formula) -> Formula {
        Formula::Equal(Box::new(left), Box::new(right))
    }

    /// The value where `leaf` gives that of [`Formula::Now`], [`Formula::Next`] and [`Formula::Choice`].
    pub fn evaluate(&self, leaf: &impl Fn(&Formula) -> bool) -> bool {
        match self {
            Formula::Constant(value) => *value,
            Formula::Now(_) | Formula::Next(_) | Formula::Choice(_) => leaf(self),
            Formula::Not(a) => !a.evaluate(leaf),
            Formula::And(a, b) => a.evaluate(leaf) & b.evaluate(leaf),
            Formula::Or(a, b) => a.evaluate(leaf) | b.evaluate(leaf),
            Formula::Equal(a, b) => a.evaluate(leaf) == b.evaluate(leaf),
            Formula::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                if condition.evaluate(leaf) { then.evaluate(leaf) } else { otherwise.evaluate(leaf) }
            }
        }
    }

    /// Calls `visit` with every [`Formula::Now`], [`Formula::Next`] and [`Formula::Choice`], from left to right.
    pub fn for_each_leaf(&self, visit: &mut impl FnMut(&Formula)) {
        match self {
            Formula::Constant(_) => {}
            Formula::Now(_) | Formula::Next(_) | Formula::Choice(_) => visit(self),
            Formula::Not(a) => a.for_each_leaf(visit),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Equal(a, b) => {
                a.for_each_leaf(visit);
                b.for_each_leaf(visit);
            }
            Formula::If(parts) => parts.iter().for_each(|part| part.for_each_leaf(visit)),
        }
    }
}
