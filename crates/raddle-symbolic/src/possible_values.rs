//! The values that a term can have, where they are few. A read of contended memory is one of the values that any thread has
//! stored there in any round (`access.rs`); the rest follows by cases, slices and arithmetic. The set may have more values than
//! the term takes; an access compares a pointer with each.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_solver::{Term, View};
use rustc_hash::FxHashMap;

use crate::domain::TermDomain;

pub type Values = Rc<BTreeSet<u64>>;

/// More values than this are not told apart.
pub const MOST_VALUES: usize = 512;

#[derive(Default)]
pub struct PossibleValues {
    variables: FxHashMap<Term, Values>,
    known: FxHashMap<Term, Option<Values>>,
}

impl PossibleValues {
    /// A variable that has one of these values wherever it is used.
    pub fn declare(&mut self, variable: Term, values: Values) {
        self.variables.insert(variable, values);
    }

    /// The values that a term of at most 64 bits can have; `None`: too many, or not known.
    pub fn of(&mut self, d: &TermDomain, term: Term) -> Option<Values> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let width = d.with(|t| t.width(term));
        if width > 64 {
            return None;
        }
        let mask = u64::MAX >> (64 - width);
        let found: Option<BTreeSet<u64>> = match d.with(|t| t.view(term)) {
            View::Constant(bits) => bits.as_u64().map(|value| BTreeSet::from([value])),
            View::Variable => self.variables.get(&term).map(|values| (**values).clone()),
            View::Ite(_, a, b) => {
                let (a, b) = (self.of(d, a), self.of(d, b));
                a.zip(b).map(|(a, b)| a.union(&b).copied().collect())
            }
            View::Not(inner) => self.of(d, inner).map(|all| all.iter().map(|v| !v & mask).collect()),
            View::SignExtend(inner) => {
                let narrow = d.with(|t| t.width(inner));
                let extend = |v: &u64| ((*v << (64 - narrow)) as i64 >> (64 - narrow)) as u64 & mask;
                self.of(d, inner).map(|all| all.iter().map(extend).collect())
            }
            View::Extract(inner, low) => {
                self.of(d, inner).map(|all| all.iter().map(|v| v >> low & mask).collect())
            }
            View::Concat(high, low) => {
                let shift = d.with(|t| t.width(low));
                self.pairs(d, high, low, |h, l| h << shift | l)
            }
            View::Add(a, b) => self.pairs(d, a, b, |a, b| a.wrapping_add(b) & mask),
            View::Mul(a, b) => self.pairs(d, a, b, |a, b| a.wrapping_mul(b) & mask),
            View::And(a, b) if width > 1 => self.pairs(d, a, b, |a, b| a & b),
            View::Xor(a, b) if width > 1 => self.pairs(d, a, b, |a, b| a ^ b),
            View::Neg(inner) => {
                self.of(d, inner).map(|all| all.iter().map(|v| v.wrapping_neg() & mask).collect())
            }
            // By zero: as in SMT-LIB.
            View::UDiv(a, b) => self.pairs(d, a, b, |a, b| a.checked_div(b).unwrap_or(mask)),
            View::URem(a, b) => self.pairs(d, a, b, |a, b| a.checked_rem(b).unwrap_or(a)),
            _ => None,
        };
        let found = found.or_else(|| (width == 1).then(|| BTreeSet::from([0, 1])));
        let found = found.filter(|all| all.len() <= MOST_VALUES).map(Rc::new);
        self.known.insert(term, found.clone());
        found
    }

    fn pairs(
        &mut self,
        d: &TermDomain,
        a: Term,
        b: Term,
        f: impl Fn(u64, u64) -> u64,
    ) -> Option<BTreeSet<u64>> {
        let (a, b) = (self.of(d, a)?, self.of(d, b)?);
        let f = &f;
        (a.len() * b.len() <= 16 * MOST_VALUES)
            .then(|| a.iter().flat_map(|a| b.iter().map(move |b| f(*a, *b))).collect())
    }
}
