//! Sets of events that contain the past of each of their events, as counts: so many first events of each thread.
//!
//! The past of an event, a configuration, and what a reversal keeps of one are all such sets. Threads have *slots*: small
//! numbers in the order in which the search first met them. A count that is not there is zero.

/// So many first events of each slot.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cut(Vec<u32>);

impl Cut {
    pub fn get(&self, slot: usize) -> u32 {
        self.0.get(slot).copied().unwrap_or(0)
    }

    pub fn set(&mut self, slot: usize, count: u32) {
        if slot >= self.0.len() {
            self.0.resize(slot + 1, 0);
        }
        self.0[slot] = count;
    }

    /// Whether the event with this place in its thread (from 1) is inside.
    pub fn has(&self, slot: usize, place: u32) -> bool {
        self.get(slot) >= place
    }

    pub fn join(&mut self, other: &Cut) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Whether everything, but for the events of one slot, is in one of two others.
    pub fn within_but_for(&self, own: usize, a: &Cut, b: &Cut) -> bool {
        let fits = |(slot, count): (usize, &u32)| slot == own || *count <= a.get(slot).max(b.get(slot));
        self.0.iter().enumerate().all(fits)
    }

    /// Whether everything is in one of two others.
    pub fn within(&self, a: &Cut, b: &Cut) -> bool {
        self.within_but_for(usize::MAX, a, b)
    }

    pub fn copy_from(&mut self, other: &Cut) {
        self.0.clear();
        self.0.extend_from_slice(&other.0);
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
}
