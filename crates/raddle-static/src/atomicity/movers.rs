//! Which steps are movers: Lipton's condition, decided by what the race-freedom types know.
//!
//! A step is a right mover if no step of another thread that may come directly after it conflicts with it, and a left mover if
//! none that may come directly before it does. Two steps conflict if they touch a byte and one of them writes it, or if one is
//! the creation or end of the other's thread. Whether they are atomic accesses plays no part: two atomic updates are no race,
//! and no movers either.
//!
//! - *Accesses*: both-movers if every conflicting access of another thread is kept apart: the two threads cannot run at the
//!   same time at these places (`threads.rs`), or both hold one lock of which one hold is exclusive (`pairs.rs`). Accesses
//!   that are not compared (of objects that no other thread can reach, or while no other thread runs) are both-movers, too.
//! - *Locks*: both-movers if no other thread may use the lock beside (such as one that is taken only under another lock).
//!   Otherwise, taking a lock is a right mover, giving it back a left mover, if no thread learns the lock's state otherwise than
//!   by taking and giving it back: no try, no limited time, no query, no access to its bytes, no making or destroying beside
//!   other threads; if taking it cannot fail; and if only its holder gives it back (it is not damaged, `locks.rs`).
//!   Shared holds are counted: taking one commutes with taking one. A lock that the thread holds already is a both-mover to
//!   take, and to give back once.
//! - *Threads*: creation is a left mover, since nothing comes before it that knows the new thread; a join that surely names one
//!   thread, which no other thread joins, is a right mover: nothing comes after it that still does.
//! - A *wait* on a condition gives its lock back and takes it again: compound.
//!
//! Why this suffices: let a call make the steps R... N L... in a run, R right movers, N any step, L left movers. A path of
//! conflicts from a step of the call through another thread to a later one would lead forward from some step, and later back
//! into one. By swapping neighbours that do not conflict, steps of other threads move out of the call to its left as long as
//! the next step of the call is a right mover's successor, and to its right otherwise; the path, whose order no such swap changes,
//! would have to leave the call at a step from N on and come back at a step up to N, and those are in the opposite order.
//!
//! All this is of interleavings (sequential consistency) up to the first memory fault, as the race-freedom types are.

use raddle_analysis::{ObjectIndex, Target, Targets};
use rustc_hash::FxHashMap;

use super::kind::{Atomicity, Kind};
use super::recorder::{LockAct, LockUse, Noted, Recorder, SeenAccess, Step};
use crate::interpret::Interpreter;
use crate::record::Access;
use crate::step::WHOLE;

/// The event marker of a cancellation (`raddle-clang/models/kernel.h`).
const CANCEL: u32 = 11;
/// Comparisons, at most.
const MOST_COMPARISONS: usize = 40_000_000;

/// What the steps of a program are.
pub struct Movers<'a> {
    interpreter: &'a Interpreter<'a>,
    recorder: &'a Recorder,
    /// By access: another one that conflicts with it, and may come beside it.
    conflicts: Vec<Option<u32>>,
    locks: Vec<Kind>,
}

