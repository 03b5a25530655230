//! What a formula is made of: references that carry a negation, and gates in a form that few others share.

use std::fmt;

/// A formula of some [`Graph`](crate::Graph): a gate or the negation of one. Equal ones are equal formulas, but equivalent
/// ones may differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula(u32);

impl Formula {
    pub const TRUE: Formula = Formula(0);
    pub const FALSE: Formula = Formula(1);

    pub(crate) fn of_gate(index: usize) -> Formula {
        let index = u32::try_from(index).expect("fewer gates than 2^31");
        assert!(index < 1 << 31, "a graph has fewer than 2^31 gates");
        Formula(index << 1)
    }

    pub(crate) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Without its negation.
    pub(crate) fn positive(self) -> Formula {
        Formula(self.0 & !1)
    }

    /// Negated where `negate` says so.
    #[must_use]
    pub fn negate_if(self, negate: bool) -> Formula {
        Formula(self.0 ^ u32::from(negate))
    }

    pub fn constant(value: bool) -> Formula {
        Formula::TRUE.negate_if(!value)
    }

    /// Its value, if it is a constant. Formulas that are constant without looking like it have none.
    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(!self.is_negated())
    }
}

impl std::ops::Not for Formula {
    type Output = Formula;

    fn not(self) -> Formula {
        self.negate_if(true)
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}f{}", if self.is_negated() { "!" } else { "" }, self.gate())
    }
}

/// A gate. Operands come from smaller indices. They are ordered, and no operand of `Xor`, no condition and no `then` of
/// `If` is negated: the negation is outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    True,
    Variable(u32),
    And(Formula, Formula),
    Xor(Formula, Formula),
    /// Condition, then, otherwise.
    If(Formula, Formula, Formula),
}

impl Gate {
    pub(crate) fn operands(self) -> impl Iterator<Item = Formula> {
        let (first, second, third) = match self {
            Gate::True | Gate::Variable(_) => (None, None, None),
            Gate::And(a, b) | Gate::Xor(a, b) => (Some(a), Some(b), None),
            Gate::If(c, a, b) => (Some(c), Some(a), Some(b)),
        };
        first.into_iter().chain(second).chain(third)
    }
}
