//! A state in which threads are counted and not named, and what a step of one of them makes of it.

use crate::thread_steps::{Atomicity, Local, Move};

/// A state: shared variables, the thread inside an atomic section, and how many of the other threads are where.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Counted {
    pub globals: u64,
    pub inside: Option<Local>,
    /// By rising local states; no counter is zero.
    pub others: Box<[(Local, u32)]>,
}

impl Counted {
    pub(crate) fn running(&self) -> usize {
        self.others.iter().map(|(_, count)| *count as usize).sum::<usize>()
            + usize::from(self.inside.is_some())
    }

    /// After a step of a thread in that local state: the one inside, if there is one. A thread is started only if there
    /// may be one more.
    pub(crate) fn after(&self, local: Local, step: &Move, max_threads: usize) -> Counted {
        let started = step.started.filter(|_| self.running() < max_threads);
        let mut others = self.others.to_vec();
        if self.inside.is_none() {
            remove(&mut others, local);
        }
        let inside = step.inside(self.inside.is_some());
        for local in step.after.filter(|_| inside.is_none()).into_iter().chain(started) {
            add(&mut others, local);
        }
        Counted { globals: step.globals, inside, others: others.into_boxed_slice() }
    }
}

impl Move {
    /// The thread inside an atomic section after the step, given whether the one that takes it was.
    pub(crate) fn inside(&self, was: bool) -> Option<Local> {
        match self.atomicity {
            Atomicity::Begins => self.after,
            Atomicity::Ends => None,
            Atomicity::Stays => self.after.filter(|_| was),
        }
    }
}

/// One thread more in a local state.
pub(crate) fn add(counters: &mut Vec<(Local, u32)>, local: Local) {
    match counters.binary_search_by_key(&local, |(other, _)| *other) {
        Ok(index) => counters[index].1 += 1,
        Err(index) => counters.insert(index, (local, 1)),
    }
}

/// One thread less.
pub(crate) fn remove(counters: &mut Vec<(Local, u32)>, local: Local) {
    let index = counters.binary_search_by_key(&local, |(other, _)| *other).expect("a thread is there");
    counters[index].1 -= 1;
    if counters[index].1 == 0 {
        counters.remove(index);
    }
}
