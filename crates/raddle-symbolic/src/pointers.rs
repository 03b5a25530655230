//! What a pointer can point to. A pointer is a number that names its object in the upper bits (see
//! `raddle_machine::pointer`), and terms keep the two parts apart: the candidates are the leaves of the term of the upper
//! part. Pointers that were read from contended memory are variables; their candidates are what was stored there, by any
//! thread in any round.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_machine::pointer::{BIAS, OFFSET_BITS};
use raddle_solver::{Term, View};
use rustc_hash::FxHashMap;

use crate::domain::TermDomain;

/// Names of objects: the upper 37 bits.
pub type Names = Rc<BTreeSet<u64>>;

/// Candidates of variables, and of the terms that were asked for.
#[derive(Default)]
pub struct Candidates {
    /// With whether they may have other values too.
    variables: FxHashMap<Term, (Names, bool)>,
    known: FxHashMap<Term, Option<Names>>,
    mentioned: FxHashMap<Term, Option<Names>>,
}

impl Candidates {
    /// A variable of 64 bits that was read from memory where these names are stored, and maybe others.
    pub fn read(&mut self, variable: Term, names: Names, others: bool) {
        self.variables.insert(variable, (names, others));
    }

    /// The names that a value of 64 bits can have in its upper part; `None`: not known.
    pub fn names(&mut self, d: &TermDomain, value: Term) -> Option<Names> {
        let upper = d.with(|t| t.extract(value, 63, OFFSET_BITS));
        self.of_upper(d, upper)
    }

    /// The names in a value of 64 bits, some of whose cases may be of unknown provenance; `None`: too many.
    pub fn mentioned(&mut self, d: &TermDomain, value: Term) -> Option<Names> {
        let upper = d.with(|t| t.extract(value, 63, OFFSET_BITS));
        self.cases(d, upper)
    }

    /// The constants among the cases of a term.
    fn cases(&mut self, d: &TermDomain, term: Term) -> Option<Names> {
        if let Some(known) = self.mentioned.get(&term) {
            return known.clone();
        }
        let width = d.with(|t| t.width(term));
        let mask = u64::MAX >> (64 - width.clamp(1, 64));
        let none = || Some(Names::default());
        let map = |all: Option<Names>, f: &dyn Fn(u64) -> u64| {
            all.map(|all| Rc::new(all.iter().map(|value| f(*value) & mask).collect()))
        };
        let found: Option<Names> = match d.with(|t| t.view(term)) {
            _ if width > 64 => none(),
            View::Constant(bits) => Some(Rc::new(bits.as_u64().into_iter().collect())),
            View::Ite(_, a, b) => {
                let (a, b) = (self.cases(d, a), self.cases(d, b));
                a.zip(b).map(|(a, b)| Rc::new(a.union(&b).copied().collect()))
            }
            View::Not(inner) => map(self.cases(d, inner), &|value| !value),
            View::SignExtend(inner) => {
                let narrow = 64 - d.with(|t| t.width(inner));
                map(self.cases(d, inner), &|value| ((value << narrow) as i64 >> narrow) as u64)
            }
            View::Concat(high, low) => {
                let shift = d.with(|t| t.width(low));
                let parts = self.cases(d, high).zip(self.cases(d, low));
                parts.filter(|(high, low)| high.len() * low.len() <= MOST_NAMES).map(|(high, low)| {
                    Rc::new(high.iter().flat_map(|h| low.iter().map(move |l| h << shift | l)).collect())
                })
            }
            View::Extract(inner, low) => match d.with(|t| (t.view(inner), t.width(inner))) {
                (View::Variable, 64) if low >= OFFSET_BITS => match self.variables.get(&inner).cloned() {
                    Some((names, _)) => map(Some(names), &|name| name >> (low - OFFSET_BITS)),
                    None => none(),
                },
                (View::Ite(_, a, b), _) => {
                    let (a, b) =
                        d.with(|t| (t.extract(a, low + width - 1, low), t.extract(b, low + width - 1, low)));
                    let (a, b) = (self.cases(d, a), self.cases(d, b));
                    a.zip(b).map(|(a, b)| Rc::new(a.union(&b).copied().collect()))
                }
                (_, 65..) => none(),
                _ => map(self.cases(d, inner), &|value| value >> low),
            },
            _ => none(),
        };
        let found = found.filter(|all| all.len() <= MOST_NAMES);
        self.mentioned.insert(term, found.clone());
        found
    }

