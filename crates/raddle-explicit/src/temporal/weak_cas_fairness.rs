//! A weak compare-exchange that is retried does not fail spuriously for ever in a fair run.
//!
//! For every exchange (a thread and a place in the code) that is a Streett condition: if it fails infinitely often
//! although its comparison holds, it also succeeds infinitely often. Failures because the value is another one count
//! as neither. Cycles are searched for by marks that must all occur (generalised Büchi acceptance), which cannot
//! express this. So the search is made without the condition first, and most programs need no more. Only where the
//! cycle that it finds breaks the condition, it is repeated for each set *F* of exchanges, the empty one first: a run
//! may pass, at any time, into a copy of the graph in which no exchange outside of *F* fails spuriously; cycles count
//! in that copy only, and there each exchange of *F* has a mark on the edges where it succeeds. A fair run is found
//! with the set of those that fail infinitely often in it; and what is found is fair. The first such search, if it
//! finds nothing, has visited every state, so all exchanges are known after it.
//!
//! Not covered: exchanges inside atomic sections, whose answers lie between two observed states.

use raddle_machine::CodePoint;

use crate::temporal::atomic_sections::WeakExchange;

/// Exchanges whose sets are tried: two to this power searches.
const MOST: usize = 6;

/// Exchanges, as bits: those that fail spuriously, and those that succeed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Outcomes {
    pub spurious: u64,
    pub taken: u64,
}

impl Outcomes {
    pub fn add(&mut self, other: Outcomes) {
        self.spurious |= other.spurious;
        self.taken |= other.taken;
    }

    /// Whether a cycle with these outcomes may be repeated for ever.
    pub fn is_fair(self) -> bool {
        self.spurious & !self.taken == 0
    }
}

/// The exchanges that were seen, and those that may fail spuriously for ever.
#[derive(Clone, Default)]
pub struct Exchanges {
    seen: Vec<(u32, CodePoint)>,
    failing: Option<u64>,
}

/// The mark of the copy.
const COPY: u64 = 1 << 63;

impl Exchanges {
    /// The bits of an edge; `None`: there are too many exchanges.
    pub fn outcomes(&mut self, thread: u32, weak: WeakExchange) -> Option<Outcomes> {
        let exchange = (thread, weak.user);
        let place = self.seen.iter().position(|known| *known == exchange).unwrap_or_else(|| {
            self.seen.push(exchange);
            self.seen.len() - 1
        });
        let bit = 1u64.checked_shl(place as u32)?;
        Some(if weak.spurious {
            Outcomes { spurious: bit, taken: 0 }
        } else {
            Outcomes { spurious: 0, taken: bit }
        })
    }

    /// From now on only these may fail spuriously for ever, and must then succeed.
    pub fn restrict(&mut self, failing: u64) {
        self.failing = Some(failing);
    }

    pub fn is_restricted(&self) -> bool {
        self.failing.is_some()
    }

    /// The next set to be tried; `None`: all were. An error where there are too many.
    pub fn next_after(&self, failing: u64) -> Result<Option<u64>, usize> {
        let all = self.seen.len();
        match failing + 1 {
            next if all > MOST => Err(next as usize),
            next if next < 1 << all => Ok(Some(next)),
            _ => Ok(None),
        }
    }

    /// How many marks are not for threads: that of the copy, and one for each exchange that may fail.
    pub fn reserved(&self) -> u32 {
        self.failing.map_or(0, |failing| 1 + failing.count_ones())
    }

    /// These marks.
    pub fn marks(&self) -> u64 {
        u64::MAX.checked_shl(u64::BITS - self.reserved()).unwrap_or(0)
    }

    /// The marks of an edge in the copy; `None` if it is not there.
    pub fn admits(&self, weak: Outcomes) -> Option<u64> {
        let failing = self.failing.unwrap_or(u64::MAX);
        (weak.spurious & !failing == 0).then(|| COPY | self.success_marks(weak))
    }

    /// Whether an edge of a cycle has these marks.
    pub fn fits(&self, weak: Outcomes, marks: u64) -> bool {
        self.failing.is_none() || self.admits(weak).is_some_and(|own| own == marks & self.marks())
    }

    fn success_marks(&self, weak: Outcomes) -> u64 {
        let mut marks = 0;
        let mut mark = COPY;
        let mut left = self.failing.unwrap_or(0);
        while left != 0 {
            mark >>= 1;
            let exchange = left & left.wrapping_neg();
            if weak.taken & exchange != 0 {
                marks |= mark;
            }
            left &= !exchange;
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(place: u32, spurious: bool) -> WeakExchange {
        WeakExchange { user: CodePoint { function: raddle_ir::FunctionId(0), pc: place }, spurious }
    }

    #[test]
    fn sets_are_tried_from_the_empty_one_to_all() {
        let mut exchanges = Exchanges::default();
        assert_eq!(exchanges.next_after(0), Ok(None));
        let one = exchanges.outcomes(2, exchange(7, true)).expect("few");
        let other = exchanges.outcomes(3, exchange(7, false)).expect("few");
        assert!(!one.is_fair() && other.is_fair());
        assert_eq!(exchanges.next_after(0), Ok(Some(1)));
        assert_eq!(exchanges.next_after(2), Ok(Some(3)));
        assert_eq!(exchanges.next_after(3), Ok(None));
    }

    #[test]
    fn an_exchange_that_may_fail_has_a_mark_where_it_succeeds() {
        let mut exchanges = Exchanges::default();
        let fails = exchanges.outcomes(2, exchange(7, true)).expect("few");
        let succeeds = exchanges.outcomes(2, exchange(7, false)).expect("few");
        assert!(exchanges.fits(fails, 0));
        exchanges.restrict(0);
        assert_eq!(exchanges.admits(fails), None);
        assert_eq!(exchanges.admits(succeeds), Some(COPY));
        exchanges.restrict(1);
        assert_eq!(exchanges.admits(fails), Some(COPY));
        assert_eq!(exchanges.admits(succeeds), Some(COPY | COPY >> 1));
        assert_eq!(exchanges.marks(), COPY | COPY >> 1);
    }
}
