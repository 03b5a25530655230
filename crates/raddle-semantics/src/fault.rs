//! What arithmetic can do wrong, and when.

use crate::domain::Domain;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ArithmeticFault {
    SignedOverflow,
    DivisionByZero,
    ShiftRange,
    /// A floating-point value that the integer type cannot represent; the result is what x86 gives.
    ConversionRange,
}

/// The conditions of the two faults that one instruction can have; at most one of them holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Faults<B> {
    /// An operand is outside the range that the operation has; `kind` says which fault that is.
    pub range: B,
    pub kind: ArithmeticFault,
    pub overflow: B,
}

/// A result and its faults; where one holds, the result is what a processor gives.
#[derive(Clone, Debug)]
pub struct Checked<D: Domain> {
    pub value: D::Value,
    pub faults: Faults<D::Bit>,
}

impl<B> Faults<B> {
    #[inline(always)]
    pub fn none<D: Domain<Bit = B>>(d: &D) -> Self {
        Faults::overflow(d, d.bit(false))
    }
    #[inline(always)]
    pub fn overflow<D: Domain<Bit = B>>(d: &D, overflow: B) -> Self {
        Faults { range: d.bit(false), kind: ArithmeticFault::ShiftRange, overflow }
    }
    #[inline(always)]
    pub fn range<D: Domain<Bit = B>>(d: &D, kind: ArithmeticFault, range: B) -> Self {
        Faults { range, kind, overflow: d.bit(false) }
    }
    /// The same faults, where a condition holds.
    pub fn when<D: Domain<Bit = B>>(self, d: &D, condition: &B) -> Self {
        Faults {
            range: d.conjunction(&self.range, condition),
            overflow: d.conjunction(&self.overflow, condition),
            ..self
        }
    }
    /// Each fault with its condition.
    pub fn conditions(&self) -> [(ArithmeticFault, &B); 2] {
        [(self.kind, &self.range), (ArithmeticFault::SignedOverflow, &self.overflow)]
    }
}

impl Faults<bool> {
    /// The fault that holds.
    #[inline(always)]
    pub fn found(&self) -> Option<ArithmeticFault> {
        if self.overflow {
            Some(ArithmeticFault::SignedOverflow)
        } else if self.range {
            Some(self.kind)
        } else {
            None
        }
    }
}
