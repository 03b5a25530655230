//! Ample sets of one thread, from static future footprints.
//!
//! If no other thread can ever again touch what a thread's next step touches (`raddle_analysis::Futures`: one of the
//! two a write), the step commutes with all that the others may do before it, and they can neither enable nor disable
//! it. So it alone is a persistent set (Godefroid, *Partial-Order Methods*, 1996, chapter 4): the step can be moved
//! to the front of every run of the others from here. A thread that waits for this one (for its end, or for the
//! release of a lock) does nothing before that, unless a third one may enable it; only its disabled operation counts.
//! Operations behind the acquisition of a lock that this thread holds: `reduction/lock_pattern.rs`. Accesses that are
//! proved to be guarded: `reduction/ample/guarded.rs`. Which violations
//! are preserved, and why:
//! - a step that fails, ends the run, creates or ends a thread, waits for a choice, begins an atomic section or
//!   continues by a spurious wake-up is never taken alone; so what happens in the others' runs happens after the step
//!   too;
//! - a deadlock of the others is still one after the step, and this thread is in no deadlock while its step is
//!   enabled;
//! - a step that writes what an invariant reads is never taken alone, so the values of invariants come in every order;
//! - a racing pair conflicts, so no step of it is ever taken alone before both are pending in one state.
//!
//! The cycle proviso (a step must not be postponed for ever along a cycle of steps of other threads) is static, after
//! the sticky transitions of Kurshan, Levin, Minea, Peled, Yenigün, *Static partial order reduction* (TACAS 1998): a
//! step is taken alone only if the thread's stack of places grows in an order that every loop breaks. Ranks of places
//! follow a reverse postorder, so only a back edge decreases one; a call increases the caller's, a return leaves a
//! shorter stack, which counts as greater. Every cycle of states therefore has a fully expanded state. The proviso
//! depends on nothing but the state, so the reduced graph is the same for every search order and number of workers.
//!
//! In the terms of Peled's conditions on ample sets (*All from one, one for all*, CAV 1993; the closest relative is
//! Valmari's stubborn sets): C0, the set has an enabled step; C1, no dependent step of another thread comes before it
//! (first paragraph); C2, it is invisible (first and third bullet); C3, the cycle proviso.
//!
//! Consecutive ample steps of a thread form one transition: the intermediate states have one successor and are not
//! stored, nor is a newly reached state in which the same thread can be explored alone. Only the latter is checked for
//! deadlocks and races. In the former the others' deadlocks are those of the transition's end, by the second point
//! above, and no step of the chain is part of a race, by the fourth. The known disabled steps of the others are those
//! before the first step, so the transition ends with a step that may enable one of them.

pub mod candidates;
mod guarded;

use std::cmp::Ordering;
use std::rc::Rc;

use raddle_analysis::{Future, Futures, Place};
use raddle_ir::FunctionId;
use raddle_machine::{
    Effects, Machine, Readiness, Status, Thread, ThreadIndex, Touch, Value, WaitKind, pointer,
};

use crate::reduction::ample::guarded::beside_guarded;
use crate::store::transition_cache::Step;
use crate::store::transitions::Space;

/// What is known of a thread's future from its component.
pub struct ThreadFuture {
    /// Functions and ranks of places, from the outermost frame.
    stack: Box<[(FunctionId, u64)]>,
    future: Future,
}

impl ThreadFuture {
    pub fn of(machine: &Machine, futures: &Futures, thread: &Thread) -> Rc<ThreadFuture> {
        let mut future = futures.empty();
        let mut stack = Vec::with_capacity(thread.frames.len());
        for (i, frame) in thread.frames.iter().enumerate() {
            stack.push((frame.function, futures.rank(frame.function, frame.pc)));
            let own = futures.at(&machine.program, frame.function, frame.pc);
            add_frame(futures, frame.function, registers_of(thread, i), &own, &mut future);
        }
        Rc::new(ThreadFuture { stack: stack.into_boxed_slice(), future })
    }

    /// Whether `later` is greater in the order of the cycle proviso: the thread has advanced along no back edge.
    pub fn is_before(&self, later: &ThreadFuture) -> bool {
        for (a, b) in self.stack.iter().zip(&later.stack) {
            match a.0.cmp(&b.0).then(a.1.cmp(&b.1)) {
                Ordering::Equal => {}
                // Another function in the same place of the stack: the frame below has moved, or this is no order.
                _ if a.0 != b.0 => return false,
                Ordering::Less => return true,
                Ordering::Greater => return false,
            }
        }
        later.stack.len() < self.stack.len()
    }

    /// Whether a step of another thread may conflict with the future of this one.
    pub fn meets(&self, futures: &Futures, step: &Step) -> bool {
        meets(futures, &self.future, step)
    }

    /// The same of a step with a guarded access or release: only what else it touches counts.
    pub fn meets_beside_guarded(&self, futures: &Futures, step: &Step) -> bool {
        meets_any(futures, &self.future, beside_guarded(&step.footprint))
    }

    /// Whether this thread may still write something that the disabled step of another reads.
    pub fn may_enable(&self, futures: &Futures, step: &Step) -> bool {
        let mut places = step.footprint.touches.iter().filter_map(|touch| place_of(touch.pointer));
        places.any(|place| futures.conflicts(&self.future, place, false))
    }
}