    /// The values that a term of at most 37 bits can have, or more; `None`: too many.
    pub fn values(&mut self, d: &TermDomain, term: Term) -> Option<Names> {
        self.of_upper(d, term)
    }

    fn of_upper(&mut self, d: &TermDomain, term: Term) -> Option<Names> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let width = d.with(|t| t.width(term));
        let mask = u64::MAX >> (64 - width);
        let found: Option<BTreeSet<u64>> = match d.with(|t| t.view(term)) {
            View::Constant(bits) => bits.as_u64().map(|name| BTreeSet::from([name])),
            View::Ite(_, a, b) => {
                let (a, b) = (self.of_upper(d, a), self.of_upper(d, b));
                a.zip(b).map(|(a, b)| a.union(&b).copied().collect())
            }
            View::Not(inner) => self.of_upper(d, inner).map(|all| all.iter().map(|v| !v & mask).collect()),
            View::SignExtend(inner) => {
                let narrow = d.with(|t| t.width(inner));
                let extend = |v: &u64| ((*v << (64 - narrow)) as i64 >> (64 - narrow)) as u64 & mask;
                self.of_upper(d, inner).map(|all| all.iter().map(extend).collect())
            }
            // The simplifier divides constants where they have bits in common.
            View::Concat(high, low) => {
                let shift = d.with(|t| t.width(low));
                let parts = self.of_upper(d, high).zip(self.of_upper(d, low));
                parts.filter(|(high, low)| high.len() * low.len() <= MOST_NAMES).map(|(high, low)| {
                    high.iter().flat_map(|h| low.iter().map(move |l| h << shift | l)).collect()
                })
            }
            View::Extract(inner, low) => self.of_extract(d, inner, low, mask),
            _ => None,
        };
        let found = found.filter(|all| all.len() <= MOST_NAMES);
        let found = found.or_else(|| (width <= 6).then(|| (0..1 << width).collect())).map(Rc::new);
        self.known.insert(term, found.clone());
        found
    }

    fn of_extract(&mut self, d: &TermDomain, inner: Term, low: u32, mask: u64) -> Option<BTreeSet<u64>> {
        match d.with(|t| (t.view(inner), t.width(inner))) {
            (View::Variable, 64) if low >= OFFSET_BITS => {
                let (names, _) = self.variables.get(&inner).filter(|(_, others)| !others)?;
                Some(names.iter().map(|name| name >> (low - OFFSET_BITS) & mask).collect())
            }
            (View::Variable, _) => None,
            (View::Ite(_, a, b), _) => {
                let width = mask.count_ones();
                let mut part = |term: Term| {
                    let part = d.with(|t| t.extract(term, low + width - 1, low));
                    self.of_upper(d, part)
                };
                let (a, b) = (part(a), part(b));
                a.zip(b).map(|(a, b)| a.union(&b).copied().collect())
            }
            (_, 65..) => None,
            _ => self.of_upper(d, inner).map(|all| all.iter().map(|value| value >> low & mask).collect()),
        }
    }
}

/// More candidates than this are not told apart.
const MOST_NAMES: usize = 1 << 12;

