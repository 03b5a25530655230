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

/// A result and its faults; where one holds, the result is what a processor gives.
#[derive(Clone, Debug)]
pub struct Checked<D: Domain> {
    pub value: D::Value,
    pub faults: D::Faults,
}

/// The conditions of the faults that one instruction can have; at most one holds. A trait, because the concrete domain
/// has nothing to keep but the fault itself.
pub trait FaultConditions<B>: Clone {
    /// An operand is outside the range that the operation has, which is a fault of this kind; or a signed overflow.
    fn new(kind: ArithmeticFault, range: B, overflow: B) -> Self;
    /// The same faults, where a condition holds.
    fn when<D: Domain<Bit = B>>(self, d: &D, condition: &B) -> Self;
}

impl FaultConditions<bool> for Option<ArithmeticFault> {
    #[inline(always)]
    fn new(kind: ArithmeticFault, range: bool, overflow: bool) -> Self {
        if overflow {
            Some(ArithmeticFault::SignedOverflow)
        } else if range {
            Some(kind)
        } else {
            None
        }
    }
    fn when<D: Domain<Bit = bool>>(self, _: &D, condition: &bool) -> Self {
        self.filter(|_| *condition)
    }
}

/// The faults of a domain that needs nothing more.
#[derive(Clone, Debug, PartialEq)]
pub struct Faults<B> {
    pub kind: ArithmeticFault,
    pub range: B,
    pub overflow: B,
}

impl<B: Clone> FaultConditions<B> for Faults<B> {
    fn new(kind: ArithmeticFault, range: B, overflow: B) -> Self {
        Faults { kind, range, overflow }
    }
    fn when<D: Domain<Bit = B>>(self, d: &D, condition: &B) -> Self {
        let (range, overflow) =
            (d.conjunction(&self.range, condition), d.conjunction(&self.overflow, condition));
        Faults { range, overflow, ..self }
    }
}

#[inline(always)]
pub(crate) fn none<D: Domain>(d: &D) -> D::Faults {
    overflow(d, d.bit(false))
}
#[inline(always)]
pub(crate) fn overflow<D: Domain>(d: &D, overflow: D::Bit) -> D::Faults {
    D::Faults::new(ArithmeticFault::ShiftRange, d.bit(false), overflow)
}
#[inline(always)]
pub(crate) fn range<D: Domain>(d: &D, kind: ArithmeticFault, range: D::Bit) -> D::Faults {
    D::Faults::new(kind, range, d.bit(false))
}
