//! Candidates for an ample set (one thread) in the state that is expanded: the tests of `reduction/ample.rs` and
//! `reduction/lock_pattern.rs`, applied to the threads of the state.

use std::rc::Rc;

use raddle_machine::drive::Move;
use raddle_machine::{Readiness, Status, WaitKind};

use crate::reduction::ample::guarded::{BACK_EDGES, has_mark};
use crate::reduction::ample::{has_plain_effects, is_plain};
use crate::reduction::lock_pattern::Patterns;
use crate::reduction::pending::{Pending, lets_go};
use crate::reduction::sleep_set::Sleep;
use crate::search::race_by_state::judge_races;
use crate::search::successors::{Expander, Found, PASSED, Successor};
use crate::store::transition_cache::Step;
use crate::store::transitions::Exposed;

impl Expander<'_> {
    /// The first thread whose step can be taken alone.
    pub fn ample(&mut self, vector: &[u32], pendings: &[Pending]) -> Option<usize> {
        self.space.futures?;
        let runnable = pendings.iter().filter(|s| !s.firsts.is_empty()).count();
        if runnable == 0 || self.space.rest(vector).atomic != 0 {
            return None;
        }
        // With one enabled thread, no step of another can come before its step.
        let lone = runnable == 1;
        let mut after = Vec::new();
        (0..pendings.len()).find(|index| {
            let pending = &pendings[*index];
            if pending.single || pending.firsts.len() != 1 {
                return false;
            }
            after.clear();
            after.extend_from_slice(vector);
            let step = pending.firsts[0].1.clone();
            step.apply(&mut after);
            self.is_ample(vector, &after, *index, &step, pendings, lone)
        })
    }

    /// See `reduction/ample.rs`.
    pub fn is_ample(
        &mut self,
        vector: &[u32],
        after: &[u32],
        index: usize,
        step: &Step,
        pendings: &[Pending],
        lone: bool,
    ) -> bool {
        let Some(futures) = self.space.futures else { return false };
        let guarded = self.rules.guards && has_mark(&step.footprint);
        // A step that changes what an invariant reads is visible.
        if !(is_plain(step) || guarded && has_plain_effects(step))
            || self.writes_watched(&step.footprint)
            || after.len() < self.space.composer.first_thread_place() + index
        {
            return false;
        }
        let rest = self.space.rest(vector);
        let (mut by_locks, mut by_guards) = (false, false);
        for other in 0..rest.threads {
            let facts = self.space.thread(vector, other);
            // What the step observed of another thread's end must not change any more.
            if step.footprint.queried_ends.contains(&facts.number) && facts.status != Status::Finished {
                return false;
            }
            if lone || other == index || facts.status != Status::Running {
                continue;
            }
            if facts
                .future_of_thread
                .as_ref()
                .is_some_and(|future_of_thread| !future_of_thread.meets(futures, step))
            {
                continue;
            }
            if guarded
                && facts
                    .future_of_thread
                    .as_ref()
                    .is_some_and(|future_of_thread| !future_of_thread.meets_beside_guarded(futures, step))
            {
                by_guards = true;
                continue;
            }
            // A thread that waits for this one does nothing until it is enabled: only the enabling step matters.
            if let Some(waiting) = pendings[other].waiting_for(index)
                && !waiting.footprint.depends(facts.number, &step.footprint, pendings[index].number)
                && self.stays(vector, index, waiting, pendings)
            {
                continue;
            }
            let behind = |p: &mut Patterns| p.is_behind(&mut self.space, vector, index, other, step);
            if !self.patterns.as_mut().is_some_and(behind)
                && !self.joins_later(vector, index, other, pendings)
            {
                return false;
            }
            by_locks = true;
        }
        let (before, later) = (self.space.thread(vector, index), self.space.thread(after, index));
        let mut ample = later.pending.is_none() && later.status == Status::Running;
        if ample
            && !matches!((&before.future_of_thread, &later.future_of_thread), (Some(a), Some(b)) if a.is_before(b))
        {
            // See `reduction/ample/guarded.rs`.
            ample = guarded && self.back_edges > 0;
            self.back_edges -= ample as u32;
        }
        if let Some(patterns) = self.patterns.as_mut().filter(|_| ample && by_locks) {
            patterns.used += 1;
        }
        self.by_guards += (ample && by_guards) as u64;
        ample
    }

    /// Whether `other` joins a thread that cannot end before `index` has stepped: it is `index` itself, or must first
    /// acquire a lock that `index` holds, or waits in the same way.
    pub fn joins_later(&mut self, vector: &[u32], index: usize, other: usize, pendings: &[Pending]) -> bool {
        let Some(patterns) = self.patterns.as_mut().filter(|p| p.joins_stay()) else { return false };
        let mut joined = pendings[other].joins();
        // At most as many joins as there are threads, unless they form a cycle.
        for _ in 0..pendings.len() {
            match joined {
                None => return false,
                Some(next) if next == index => return true,
                Some(next) if patterns.cannot_end(&mut self.space, vector, index, next) => return true,
                Some(next) => joined = pendings[next].joins(),
            }
        }
        false
    }

    /// Whether only this thread can enable a thread that waits for it: no other thread releases its lock.
    pub fn stays(&mut self, vector: &[u32], index: usize, waiting: &Step, pendings: &[Pending]) -> bool {
        let Some(futures) = self.space.futures else { return false };
        let Readiness::Blocked(blocked) = &waiting.readiness else { return false };
        if blocked.kind == WaitKind::Join {
            return true;
        }
        (0..pendings.len()).all(|third| {
            let also_waits = pendings[third].waiting_for(index).is_some_and(
                |step| matches!(&step.readiness, Readiness::Blocked(b) if b.object == blocked.object),
            );
            if third == index || also_waits {
                return true;
            }
            let facts = self.space.thread(vector, third);
            facts.status != Status::Running
                || facts
                    .future_of_thread
                    .as_ref()
                    .is_some_and(|future_of_thread| !future_of_thread.may_enable(futures, waiting))
        })
    }

    /// Takes a thread's steps as long as each can be taken alone.
    pub fn go_alone(
        &mut self,
        vector: &[u32],
        index: usize,
        first: &Rc<Step>,
        pendings: &[Pending],
        found: &mut Vec<Found>,
    ) -> Result<Successor, Exposed> {
        let mut successor = self.spare.pop().unwrap_or_default();
        successor.step = None;
        successor.vector.clear();
        successor.vector.extend_from_slice(vector);
        first.apply(&mut successor.vector);
        let number = self.space.thread(vector, index).number;
        let one = Move { thread: number, choice: None };
        successor.moves.clear();
        successor.renaming.clear();
        successor.moves.push(one);
        let mut after = Vec::new();
        // What is known of the others has the names of the objects before a step that renames them.
        if lets_go(pendings, index, first) || first.renames {
            return Ok(successor);
        }
        for _ in 1..self.rules.superstep.max(2) {
            let step = self.space.step(&successor.vector, index, None, false)?;
            after.clear();
            after.extend_from_slice(&successor.vector);
            step.apply(&mut after);
            if !self.is_ample(&successor.vector, &after, index, &step, pendings, false) {
                break;
            }
            successor.moves.push(one);
            self.report(&step, &successor.moves, found);
            std::mem::swap(&mut successor.vector, &mut after);
            if lets_go(pendings, index, &step) || step.renames {
                break;
            }
        }
        Ok(successor)
    }

    /// From a new state, explores the thread that led there as long as it can be explored alone. The intermediate
    /// states are checked, but not stored.
    pub fn settle(
        &mut self,
        successor: &mut Successor,
        index: usize,
        found: &mut Vec<Found>,
    ) -> Result<(), Exposed> {
        let mut pendings = std::mem::take(&mut self.passed_pendings);
        self.back_edges = if self.rules.sleep { 0 } else { BACK_EDGES };
        for _ in 0..PASSED {
            if !self.may_be_ample(&successor.vector, index)? {
                break;
            }
            let threads = self.space.rest(&successor.vector).threads;
            pendings.resize_with(threads, Pending::default);
            let here = found.len();
            for (i, pending) in pendings.iter_mut().enumerate() {
                self.pending(&successor.vector, i, false, pending, found)?;
            }
            let step = pendings[index].firsts[0].1.clone();
            let mut after = successor.vector.clone();
            step.apply(&mut after);
            let ample = self.is_ample(&successor.vector, &after, index, &step, &pendings, false);
            if ample {
                if self.rules.deadlocks {
                    self.judge_deadlock(&successor.vector, &pendings, found);
                }
                if self.rules.races {
                    judge_races(&pendings, found);
                }
            }
            let next = if ample {
                Some(self.go_alone(&successor.vector, index, &step, &pendings, found)?)
            } else {
                None
            };
            for one in &mut found[here..] {
                one.moves.splice(0..0, successor.moves.iter().copied());
            }
            let Some(mut next) = next else { break };
            successor.moves.append(&mut next.moves);
            successor.sleep = Sleep::default();
            std::mem::swap(&mut successor.vector, &mut next.vector);
            self.spare.push(next);
        }
        self.back_edges = 0;
        self.passed_pendings = pendings;
        Ok(())
    }

    /// A quick test whether a thread may be explored alone.
    pub fn may_be_ample(&mut self, vector: &[u32], index: usize) -> Result<bool, Exposed> {
        let Some(futures) = self.space.futures else { return Ok(false) };
        let rest = self.space.rest(vector);
        let brief = self.space.brief(vector, index);
        if rest.ended || rest.section != 0 || rest.atomic != 0 || !brief.running || brief.pending {
            return Ok(false);
        }
        if (0..rest.threads).filter(|i| self.space.brief(vector, *i).running).count() <= 1 {
            return Ok(false);
        }
        let facts = self.space.thread(vector, index);
        let step = self.space.step(vector, index, None, false)?;
        let by_guards = self.rules.guards && has_mark(&step.footprint);
        if !(is_plain(&step) || by_guards && has_plain_effects(&step)) {
            return Ok(false);
        }
        let by_locks = self.patterns.is_some() && !facts.holds.is_empty();
        Ok(by_locks
            || by_guards
            || (0..rest.threads).filter(|other| *other != index).all(|other| {
                let facts = self.space.thread(vector, other);
                let meets = |future_of_thread: &Rc<crate::reduction::ample::ThreadFuture>| {
                    future_of_thread.meets(futures, &step)
                };
                facts.status != Status::Running || !facts.future_of_thread.as_ref().is_none_or(meets)
            }))
    }
}
