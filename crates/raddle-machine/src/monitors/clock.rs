//! Vector clocks: for each thread of a run, up to which of its epochs something is known.
//!
//! A thread's own epoch counts its releases (FastTrack, Flanagan and Freund 2009, §3), so one number a thread names all
//! its accesses between two of them. Clocks are shared until written: most copies (a release, a snapshot) are never
//! changed.

use std::sync::Arc;

use crate::semantics::thread::ThreadIndex;

/// Epochs by thread; 0, and every thread beyond the end: nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock(Option<Arc<Vec<u32>>>);

impl Clock {
    #[inline(always)]
    pub fn of(&self, thread: ThreadIndex) -> u32 {
        match &self.0 {
            Some(epochs) => epochs.get(thread.index()).copied().unwrap_or(0),
            None => 0,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn set(&mut self, thread: ThreadIndex, epoch: u32) {
        let epochs = Arc::make_mut(self.0.get_or_insert_with(Arc::default));
        if epochs.len() <= thread.index() {
            epochs.resize(thread.index() + 1, 0);
        }
        epochs[thread.index()] = epoch;
    }

    /// Everything known to `other` is known here too.
    pub fn join(&mut self, other: &Clock) {
        let Some(theirs) = &other.0 else { return };
        let Some(ours) = &mut self.0 else {
            self.0 = Some(theirs.clone());
            return;
        };
        let adds = |ours: &[u32]| {
            theirs.iter().enumerate().any(|(i, epoch)| *epoch > ours.get(i).copied().unwrap_or(0))
        };
        if Arc::ptr_eq(ours, theirs) || !adds(ours) {
            return;
        }
        let ours = Arc::make_mut(ours);
        if ours.len() < theirs.len() {
            ours.resize(theirs.len(), 0);
        }
        for (our, their) in ours.iter_mut().zip(theirs.iter()) {
            *our = (*our).max(*their);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_is_the_least_upper_bound() {
        let (a, b) = (ThreadIndex(0), ThreadIndex(3));
        let mut x = Clock::default();
        assert!(x.is_empty() && x.of(b) == 0);
        x.set(a, 5);
        let mut y = Clock::default();
        y.set(a, 2);
        y.set(b, 7);
        let before = x.clone();
        x.join(&y);
        assert_eq!((x.of(a), x.of(b), x.of(ThreadIndex(1))), (5, 7, 0));
        assert_eq!((before.of(a), before.of(b)), (5, 0));
        y.join(&x);
        assert_eq!(x, y);
        y.join(&Clock::default());
        assert_eq!(x, y);
    }
}
