//! Consistent cuts: sets of events that contain the past of each of their events, as counts of the first events of each
//! thread (vector clocks).
//!
//! The past of an event, a configuration, and what a reversal keeps of one are all such sets. Threads have *slots*:
//! small numbers in the order in which the search first met them. A count that is not there is zero.

/// Slots whose counts need no memory of their own.
const INLINE: usize = 24;

/// So many first events of each slot.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    few: [u16; INLINE],
    /// Counts of the slots from `INLINE` on. Few programs have these, and cuts are copied all the time.
    more: Option<Box<[u16]>>,
}

/// The most events of one thread.
pub const MOST_EVENTS: usize = u16::MAX as usize;

impl Cut {
    fn more(&self) -> &[u16] {
        self.more.as_deref().unwrap_or(&[])
    }

    /// The counts of so many slots from `INLINE` on, and of those that are there.
    fn more_mut(&mut self, least: usize) -> &mut [u16] {
        if self.more().len() < least {
            let mut counts = self.more().to_vec();
            counts.resize(least, 0);
            self.more = Some(counts.into_boxed_slice());
        }
        self.more.as_deref_mut().unwrap_or(&mut [])
    }

    pub fn get(&self, slot: usize) -> u32 {
        match slot.checked_sub(INLINE) {
            None => self.few[slot] as u32,
            Some(rest) => self.more().get(rest).copied().unwrap_or(0) as u32,
        }
    }

    pub fn set(&mut self, slot: usize, count: u32) {
        debug_assert!(count as usize <= MOST_EVENTS);
        let count = count as u16;
        match slot.checked_sub(INLINE) {
            None => self.few[slot] = count,
            Some(rest) => self.more_mut(rest + 1)[rest] = count,
        }
    }

    /// Whether the event with this place in its thread (from 1) is inside.
    pub fn has(&self, slot: usize, place: u32) -> bool {
        self.get(slot) >= place
    }

    pub fn join(&mut self, other: &Cut) {
        for (mine, theirs) in self.few.iter_mut().zip(&other.few) {
            *mine = (*mine).max(*theirs);
        }
        if other.more.is_some() {
            for (mine, theirs) in self.more_mut(other.more().len()).iter_mut().zip(other.more()) {
                *mine = (*mine).max(*theirs);
            }
        }
    }

    /// Whether everything, but for the events of one slot, is in one of two others.
    pub fn within_but_for(&self, own: usize, a: &Cut, b: &Cut) -> bool {
        // All are compared: several at once are faster than an early exit.
        let mut outside = 0;
        for (slot, count) in self.few.iter().enumerate() {
            outside += (*count > a.few[slot].max(b.few[slot])) as u16;
        }
        if own < INLINE {
            outside -= (self.few[own] > a.few[own].max(b.few[own])) as u16;
        }
        let fits = |slot: usize, count: u16| slot == own || count as u32 <= a.get(slot).max(b.get(slot));
        outside == 0 && self.more().iter().enumerate().all(|(rest, count)| fits(rest + INLINE, *count))
    }

    /// Whether everything is in one of two others.
    pub fn within(&self, a: &Cut, b: &Cut) -> bool {
        self.within_but_for(usize::MAX, a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_missing_are_zero() {
        let mut a = Cut::default();
        a.set(2, 3);
        assert!(a.has(2, 3) && !a.has(2, 4) && !a.has(7, 1));
        let mut b = Cut::default();
        b.set(0, 1);
        assert!(!a.within(&b, &Cut::default()) && a.within(&b, &a));
        b.join(&a);
        assert_eq!((b.get(0), b.get(1), b.get(2)), (1, 0, 3));
    }

    #[test]
    fn many_slots() {
        let mut a = Cut::default();
        a.set(40, 2);
        let mut b = Cut::default();
        b.join(&a);
        let none = Cut::default();
        assert!(b.has(40, 2) && !b.has(39, 1) && a.within(&b, &none));
        assert!(!a.within(&none, &none) && a.within_but_for(40, &none, &none));
    }
}
