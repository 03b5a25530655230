//! What makes two violations the same one: the property and the user's places, not the values or the way there.

use raddle_trace::Property;

use crate::monitors::drive::ViolationKind;
use crate::semantics::fault::{CodePoint, FaultKind};
use crate::semantics::machine::Machine;

#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Signature {
    Fault {
        property: Property,
        at: CodePoint,
    },
    /// Two accesses, in either order.
    Race {
        first: CodePoint,
        second: CodePoint,
    },
    /// The places of the threads in it.
    Deadlock {
        global: bool,
        at: Vec<CodePoint>,
    },
    /// An invariant, as the user wrote it; of those that the program registered, which.
    Invariant {
        text: String,
        refuted_by: Option<raddle_ir::FunctionId>,
    },
}

impl Signature {
    pub fn of(machine: &Machine, kind: &ViolationKind) -> Signature {
        match kind {
            ViolationKind::Fault(fault) => {
                Signature::Fault { property: property_of(&fault.kind), at: fault.user }
            }
            ViolationKind::Race(race) => {
                let key = |c: &CodePoint| (c.function, c.pc);
                let (a, b) = (race.first.user, race.second.user);
                if key(&a) <= key(&b) {
                    Signature::Race { first: a, second: b }
                } else {
                    Signature::Race { first: b, second: a }
                }
            }
            ViolationKind::Deadlock(deadlock) => {
                Signature::Deadlock { global: deadlock.global, at: deadlock.at.clone() }
            }
            ViolationKind::Invariant(broken) => {
                let invariant = machine.settings.invariants.get(broken.index);
                let text = invariant.map_or(String::new(), |e| e.text.clone());
                Signature::Invariant { text, refuted_by: broken.refuted_by }
            }
        }
    }

    pub fn property(&self) -> Property {
        match self {
            Signature::Fault { property, .. } => property.clone(),
            Signature::Race { .. } => Property::Race,
            Signature::Deadlock { .. } => Property::Deadlock,
            Signature::Invariant { text, .. } => Property::Invariant(text.clone()),
        }
    }
}

/// The property that a fault breaks.
pub fn property_of(kind: &FaultKind) -> Property {
    match kind {
        FaultKind::Assertion => Property::Assert,
        FaultKind::Memory(_) => Property::Memsafety,
        FaultKind::Arithmetic(_) => Property::Overflow,
        FaultKind::Locks => Property::Locks,
        FaultKind::Leak => Property::Leak,
    }
}
