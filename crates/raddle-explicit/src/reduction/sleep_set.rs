//! Sleep sets: threads whose next steps need not be explored in a state, because all runs that begin with them are
//! explored elsewhere.
//!
//! After Godefroid, *Partial-Order Methods* (1996), chapter 5, for supersteps and stored states. When a state is
//! expanded, its threads are explored one after the other. If thread *j* was explored before *k*, and the steps of
//! its superstep are independent of those of *k*'s, then *j* is in the sleep set of the state after *k*'s superstep:
//! a run that continues with those steps of *j* is equivalent, up to the order of independent steps, to one that
//! executes *j* first. A sleeping thread is stored with the number of its steps that were explored elsewhere. It is
//! skipped in a state where its superstep is at least as long: whatever would be explored then begins with those
//! steps. It stays in the sleep set after each superstep that is independent of those steps.
//!
//! A state that is reached again keeps the intersection of both sleep sets: threads that sleep in both, with the
//! greater number of steps. If that is less than before, the state is expanded again, as if it had been reached with
//! this set. (Godefroid explores only the threads that are awake now. With supersteps that is not enough: a run may
//! need only a part of the superstep of one of them, and the successors by the other threads were stored with this
//! thread asleep.)
//!
//! Why nothing is lost: take a state with a sleep set and a run from it that is equivalent to none beginning with the
//! steps of a sleeping thread. If it completes no superstep, it passes through no stored state, and all its steps are
//! checked in this state. Otherwise take, of the threads whose superstep can be moved to the beginning of the run,
//! the one that is explored first in this state. None of them is skipped, or the run would begin with the steps of a
//! sleeping thread. After its superstep the rest of the run does not begin with the steps of a sleeping thread
//! either: these would be independent of the superstep and could be moved to the beginning of the whole run, and they
//! belong to a thread that slept in this state or was explored before. The rest is shorter, and the argument repeats.
//! It assumes no order of the search, and cycles need no proviso.
//!
//! Steps that write what invariants read count as dependent. With an ample set of one thread, the other sleeping
//! threads stay asleep (all that they may ever do is independent of its step), and the thread itself is explored even
//! if it sleeps. With a lock pattern only what they do before an acquisition is independent, so all threads wake up.
//! In a level of the breadth-first search, a state is expanded with the sleep set from the earlier levels, so that the
//! numbers of states and steps do not depend on the number of workers.

use crate::reduction::pending::{Pending, ends};
use crate::search::successors::{Expander, Successor};
use crate::store::transition_cache::Step;

/// Threads by their place in the state; four bits each for the number of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sleep(u64);

/// Threads that can sleep, and the steps that can be counted.
const THREADS: usize = 15;
const STEPS: usize = 15;

impl Sleep {
    /// In stored sets: the state waits to be expanded.
    pub const WAITS: u64 = 1 << 63;

    /// How many steps of a thread were explored elsewhere; 0 if it is awake.
    pub fn steps(self, thread: usize) -> usize {
        if thread < THREADS { (self.0 >> (4 * thread)) as usize & STEPS } else { 0 }
    }

    /// Adds the thread, if it can be represented.
    pub fn add(&mut self, thread: usize, steps: usize) {
        if thread < THREADS && steps <= STEPS {
            self.remove(thread);
            self.0 |= (steps as u64) << (4 * thread);
        }
    }

    pub fn remove(&mut self, thread: usize) {
        if thread < THREADS {
            self.0 &= !((STEPS as u64) << (4 * thread));
        }
    }

    /// The intersection, with the greater number of steps.
    pub fn meet(self, other: Sleep) -> Sleep {
        let mut both = Sleep::default();
        for thread in 0..THREADS {
            let (a, b) = (self.steps(thread), other.steps(thread));
            if a != 0 && b != 0 {
                both.add(thread, a.max(b));
            }
        }
        both
    }

    pub fn bits(self) -> u64 {
        self.0
    }

    pub fn from_bits(bits: u64) -> Sleep {
        Sleep(bits & !Sleep::WAITS)
    }
}

impl Expander<'_> {
    /// The sleep set after the superstep of one thread, given the threads that were explored before it.
    pub fn asleep_behind(
        &mut self,
        threads: usize,
        successor: &Successor,
        index: usize,
        taken: Sleep,
        pendings: &[Pending],
    ) -> Sleep {
        let mut result = Sleep::default();
        // Other threads may have the same places there.
        if self.rules.sleep && self.space.rest(&successor.vector).threads != threads {
            return result;
        }
        let own = &pendings[index];
        for (j, other) in pendings.iter().enumerate() {
            let steps = taken.steps(j).max(self.sleep.steps(j));
            if j == index || steps == 0 || other.single || own.opaque || other.table.len() < steps {
                continue;
            }
            let dependent = |step: &Step, theirs: &Step| {
                let (a, b) = (&step.footprint, &theirs.footprint);
                ends(a)
                    || ends(b)
                    || self.writes_watched(a) && self.writes_watched(b)
                    || step.outline.meets(theirs.outline) && a.depends(own.number, b, other.number)
            };
            let steps_of_own = || own.table.iter().chain(&own.rest_of_section);
            if !other.table[..steps].iter().any(|theirs| steps_of_own().any(|step| dependent(step, theirs))) {
                result.add(j, steps);
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_both_say_is_kept() {
        let (mut a, mut b) = (Sleep::default(), Sleep::default());
        a.add(0, 1);
        a.add(3, 2);
        a.add(14, 15);
        b.add(3, 5);
        b.add(14, 1);
        b.add(7, 1);
        a.add(15, 1);
        b.add(1, 16);
        let both = a.meet(b);
        assert_eq!(both, b.meet(a));
        assert_eq!((both.steps(0), both.steps(3), both.steps(7), both.steps(14)), (0, 5, 0, 15));
        assert_eq!((a.steps(15), b.steps(1)), (0, 0));
        assert_eq!(Sleep::from_bits(both.bits() | Sleep::WAITS), both);
        a.remove(14);
        assert_eq!((a.steps(14), a.steps(3)), (0, 2));
    }
}
