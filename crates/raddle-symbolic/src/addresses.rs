//! Addresses of four bytes (ILP32). A register holds a pointer of 64 bits, which names its object; the number that the machine
//! gives it depends on the layout of all objects. Conversions are over-approximated where that number matters: the number of a
//! pointer is any number, always the same for the same pointer, and a number may be a pointer to some object. So proofs hold in every
//! layout, and a schedule that does not replay leaves its row open. Integers that went through a pointer come back as
//! they were, and so do pointers to objects that never end.

use raddle_machine::ObjectId;
use raddle_machine::pointer::{OFFSET_BITS, ObjectName};
use raddle_solver::Term;
use rustc_hash::FxHashMap;

use crate::executor::Executor;

/// What was converted.
#[derive(Default)]
pub struct Addresses {
    /// By pointer: its number (32 bits).
    numbers: FxHashMap<Term, Term>,
    /// By number (32 bits): the pointer.
    pointers: FxHashMap<Term, Term>,
}

impl Executor<'_> {
    /// The number of a pointer, in the lower half of 64 bits.
    pub fn number_of_pointer(&mut self, pointer: Term) -> Term {
        let known = self.addresses.numbers.get(&pointer).copied();
        let number = known.unwrap_or_else(|| {
            let names = self.names_of(pointer);
            let is_object = |name: &u64| ObjectId(*name).name() != ObjectName::None;
            let low = self.d.with(|t| t.extract(pointer, 31, 0));
            let number = match &names {
                Some(names) if !names.iter().any(is_object) => low,
                _ => {
                    (self.approximate, self.exposed) = (true, true);
                    self.d.with(|t| {
                        let prefix = t.extract(pointer, 63, 52);
                        let (zero, ones) = (t.constant(12, 0u64), t.constant(12, 0xfffu64));
                        let (small, large) = (t.eq(prefix, zero), t.eq(prefix, ones));
                        let integer = t.or(small, large);
                        let any = t.variable(32);
                        t.ite(integer, low, any)
                    })
                }
            };
            self.addresses.numbers.insert(pointer, number);
            let lasts = |name: &u64| {
                matches!(ObjectId(*name).name(), ObjectName::Global(_) | ObjectName::Function(_))
            };
            if names.is_some_and(|names| names.iter().all(lasts)) {
                self.addresses.pointers.insert(number, pointer);
            }
            number
        });
        self.d.with(|t| t.zero_extend(number, 64))
    }

    /// The pointer that a number (its lower half) is, if it is one, or the number.
    pub fn pointer_of_number(&mut self, number: Term) -> Term {
        let number = self.d.with(|t| t.extract(number, 31, 0));
        if let Some(pointer) = self.addresses.pointers.get(&number) {
            return *pointer;
        }
        let plain = self.d.with(|t| t.sign_extend(number, 64));
        let small = self.d.with(|t| {
            // Below the first page, or above the last.
            let upper = t.extract(number, 31, 12);
            let (zero, ones) = (t.constant(20, 0u64), t.constant(20, 0xf_ffffu64));
            let (low, high) = (t.eq(upper, zero), t.eq(upper, ones));
            t.or(low, high)
        });
        let pointer = match small {
            Term::TRUE => plain,
            _ => {
                self.approximate = true;
                self.d.with(|t| {
                    let (is_object, object) = (t.variable(1), t.variable(64));
                    let number = t.not(is_object);
                    let number = t.or(number, small);
                    t.ite(number, plain, object)
                })
            }
        };
        // Not known for other conversions of this number: an object may have begun or ended by then.
        self.addresses.numbers.insert(pointer, number);
        pointer
    }
}

const _: () = assert!(OFFSET_BITS == 27);
