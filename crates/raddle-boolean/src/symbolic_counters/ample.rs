//! Ample sets for counted threads.
//!
//! The reduction of `hybrid/reduce.rs`, where its soundness is argued, for sets of multisets: in all states in which
//! some thread can take a step that is independent of all that other threads ever do, that thread moves alone. Which
//! others depend on it is determined by where they are, so those states are a part of a diagram: multisets with the
//! thread and without any of those others. Of several such threads, the one with the least number of its local state
//! moves, which depends on the state alone.

use super::{Set, SymbolicCounters};
use crate::answer::{Reason, look};
use crate::control::Control;
use crate::footprints::{Footprint, Footprints};
use crate::thread_steps::Local;
use raddle_bp::flow::{Flow, Operation};
use raddle_trace::Budget;
use rustc_hash::FxHashMap;

pub(super) struct Ample {
    footprints: Footprints,
    /// The next step of a place, if it can be ample.
    next: FxHashMap<Control, Option<Footprint>>,
    /// Whether a step from the first place can matter to a thread at the second one, now or later.
    matters: FxHashMap<(Control, Control), bool>,
}

impl Ample {
    pub(super) fn new(flow: &Flow, error_label: Option<&str>, initial: usize, most: usize) -> Ample {
        let footprints = Footprints::new(flow, error_label, initial, most);
        Ample { footprints, next: FxHashMap::default(), matters: FxHashMap::default() }
    }
}

impl SymbolicCounters<'_> {
    /// Takes ample steps where there are some; the states that are left.
    pub(super) fn take_ample_steps(
        &mut self,
        number: usize,
        states: Set,
        budget: &Budget,
    ) -> Result<Set, Reason> {
        let key = self.reached[number].key;
        let mut left = states;
        let elements = self.sets.elements(states);
        for element in &elements {
            look(budget)?;
            let local = Local(*element);
            if !self.can_be_ample(local) {
                continue;
            }
            let steps = self.steps(key.globals, local, budget)?;
            // An assertion that can only fail ends the run: others may still have something to show.
            if steps.stack_full || steps.moves.is_empty() {
                continue;
            }
            let others = self.sets.remove(left, *element);
            if others.is_empty() {
                continue;
            }
            let caring: Vec<u32> =
                elements.iter().copied().filter(|other| self.matters(local, Local(*other))).collect();
            let quiet = match caring.as_slice() {
                [] => others,
                _ => self.sets.avoid(others, &|other| caring.binary_search(&other).is_ok()),
            };
            if quiet.is_empty() {
                continue;
            }
            self.advance(number, local, quiet, budget)?;
            let done = self.sets.add(quiet, *element);
            left = self.sets.minus(left, done);
            if left.is_empty() {
                break;
            }
        }
        Ok(left)
    }

    fn can_be_ample(&mut self, local: Local) -> bool {
        let control = self.locals.control(local);
        let controls = self.locals.controls();
        let Some(ample) = &mut self.ample else { return false };
        let footprints = &ample.footprints;
        let next = ample.next.entry(control).or_insert_with(|| {
            let refused = match &controls.node(control).operation {
                Operation::StartThread(_) => footprints.can_be_refused(),
                Operation::AtomicBegin => !footprints.surely_left(controls, control),
                _ => false,
            };
            let refused = refused || footprints.closes_loop(controls, control);
            (!refused).then(|| footprints.next(controls, control))
        });
        next.is_some()
    }

    fn matters(&mut self, step: Local, other: Local) -> bool {
        let (step, other) = (self.locals.control(step), self.locals.control(other));
        let controls = self.locals.controls();
        let Some(Ample { footprints, next, matters }) = &mut self.ample else { return true };
        let Some(Some(next)) = next.get(&step) else { return true };
        *matters.entry((step, other)).or_insert_with(|| next.conflicts(&footprints.future(controls, other)))
    }
}
