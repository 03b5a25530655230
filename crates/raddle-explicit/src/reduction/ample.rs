//! Ample sets of one thread, from static future footprints.
//!
//! If no other thread can ever again touch what a thread's next step touches (`raddle_analysis::Futures`: one of the two a
//! write), the step commutes with all that the others may do before it, and they can neither enable nor disable it. So
//! it alone is a persistent set (Godefroid, *Partial-Order Methods*, 1996, chapter 4): every run of the others from here
//! can have the step in front. A thread that waits for this very one (to end, or to give a lock back) does nothing before
//! that, unless a third one may let it go; of it only the disabled operation counts. What lies behind the acquisition of
//! a lock that this thread holds: `reduction/lock_pattern.rs`. Which violations are kept, and why:
//! - a step that fails, ends the run, creates or ends a thread, waits for a choice, begins an atomic section or goes on
//!   by a spurious wake-up is never taken alone; so what happens in the others' runs happens behind the step too;
//! - a deadlock of the others is still one behind it, and it is no deadlock while the step is possible;
//! - a step that writes what an invariant reads is never taken alone, so the values of invariants come in every order;
//! - a racing pair conflicts, so no step of it is ever taken alone before both stand side by side.
//!
//! The cycle proviso (a step must not be put off for ever by going round in circles with others) is static, after the
//! sticky transitions of Kurshan, Levin, Minea, Peled, Yenigün, *Static partial order reduction* (TACAS 1998): a step is
//! taken alone only if the thread's stack of places grows in an order that every loop breaks. Ranks of places follow a
//! reverse postorder, so only an edge back makes one fall; a call raises the caller's, a return leaves a shorter stack,
//! which counts as greater. A cycle of states therefore has a state where all threads were followed. It depends on
//! nothing but the state, so the reduced graph is the same for every order of search and number of workers.
//!
//! Steps that are each ample are taken in one go: the states between have one successor and are not stored, nor is a state
//! that was just reached and where the same thread can be followed alone. Both are looked at for deadlocks and races. What is
//! known of the others' disabled steps is from before the first step, so it ends with a step that may let one go.

pub mod candidates;

use std::cmp::Ordering;
use std::rc::Rc;

use raddle_analysis::{Future, Futures, Place};
use raddle_ir::FunctionId;
use raddle_machine::{Effects, Machine, Readiness, Status, Thread, ThreadIndex, Value, WaitKind, pointer};

use crate::store::transition_cache::Step;
use crate::store::transitions::Space;

/// What is known of a thread's future from its component.
pub struct Outlook {
    /// Functions and ranks of places, from the outermost frame.
    stack: Box<[(FunctionId, u64)]>,
    future: Future,
}

impl Outlook {
    pub fn of(machine: &Machine, futures: &Futures, thread: &Thread) -> Rc<Outlook> {
        let mut future = futures.empty();
        let mut stack = Vec::with_capacity(thread.frames.len());
        for (i, frame) in thread.frames.iter().enumerate() {
            stack.push((frame.function, futures.rank(frame.function, frame.pc)));
            let own = futures.at(&machine.program, frame.function, frame.pc);
            add_frame(futures, frame.function, registers_of(thread, i), &own, &mut future);
        }
        Rc::new(Outlook { stack: stack.into_boxed_slice(), future })
    }

    /// Whether the thread has come further, going round no loop.
    pub fn is_before(&self, later: &Outlook) -> bool {
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

    /// Whether a step of another thread may meet something that this one still does.
    pub fn meets(&self, futures: &Futures, step: &Step) -> bool {
        meets(futures, &self.future, step)
    }

    /// Whether this thread may still write something that a disabled step of another has looked at.
    pub fn may_enable(&self, futures: &Futures, step: &Step) -> bool {
        let mut places = step.footprint.touches.iter().filter_map(|touch| place_of(touch.pointer));
        places.any(|place| futures.conflicts(&self.future, place, false))
    }
}

pub fn meets(futures: &Futures, future: &Future, step: &Step) -> bool {
    step.footprint.touches.iter().any(|touch| {
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

/// An object as futures know it; `None` for what is no memory.
fn place_of(pointer: u64) -> Option<Place> {
    let id = pointer::object(pointer);
    match id.name() {
        pointer::ObjectName::Global(global) => Some(Place::Global(global)),
        pointer::ObjectName::Heap { .. } | pointer::ObjectName::Stack { .. } => Some(Place::Shared),
        _ => None,
    }
}

/// Whether no other thread can ever meet a thread's step from `vector` to `after`, and the thread comes further by it.
/// `waiting`: the disabled step of a thread that waits for this one, and for nobody else. That the step is invisible is for
/// the caller to know.
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
        // What it learnt of another thread's end must not change any more.
        if step.footprint.asked.contains(&facts.number) && facts.status != Status::Finished {
            return false;
        }
        if other == index || facts.status != Status::Running {
            continue;
        }
        // Who waits for the end of this thread does nothing until then. (A lock may be given back by others.)
        let joins = |w: &&Step| matches!(&w.readiness, Readiness::Blocked(b) if b.kind == WaitKind::Join);
        if let Some(waiting) = waiting(other).filter(joins) {
            if waiting.footprint.depends(facts.number, &step.footprint, own) {
                return false;
            }
        } else if facts.outlook.as_ref().is_none_or(|outlook| outlook.meets(futures, step)) {
            return false;
        }
    }
    let (before, later) = (space.thread(vector, index), space.thread(after, index));
    later.pending.is_none()
        && later.status == Status::Running
        && matches!((&before.outlook, &later.outlook), (Some(a), Some(b)) if a.is_before(b))
}

/// Whether a disabled step waits for this thread, and for nobody else.
pub fn waits_for(step: &Step, index: usize) -> bool {
    let Readiness::Blocked(blocked) = &step.readiness else { return false };
    let named = matches!(blocked.kind, WaitKind::Mutex | WaitKind::SpinLock | WaitKind::Join);
    named && blocked.owners[..] == [ThreadIndex(index as u32)]
}

/// Whether a step is of the kind that may be taken alone at all.
pub fn is_plain(step: &Step) -> bool {
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
        && !step.footprint.asked_holders
        && step.faults.is_empty()
        // Footprints of other threads are compared with it by name.
        && !step.renames
}
