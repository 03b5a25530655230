//! Await loops: rounds that only wait (spin loops). A round that ends in the state in which it began, and in between has had no
//! effect on other threads, can be left out of an execution: what remains is an execution with the same values. So a thread that
//! would go round again may as well stop there, and no unwinding is missing; it counts as enabled, since it could go on.
//!
//! Where races are asked for, one such round is kept before the one that ends the waiting: its accesses may race
//! with what happens only after the thread has gone on. Everything else that happens in such a round happens in the first one too.
//! Leaving out a round removes orders of happens-before and adds none, so a race that was there remains.
//!
//! An atomic update that writes the value which it reads (the exchange of a spin lock that is held) is no effect: what reads from
//! it, or is overwritten later, is the write before it, with the same value.
//!
//! Not found: rounds that count, that take and release locks, that store (even the same value again), and rounds that meet
//! others before their end. Whether the write of an update or compare-exchange is excluded by the round's own branches is decided
//! by terms alone.

use std::rc::Rc;

use raddle_ir::{BlockId, FunctionId};
use raddle_machine::CodePoint;
use raddle_solver::Term;

use crate::executor::{Executor, Path};
use crate::removable_rounds::{Checkpoint, Comparison};

/// A loop that a path is in.
#[derive(Clone, Default)]
pub struct Entered {
    /// How many iterations depended on a branch.
    pub count: u32,
    /// The last iteration only waited.
    pub just_waited: bool,
    /// The last iteration left everything as it was, unless another thread interfered.
    pub just_removable: bool,
    /// In the state in which it is, a round that only waited was made.
    waited: bool,
    /// What the iteration began with, if it has begun.
    start: Option<Rc<Checkpoint>>,
}

impl Entered {
    /// Another iteration is about to begin.
    pub fn next(&mut self, waited: bool) {
        self.just_waited = waited;
        self.just_removable = false;
        self.waited = waited;
        self.start = None;
    }

    /// Where two paths meet: what holds on both.
    pub fn meet(&self, other: &Entered) -> Entered {
        let same = |(a, b): &(&Rc<Checkpoint>, &Rc<Checkpoint>)| Rc::ptr_eq(a, b);
        Entered {
            count: self.count.max(other.count),
            just_waited: self.just_waited && other.just_waited,
            just_removable: self.just_removable && other.just_removable,
            waited: self.waited && other.waited,
            start: self.start.as_ref().zip(other.start.as_ref()).filter(same).map(|(start, _)| start.clone()),
        }
    }
}

/// What a back edge leads to.
pub enum Round {
    /// The iteration did something.
    Worked,
    /// It may be one that can be left out.
    Removable,
    /// It only waited, and is kept.
    Waited,
    /// The thread stops.
    Left,
}

impl Executor<'_> {
    /// The head of a loop is about to be executed.
    pub(crate) fn begin_round(&self, function: FunctionId, head: BlockId, path: &mut Path) {
        let pc = self.program.function(function).blocks[head.index()].start;
        let start = self.checkpoint_at_head(path, CodePoint { function, pc });
        if let Some(entered) = path.entered.last_mut() {
            entered.start = Some(Rc::new(start));
        }
    }

    /// An iteration of the loop at this level ends.
    pub(crate) fn end_round(&mut self, level: usize, path: &mut Path) -> Round {
        let Entered { start, waited, .. } = &path.entered[level];
        let (start, waited) = (start.clone(), *waited);
        let Some(start) = start else { return Round::Worked };
        // A section that was entered before and ends in the round: what it did is seen then.
        if start.in_section() || path.state.section.is_some() {
            return Round::Worked;
        }
        let same = self.compare(&start, path);
        let mut effects = start.effects_since(&path.state).iter();
        let only_waited = effects.all(|effect| path.state.guard.excludes(&self.d, *effect))
            || self.by_order && self.has_written_nothing(&start);
        match same {
            Comparison::Different => Round::Worked,
            _ if only_waited && self.races && !waited => Round::Waited,
            _ if only_waited => Round::Left,
            _ if self.by_order && !path.state.is_probe() && self.round_ends(&start, path) => Round::Removable,
            _ => Round::Worked,
        }
    }

    /// Other threads may notice what this path does here, under a condition.
    pub(crate) fn effect(&self, path: &mut Path, condition: Term) {
        if condition != Term::FALSE && !path.state.is_probe() {
            Rc::make_mut(&mut path.state.effects).push(condition);
        }
    }

    /// The effects from an index on are ones only under a condition: an atomic update that writes the value which it reads has
    /// none.
    pub(crate) fn effects_only_if(&self, path: &mut Path, from: usize, condition: Term) {
        if path.state.effects.len() > from {
            for effect in &mut Rc::make_mut(&mut path.state.effects)[from..] {
                *effect = self.d.and(*effect, condition);
            }
        }
    }
}
