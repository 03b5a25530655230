//! Sleep sets: threads whose next steps need not be taken in a state, because what begins with them is seen elsewhere.
//!
//! After Godefroid, *Partial-Order Methods* (1996), chapter 5, for supersteps and stored states. When a state is opened,
//! its threads are taken one after the other. If thread *j* was taken before *k*, and the steps of its superstep are
//! independent of those of *k*'s, then behind *k*'s superstep *j* sleeps: a run that goes on with those steps of *j* is
//! the same, but for the order of independent steps, as one that took *j* first. A sleeping thread is kept with the number
//! of steps that were taken elsewhere. It is left out in a state where its superstep is at least as long: then whatever
//! would be taken begins with those steps. It stays asleep behind each superstep that is independent of those steps.
//!
//! A state that is reached again keeps what both arrivals agree on: threads that sleep in both, with the greater number of
//! steps. If that is less than before, the state is opened again, as if it had been reached so. (Godefroid opens only
//! the threads that are awake now. With supersteps that is not enough: a run may need a part only of a superstep of
//! one of them, and the states behind the others were told that it sleeps.)
//!
//! Why nothing is lost: take a state with a set of sleeping threads and a run from it that is equal to none beginning with
//! the steps of a sleeping one. If it completes no superstep, it goes through no stored state, and all its steps are
//! looked at here. Otherwise take, of the threads whose superstep can stand at its beginning, the one that is taken
//! first here. None of them is left out, or the run would begin with a sleeping one's steps. Behind its superstep the
//! rest of the run begins with no sleeping one's steps either: they would be independent of the superstep and so stand at
//! the beginning of the whole, and they are those of a thread that slept here or that was taken before. The rest is
//! shorter: and so on. No order of the search is asked for, and cycles do no harm.
//!
//! Steps that write what invariants read depend on each other here. With an ample set of one thread, the others stay
//! asleep (what they may ever do is independent of its step), and the thread itself is taken though it sleeps. In a
//! level of the breadth-first search a state counts with what it was told in the levels before, so that the numbers of
//! states and steps do not depend on the number of workers.

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
    /// In stored sets: the state waits to be opened.
    pub const WAITS: u64 = 1 << 63;

    /// How many steps of a thread were taken elsewhere; 0 if it is awake.
    pub fn steps(self, thread: usize) -> usize {
        if thread < THREADS { (self.0 >> (4 * thread)) as usize & STEPS } else { 0 }
    }

    /// The thread sleeps, if it can.
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

    /// What both say.
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
    /// The threads that sleep behind the superstep of one, given those that were taken before it.
    pub fn asleep_behind(
        &mut self,
        threads: usize,
        successor: &Successor,
        index: usize,
        taken: Sleep,
        stands: &[Pending],
    ) -> Sleep {
        let mut result = Sleep::default();
        // Others may stand at the same places there.
        if self.rules.sleep && self.space.rest(&successor.vector).threads != threads {
            return result;
        }
        let own = &stands[index];
        for (j, other) in stands.iter().enumerate() {
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
