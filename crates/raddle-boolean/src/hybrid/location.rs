//! Where all threads are.

use crate::control::Control;

/// Where one thread is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Spot {
    At(Control),
    /// It runs, but never takes a step again: what it does is explored elsewhere, see `hybrid/reduce.rs`.
    Frozen,
}

/// Where all threads are, which one is inside an atomic section, and which one goes on alone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Location {
    /// By the numbers of threads; the last entry is never `None`.
    pub threads: Vec<Option<Spot>>,
    /// The thread inside an atomic section.
    pub atomic: Option<usize>,
    /// The thread that is not interrupted while it is in a region, and the region's number.
    pub alone: Option<(usize, u32)>,
}

impl Location {
    /// Where a thread is that may take a step.
    pub(super) fn control(&self, thread: usize) -> Option<Control> {
        match self.threads.get(thread) {
            Some(Some(Spot::At(control))) => Some(*control),
            _ => None,
        }
    }

    /// Threads that may take a step, and where they are.
    pub(super) fn active(&self) -> impl Iterator<Item = (usize, Control)> + '_ {
        (0..self.threads.len()).filter_map(|thread| Some((thread, self.control(thread)?)))
    }

    pub(super) fn running(&self) -> usize {
        self.threads.iter().flatten().count()
    }

    /// The same with threads in an order that depends on where they are alone, and for each its number before.
    ///
    /// Threads that change places lead to the same location: this is counter abstraction as far as places go.
    pub(super) fn sorted(&self) -> (Location, Vec<usize>) {
        let key = |thread: usize| {
            let alone = self.alone.is_some_and(|(other, _)| other == thread);
            (self.threads[thread], self.atomic == Some(thread), alone)
        };
        let mut order: Vec<usize> =
            (0..self.threads.len()).filter(|thread| self.threads[*thread].is_some()).collect();
        order.sort_by_key(|thread| key(*thread));
        let place = |thread: usize| order.iter().position(|other| *other == thread).expect("it runs");
        let location = Location {
            threads: order.iter().map(|thread| self.threads[*thread]).collect(),
            atomic: self.atomic.map(place),
            alone: self.alone.map(|(thread, region)| (place(thread), region)),
        };
        (location, order)
    }
}
