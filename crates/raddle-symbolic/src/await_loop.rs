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
use raddle_machine::ObjectId;
use raddle_solver::Term;
use rustc_hash::FxHashMap;

use crate::contents::Contents;
use crate::domain::Value;
use crate::executor::{Executor, Path};
use crate::state::Counters;

/// A loop that a path is in.
#[derive(Clone, Default)]
pub struct Entered {
    /// How many iterations depended on a branch.
    pub count: u32,
    /// The last iteration only waited.
    pub just_waited: bool,
    /// In the state in which it is, a round that only waited was made.
    waited: bool,
    /// What the iteration began with, if it has begun.
    start: Option<Rc<Start>>,
}

impl Entered {
    /// Another iteration is about to begin.
    pub fn next(&mut self, waited: bool) {
        self.just_waited = waited;
        self.waited = waited;
        self.start = None;
    }

    /// Where two paths meet: what holds on both.
    pub fn meet(&self, other: &Entered) -> Entered {
        let same = |(a, b): &(&Rc<Start>, &Rc<Start>)| Rc::ptr_eq(a, b);
        Entered {
            count: self.count.max(other.count),
            just_waited: self.just_waited && other.just_waited,
            waited: self.waited && other.waited,
            start: self.start.as_ref().zip(other.start.as_ref()).filter(same).map(|(start, _)| start.clone()),
        }
    }
}

/// What must be the same after a round.
struct Start {
    registers: Vec<Value>,
    memory: FxHashMap<ObjectId, Rc<Contents>>,
    counters: Counters,
    objects: usize,
    thread_locals: usize,
    effects: usize,
    /// A section that was entered before ends in the round, if the round is to be one that waits: what it did is seen then.
    in_section: bool,
}

/// What a back edge leads to.
pub enum Round {
    /// The iteration did something.
    Worked,
    /// It only waited, and is kept.
    Waited,
    /// The thread stops.
    Left,
}

impl Executor<'_> {
    /// The head of a loop is about to be executed.
    pub(crate) fn begin_round(&self, path: &mut Path) {
        let start = Start {
            registers: path.registers.clone(),
            memory: path.state.memory.clone(),
            counters: path.state.counters,
            objects: path.objects.len(),
            thread_locals: path.state.thread_locals.len(),
            effects: path.state.effects.len(),
            in_section: path.state.section.is_some(),
        };
        if let Some(entered) = path.entered.last_mut() {
            entered.start = Some(Rc::new(start));
        }
    }

    /// An iteration of the loop at this level ends.
    pub(crate) fn end_round(&self, function: FunctionId, head: BlockId, level: usize, path: &Path) -> Round {
        let entered = &path.entered[level];
        let Some(start) = &entered.start else { return Round::Worked };
        let state = &path.state;
        let pc = self.program.function(function).blocks[head.index()].start;
        let same_register = |(index, (before, now)): (usize, (&Value, &Value))| {
            before == now || !self.liveness.is_live_at(function, pc, raddle_ir::Register(index as u32))
        };
        let same_memory = || {
            state.memory.len() == start.memory.len()
                && state.memory.iter().all(|(object, contents)| {
                    let before = start.memory.get(object);
                    before.is_some_and(|before| Rc::ptr_eq(before, contents) || before == contents)
                })
        };
        let only_waited = !start.in_section
            && state.section.is_none()
            && state.counters == start.counters
            && path.objects.len() == start.objects
            && state.thread_locals.len() == start.thread_locals
            && start.registers.iter().zip(&path.registers).enumerate().all(same_register)
            && same_memory()
            && state.effects[start.effects..].iter().all(|effect| state.guard.excludes(&self.d, *effect));
        match only_waited {
            false => Round::Worked,
            true if self.races && !entered.waited => Round::Waited,
            true => Round::Left,
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