impl<'a> Movers<'a> {
    /// `None`: there are too many accesses to compare.
    pub fn of(interpreter: &'a Interpreter<'a>, recorder: &'a Recorder) -> Option<Movers<'a>> {
        let mut movers = Movers { interpreter, recorder, conflicts: Vec::new(), locks: Vec::new() };
        movers.conflicts = movers.conflicts()?;
        movers.locks = recorder.locks.iter().map(|lock| movers.lock(lock)).collect();
        Some(movers)
    }

    /// Only what is given back to whom counts: conflicts of accesses are not compared.
    pub fn of_locks(interpreter: &'a Interpreter<'a>, recorder: &'a Recorder) -> Movers<'a> {
        Movers { interpreter, recorder, conflicts: Vec::new(), locks: Vec::new() }
    }

    /// Whether giving back this lock is a left mover of which no other thread can learn: an exclusive hold, that no thread
    /// waits with, nor tries to take inside an atomic section of the user.
    pub fn is_plain_release(&self, lock: &LockUse) -> bool {
        let shared = lock.shared || self.interpreter.locks.refusing;
        let gives = matches!(lock.act, LockAct::Gives { sure: true, .. });
        let special = |other: &LockUse| matches!(other.act, LockAct::Waits) || other.access.sections;
        let mut uses = self.recorder.locks.iter();
        gives
            && !shared
            && matches!(self.lock(lock), Kind::LeftMover | Kind::BothMover)
            && !uses.any(|other| special(other) && self.may_come_beside(lock, &other.access))
    }

    /// The accesses that conflict, each with one partner; those that are shown to people first.
    fn conflicts(&self) -> Option<Vec<Option<u32>>> {
        let all = &self.recorder.accesses;
        let waits_hold = !self.recorder.timed_waits && self.interpreter.facts.events >> CANCEL & 1 == 0;
        let of_wait = |seen: &SeenAccess| match seen.in_wait && !waits_hold {
            true => {
                SeenAccess { access: Access { locks: Vec::new(), ..seen.access.clone() }, ..seen.clone() }
            }
            false => seen.clone(),
        };
        let all: Vec<SeenAccess> = all.iter().map(of_wait).collect();
        let mut by_object: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (number, seen) in all.iter().enumerate() {
            let mut objects: Vec<u32> = seen.access.places.iter().map(|(object, _)| *object).collect();
            objects.dedup();
            objects.into_iter().for_each(|object| by_object.entry(object).or_default().push(number as u32));
        }
        let mut found: Vec<Option<u32>> = vec![None; all.len()];
        let mut objects: Vec<(u32, Vec<u32>)> = by_object.into_iter().collect();
        objects.sort();
        let mut compared = 0;
        for (object, numbers) in objects {
            for (i, x) in numbers.iter().enumerate() {
                for y in &numbers[i..] {
                    compared += 1;
                    if compared > MOST_COMPARISONS {
                        return None;
                    }
                    let (a, b) = (&all[*x as usize], &all[*y as usize]);
                    // A partner that writes is shown rather than one that reads.
                    let improves = |known: Option<u32>, by: &SeenAccess| {
                        known.is_none_or(|known| by.access.write && !all[known as usize].access.write)
                    };
                    let (of_x, of_y) = (improves(found[*x as usize], b), improves(found[*y as usize], a));
                    if (of_x || of_y)
                        && self.interpreter.may_conflict(ObjectIndex(object), &a.access, &b.access)
                    {
                        if of_x {
                            found[*x as usize] = Some(*y);
                        }
                        if of_y {
                            found[*y as usize] = Some(*x);
                        }
                    }
                }
            }
        }
        Some(found)
    }

    /// Whether another thread may use a lock at these places beside this use.
    fn may_come_beside(&self, lock: &LockUse, other: &Access) -> bool {
        let mut objects: Vec<u32> = lock.access.places.iter().map(|(object, _)| *object).collect();
        objects.dedup();
        let mut objects = objects.into_iter();
        objects.any(|object| self.interpreter.may_conflict(ObjectIndex(object), &lock.access, other))
    }

    /// Another thread's use of the lock that may come beside this one: one that takes it, if there is one.
    pub fn other_use(&self, number: u32) -> Option<&LockUse> {
        let lock = &self.recorder.locks[number as usize];
        let others = self.recorder.locks.iter();
        let mut others = others
            .filter(|other| !(lock.shared && other.shared) && self.may_come_beside(lock, &other.access));
        let first = others.next()?;
        let takes = |other: &&LockUse| matches!(other.act, LockAct::Takes { .. });
        if takes(&first) { Some(first) } else { others.find(takes).or(Some(first)) }
    }

    fn lock(&self, lock: &LockUse) -> Kind {
        let length = lock.access.length.unwrap_or(WHOLE);
        let mut places = Targets::default();
        for (object, offset) in &lock.access.places {
            places.insert(Target { object: ObjectIndex(*object), offset: *offset });
        }
        if places.is_empty() || places.has_shared() {
            return Kind::Atomic;
        }
        let may_come_beside = |other: &Access| self.may_come_beside(lock, other);
        let uses = || self.recorder.locks.iter().filter(|other| !(lock.shared && other.shared));
        let touched =
            self.recorder.accesses.iter().any(|seen| !seen.by_lock && may_come_beside(&seen.access));
        if !touched && !uses().any(|other| may_come_beside(&other.access)) {
            return Kind::BothMover;
        }
        let damaged = self.interpreter.assumed.is_damaged(&places, length);
        if damaged || touched || uses().any(|other| other.observes && may_come_beside(&other.access)) {
            return Kind::Atomic;
        }
        match lock.act {
            LockAct::Takes { sure: true, again: true } | LockAct::Gives { sure: true, again: true } => {
                Kind::BothMover
            }
            LockAct::Takes { sure: true, again: false } => Kind::RightMover,
            LockAct::Gives { sure: true, again: false } => Kind::LeftMover,
            _ => Kind::Atomic,
        }
    }

    /// The access that conflicts with another.
    pub fn partner(&self, number: u32) -> Option<&SeenAccess> {
        self.conflicts[number as usize].map(|other| &self.recorder.accesses[other as usize])
    }

    /// What a step does; a call is not one.
    pub fn effect(&self, noted: &Noted) -> Atomicity {
        let of = |kind| Atomicity::step(kind, noted.inside);
        match noted.step {
            Step::Access { number, .. } if self.conflicts[number as usize].is_none() => of(Kind::BothMover),
            Step::Access { many: true, .. } => of(Kind::Atomic).then(of(Kind::Atomic)),
            Step::Access { .. } | Step::Other => of(Kind::Atomic),
            Step::Lock(number) => of(self.locks[number as usize]),
            Step::Create if self.recorder.ends_queried => of(Kind::Atomic),
            Step::Create => of(Kind::LeftMover),
            Step::Join { only } if only && !self.recorder.ends_queried => of(Kind::RightMover),
            Step::Join { .. } => of(Kind::Atomic),
            Step::Wait => of(Kind::Compound),
            Step::SectionEnd => Atomicity::section_end(),
            Step::Call(_) => Atomicity::CONST,
        }
    }
}