/// Pointer arithmetic as the machine does it: a pointer that strays too far stays at the lowest offset of its object, and
/// numbers that are no pointers are numbers.
pub fn moved(d: &TermDomain, pointer: Term, delta: Term) -> Term {
    d.with(|t| {
        let there = t.add(pointer, delta);
        if t.as_constant(delta).is_some_and(|bits| bits.is_zero()) {
            return pointer;
        }
        let (upper, upper_there) = (t.extract(pointer, 63, OFFSET_BITS), t.extract(there, 63, OFFSET_BITS));
        let same = t.eq(upper, upper_there);
        // |delta| < 2^27: its upper bits are all equal to the sign.
        let high = t.extract(delta, 63, OFFSET_BITS);
        let zero = t.constant(64 - OFFSET_BITS, 0u64);
        let ones = t.not(zero);
        let (positive, negative) = (t.eq(high, zero), t.eq(high, ones));
        // The most negative number of 27 bits and a sign is -2^27, whose magnitude is too large.
        let low = t.extract(delta, OFFSET_BITS - 1, 0);
        let none = t.constant(OFFSET_BITS, 0u64);
        let least = t.eq(low, none);
        let not_least = t.not(least);
        let negative = t.and(negative, not_least);
        let short = t.or(positive, negative);
        let inside = t.and(same, short);
        let prefix = t.extract(pointer, 63, 52);
        let (zero, ones) = (t.constant(12, 0u64), t.constant(12, 0xfffu64));
        let (small, large) = (t.eq(prefix, zero), t.eq(prefix, ones));
        let integer = t.or(small, large);
        if integer == Term::TRUE {
            return there;
        }
        // With the parts apart, the name stays the pointer's own.
        let low_there = t.extract(there, OFFSET_BITS - 1, 0);
        let low_or_none = t.ite(inside, low_there, none);
        let own = t.concat(upper, low_or_none);
        t.ite(integer, there, own)
    })
}

/// The byte offset of a pointer into its object, as a signed number of 32 bits.
pub fn offset(d: &TermDomain, pointer: Term) -> Term {
    d.with(|t| {
        let low = t.extract(pointer, OFFSET_BITS - 1, 0);
        let wide = t.zero_extend(low, 32);
        let bias = t.constant(32, BIAS);
        t.sub(wide, bias)
    })
}

/// A power of two by which every value of the term is divisible, after this rest was taken away. Other steps do not survive
/// arithmetic that wraps.
pub fn stride(d: &TermDomain, term: Term) -> (u32, u32) {
    let (step, rest) = affine(d, term, 12);
    let step = 1u64 << step.trailing_zeros().min(20);
    (step as u32, (rest % step) as u32)
}

/// `term` is `rest` plus a multiple of the step (0: just the rest), modulo two to its width.
fn affine(d: &TermDomain, term: Term, depth: u32) -> (u64, u64) {
    if depth == 0 {
        return (1, 0);
    }
    match d.with(|t| t.view(term)) {
        View::Constant(bits) => (0, bits.low()),
        View::Add(a, b) => {
            let ((s, r), (u, v)) = (affine(d, a, depth - 1), affine(d, b, depth - 1));
            (gcd(s, u), r.wrapping_add(v))
        }
        View::Mul(a, b) => {
            let ((s, r), (u, v)) = (affine(d, a, depth - 1), affine(d, b, depth - 1));
            match (s, u) {
                (0, _) => (r.wrapping_mul(u), r.wrapping_mul(v)),
                (_, 0) => (v.wrapping_mul(s), v.wrapping_mul(r)),
                _ => (1, 0),
            }
        }
        View::Ite(_, a, b) => {
            let ((s, r), (u, v)) = (affine(d, a, depth - 1), affine(d, b, depth - 1));
            (gcd(gcd(s, u), r.abs_diff(v)), r)
        }
        // A multiple of a power of two: zeros below.
        View::Concat(_, low) => {
            let width = d.with(|t| t.width(low));
            match d.as_constant(low) {
                Some(rest) if width < 32 => (1 << width, rest),
                _ => (1, 0),
            }
        }
        View::Extract(inner, 0) => affine(d, inner, depth - 1),
        _ => (1, 0),
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