pub fn meets(futures: &Futures, future: &Future, step: &Step) -> bool {
    meets_any(futures, future, step.footprint.touches.iter())
}

/// Whether some of the touches of a step conflict with a future.
pub fn meets_any<'t>(
    futures: &Futures,
    future: &Future,
    mut touches: impl Iterator<Item = &'t Touch>,
) -> bool {
    touches.any(|touch| {
        place_of(touch.pointer).is_some_and(|place| futures.conflicts(future, place, touch.write))
    })
}

/// The registers of a thread's frame.
pub fn registers_of(thread: &Thread, frame: usize) -> &[Value] {
    let end = thread.frames.get(frame + 1).map_or(thread.registers.len(), |next| next.base as usize);
    &thread.registers[thread.frames[frame].base as usize..end]
}

/// Adds what a frame may touch, with the values of its registers in the place of its parameters.
pub fn add_frame(
    futures: &Futures,
    function: FunctionId,
    registers: &[Value],
    own: &Future,
    future: &mut Future,
) {
    future.join(own);
    for (register, value) in registers.iter().enumerate() {
        let origin = futures.origin(function, raddle_ir::Register::new(register));
        let Some(parameter) = origin.filter(|_| value.is_defined()) else { continue };
        for (set, write) in [(own.parameter_reads, false), (own.parameter_writes, true)] {
            if set >> parameter & 1 == 1
                && let Some(place) = place_of(value.bits)
            {
                future.touch(place, write);
            }
        }
    }
}

/// The place of an object in futures; `None` for what is no memory.
fn place_of(pointer: u64) -> Option<Place> {
    let id = pointer::object(pointer);
    match id.name() {
        pointer::ObjectName::Global(global) => Some(Place::Global(global)),
        pointer::ObjectName::Heap { .. } | pointer::ObjectName::Stack { .. } => Some(Place::Shared),
        _ => None,
    }
}

/// Whether no other thread can ever conflict with a thread's step from `vector` to `after`, and the step satisfies
/// the cycle proviso. `waiting`: the disabled step of a thread that waits for this one and no other. The caller must
/// ensure that the step is invisible.
pub fn is_alone<'s>(
    space: &mut Space,
    vector: &[u32],
    after: &[u32],
    index: usize,
    step: &Step,
    waiting: impl Fn(usize) -> Option<&'s Step>,
) -> bool {
    let Some(futures) = space.futures else { return false };
    if !is_plain(step) || after.len() < space.composer.first_thread_place() + index {
        return false;
    }
    let own = space.thread(vector, index).number;
    let rest = space.rest(vector);
    for other in 0..rest.threads {
        let facts = space.thread(vector, other);
        // What the step observed of another thread's end must not change any more.
        if step.footprint.queried_ends.contains(&facts.number) && facts.status != Status::Finished {
            return false;
        }
        if other == index || facts.status != Status::Running {
            continue;
        }
        // A thread that joins this one does nothing until its end. (A lock may be released by others.)
        let joins = |w: &&Step| matches!(&w.readiness, Readiness::Blocked(b) if b.kind == WaitKind::Join);
        if let Some(waiting) = waiting(other).filter(joins) {
            if waiting.footprint.depends(facts.number, &step.footprint, own) {
                return false;
            }
        } else if facts
            .future_of_thread
            .as_ref()
            .is_none_or(|future_of_thread| future_of_thread.meets(futures, step))
        {
            return false;
        }
    }
    let (before, later) = (space.thread(vector, index), space.thread(after, index));
    later.pending.is_none()
        && later.status == Status::Running
        && matches!((&before.future_of_thread, &later.future_of_thread), (Some(a), Some(b)) if a.is_before(b))
}

/// Whether a disabled step waits for this thread and no other.
pub fn waits_for(step: &Step, index: usize) -> bool {
    let Readiness::Blocked(blocked) = &step.readiness else { return false };
    let named = matches!(blocked.kind, WaitKind::Mutex | WaitKind::SpinLock | WaitKind::Join);
    named && blocked.owners[..] == [ThreadIndex(index as u32)]
}

/// Whether a step is of the kind that may be taken alone at all. Footprints of other threads are compared with it by name.
pub fn is_plain(step: &Step) -> bool {
    has_plain_effects(step) && !step.renames
}

/// The same of a step after which objects may have other names.
pub fn has_plain_effects(step: &Step) -> bool {
    let special = Effects::SPAWN.0
        | Effects::THREAD_END.0
        | Effects::PROCESS_EXIT.0
        | Effects::ATOMIC_BEGIN.0
        | Effects::ATOMIC_END.0
        | Effects::CHOICE.0
        | Effects::ESCAPE.0
        | Effects::ASSUME.0
        | Effects::RUN_END.0
        | Effects::BLOCKED.0
        | Effects::FAULT.0;
    !step.footprint.effects.has(Effects(special))
        && step.readiness == Readiness::Enabled
        && !step.footprint.holders_queried
        // A thread may be created, and end.
        && !step.footprint.absent
        && step.faults.is_empty()
}
