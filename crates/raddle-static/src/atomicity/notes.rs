//! What the interpreter notes for the atomicity types at accesses, calls of lock functions and kernel operations.
//!
//! A library function is taken by its body: its accesses inside a kernel section are steps like others, which end with the
//! section ([`Step::SectionEnd`]). Four kinds are taken by what they declare instead, so that their theorems hold (a lock that
//! is taken is a right mover, though its bytes are written): functions that take, give back or wait with a lock; creation; join.
//! What creation and join do to variables of the library beside the threads' own blocks counts all the same.

use raddle_ir::{Hold, KernelOp, Operand};

use super::recorder::{CallEntry, CallId, LockAct, LockUse, Noted, SeenAccess, Step};
use crate::interpret::{Context, DeclaredLock, Entry, Exit, Interpreter};
use crate::locks::LockRole;
use crate::record::{Access, Point};
use crate::state::State;
use crate::step::{Touch, WHOLE, user};
use crate::value::Value;
use raddle_analysis::{ANYWHERE, ObjectIndex, ObjectKind, Targets};

/// How many steps an access is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Steps {
    One,
    /// Word by word.
    Many,
    /// It is part of a kernel section.
    OfSection,
    /// A mark for the race monitor: the section itself makes the access.
    Mark,
}

/// How a pause may end (`models/kernel.h`).
const TIMEOUT: u64 = 2;

impl Interpreter<'_> {
    /// The call is named, for the atomicity types.
    pub fn note_call(&mut self, entry: &Entry) {
        let alone = self.is_alone_in(&entry.context, &entry.world);
        let Some(recorder) = &mut self.recorder else { return };
        let next = CallId(recorder.calls.len() as u32);
        let call = *self.call_ids.entry(entry.clone()).or_insert(next);
        let noted = CallEntry {
            function: entry.function,
            arguments: entry.arguments.clone(),
            locks: entry.world.locks.clone(),
            alone,
        };
        match recorder.calls.get_mut(call.index()) {
            // Passes differ in what they assume of threads that are left.
            Some(known) => *known = noted,
            None => recorder.calls.push(noted),
        }
        recorder.reached.insert(call);
        recorder.latest = Some(call);
    }

    /// The exits of a call that is interpreted; its steps are noted as its own.
    pub fn body(&mut self, entry: &Entry) -> Vec<Exit> {
        let call = self.call_ids.get(entry).copied();
        let outer = self.recorder.as_mut().and_then(|r| std::mem::replace(&mut r.current, call));
        let exits = self.interpret(entry);
        if let Some(recorder) = &mut self.recorder {
            recorder.current = outer;
            recorder.latest = call;
        }
        exits
    }

    pub fn note_step(&mut self, context: &Context, at: Point, slot: u8, step: Step, state: &State) {
        let inside = state.world.sections > 0 || state.world.in_section;
        self.note(context, at, (slot, step, inside));
    }

    fn note(&mut self, context: &Context, at: Point, (slot, step, inside): (u8, Step, bool)) {
        let user = user(context, at);
        if let Some(recorder) = &mut self.recorder {
            recorder.note(at.1, Noted { slot, step, inside, user });
        }
    }

    /// An access that other threads may reach.
    pub fn note_access(
        &mut self,
        context: &Context,
        at: Point,
        state: &State,
        touch: &Touch,
        access: &Access,
    ) {
        let Some(recorder) = &mut self.recorder else { return };
        let covered = context.of_lock.as_deref().filter(|lock| !lock.is_made);
        let seen = SeenAccess {
            access: access.clone(),
            by_lock: covered.is_some(),
            in_wait: covered.is_some_and(|lock| lock.waits),
        };
        let number = recorder.access(seen);
        let of_section = state.world.in_section || touch.steps == Steps::OfSection;
        let to_lock = covered.is_some_and(|lock| lock.has(&access.places, access.length));
        let of_role = covered.is_some() && of_section
            || is_of_thread_function(context) && of_section && !self.is_of_variable(access);
        if touch.steps == Steps::Mark || to_lock || of_role {
            return;
        }
        let inside = of_section || state.world.sections > 0;
        let many = touch.steps == Steps::Many && !of_section;
        self.note(context, at, (touch.write as u8, Step::Access { number, many }, inside));
    }

    /// Whether the access may be to something other than the library's blocks of threads.
    fn is_of_variable(&self, access: &Access) -> bool {
        access.places.iter().any(|(object, _)| match self.objects.kind(ObjectIndex(*object)) {
            ObjectKind::Global(global) => Some(global) != self.program.main_tcb,
            ObjectKind::Heap(function, _) | ObjectKind::Stack(function, _) => {
                !self.program.function(function).library
            }
            _ => true,
        })
    }

    /// A call of a function that is declared to change a lock.
    pub fn note_role(
        &mut self,
        context: &Context,
        at: Point,
        (role, given, lock): (&LockRole, Value, &DeclaredLock),
        state: &State,
    ) {
        if self.recorder.is_none() {
            return;
        }
        if matches!(role, LockRole::WaitsWith) {
            self.note_step(context, at, 0, Step::Wait, state);
        }
        let private = given.base().is_some_and(|base| state.world.is_private(base));
        if private || self.is_alone(context, state) {
            return;
        }
        let mut places = Targets::default();
        lock.places.iter().for_each(|place| {
            places.insert(*place);
        });
        let name = self.lock_name(given, &places);
        let held = state.world.locks.iter().find(|held| Some(held.place) == name);
        let refuses = self.locks.refusing
            || self.assumed.is_damaged(&places, lock.length)
            || state.world.destroyed.iter().any(|d| lock.places.iter().any(|p| p.object == d.object));
        let (act, observes) = match role {
            LockRole::Takes { not, refused, .. } => {
                let fails = !not.is_empty() || refuses && !refused.is_empty();
                let again = held.is_some_and(|held| !held.shared);
                (LockAct::Takes { sure: !fails, again }, !not.is_empty())
            }
            LockRole::Gives => {
                let again = held.is_some_and(|held| held.count > 1);
                (LockAct::Gives { sure: held.is_some(), again }, false)
            }
            LockRole::WaitsWith => (LockAct::Waits, false),
            LockRole::Makes { .. } | LockRole::Unmakes => (LockAct::Remakes, true),
        };
        let shared = match role {
            LockRole::Takes { hold, .. } => *hold == Hold::Shared,
            LockRole::Gives => held.is_some_and(|held| held.shared),
            _ => false,
        };
        let beside = state.world.locks.iter().filter(|held| Some(held.place) != name);
        let access = Access {
            thread: context.thread,
            children: state.world.children.clone(),
            user: user(context, at),
            write: true,
            atomic: true,
            address: match given {
                Value::Address(address) => Some(address),
                _ => None,
            },
            length: Some(lock.length),
            locks: beside.copied().collect(),
            sections: state.world.sections > 0,
            places: Access::places_of(&places),
        };
        let Some(recorder) = &mut self.recorder else { return };
        let number = recorder.lock(LockUse { access, act, shared, observes });
        match act {
            LockAct::Takes { .. } | LockAct::Gives { .. } => {
                self.note_step(context, at, 0, Step::Lock(number), state);
            }
            // What making does is seen in its body.
            LockAct::Remakes if matches!(role, LockRole::Unmakes) => {
                self.note_step(context, at, 0, Step::Other, state);
            }
            LockAct::Remakes | LockAct::Waits => {}
        }
    }

    pub fn note_kernel(
        &mut self,
        context: &Context,
        at: Point,
        (op, arguments): (KernelOp, &[Operand]),
        state: &mut State,
    ) {
        if self.recorder.is_none() {
            return;
        }
        let covered = context.of_lock.as_ref().is_some_and(|lock| !lock.is_made);
        let alone = self.is_alone(context, state);
        match op {
            KernelOp::End if state.world.sections == 0 => {
                self.note(context, at, (0, Step::SectionEnd, false));
            }
            KernelOp::AtomicEnd if state.world.sections <= 1 && !state.world.in_section => {
                self.note(context, at, (0, Step::SectionEnd, false));
            }
            KernelOp::Spawn => self.note_step(context, at, 0, Step::Create, state),
            KernelOp::Pause => {
                let how = self.number(state, at.0, arguments[3]);
                if context.of_lock.as_ref().is_some_and(|lock| lock.waits)
                    && how.is_none_or(|how| how & TIMEOUT != 0)
                    && let Some(recorder) = &mut self.recorder
                {
                    recorder.timed_waits = true;
                }
                if !covered && !alone {
                    self.note_step(context, at, 0, Step::Other, state);
                }
            }
            KernelOp::Finished if !context.joining && !covered => {
                if let Some(recorder) = &mut self.recorder {
                    recorder.ends_queried = true;
                }
                self.note_step(context, at, 0, Step::Other, state);
            }
            KernelOp::Print | KernelOp::Output if !alone => {
                self.note_step(context, at, 2, Step::Other, state);
            }
            KernelOp::Holds | KernelOp::Held if !covered && !alone => {
                let base = self.get(state, at.0, arguments[0]).base();
                if !base.is_some_and(|base| state.world.is_private(base)) {
                    self.note_step(context, at, 0, Step::Other, state);
                }
            }
            KernelOp::IsDeterminate | KernelOp::Writable if !covered && !alone => {
                let length = self.number(state, at.0, arguments[1]).map(|n| n as i64);
                self.note_inspection(context, at, state, (arguments[0], length));
            }
            KernelOp::ObjectSize if !alone => {
                self.note_inspection(context, at, state, (arguments[0], None));
            }
            KernelOp::Same if !alone => {
                let length = self.number(state, at.0, arguments[2]).map(|n| n as i64);
                self.note_inspection(context, at, state, (arguments[0], length));
                self.note_inspection(context, at, state, (arguments[1], length));
            }
            _ => {}
        }
    }

    /// A kernel operation whose result depends on bytes, or on whether they are there: a read of them.
    fn note_inspection(
        &mut self,
        context: &Context,
        at: Point,
        state: &State,
        (address, length): (Operand, Option<i64>),
    ) {
        let value = self.get(state, at.0, address);
        let base = value.base();
        if base.is_some_and(|base| state.world.is_private(base)) {
            return;
        }
        let targets = self.targets(at.0, address, value);
        let targets = if length.is_some() { targets } else { targets.anywhere() };
        if targets.has_shared() {
            self.note_step(context, at, 0, Step::Other, state);
            return;
        }
        let mut shared = Targets::default();
        for target in targets.iter().filter(|target| self.objects.is_shared(target.object)) {
            shared.insert(target);
        }
        if shared.is_empty() {
            return;
        }
        let access = Access {
            thread: context.thread,
            children: state.world.children.clone(),
            user: user(context, at),
            write: false,
            atomic: false,
            address: match value {
                Value::Address(address) => Some(address),
                _ => None,
            },
            length: Some(length.unwrap_or(WHOLE)),
            locks: state.world.locks.clone(),
            sections: state.world.sections > 0,
            places: Access::places_of(&shared),
        };
        let touch = Touch {
            address,
            length,
            write: false,
            atomic: false,
            visible: true,
            zeros: false,
            nominal: true,
            steps: Steps::OfSection,
        };
        self.note_access(context, at, state, &touch, &access);
    }
}

/// Of a copy of so many bytes, whose alignment is not known.
pub fn steps_of_copy(bytes: Option<i64>) -> Steps {
    if bytes == Some(1) { Steps::One } else { Steps::Many }
}

/// Of a load or store.
pub fn steps_of(access: &raddle_ir::Access, length: u32) -> Steps {
    let is_aligned = length <= 8 && 1 << access.align_log2.min(8) >= length.next_power_of_two();
    if access.is_atomic() || is_aligned { Steps::One } else { Steps::Many }
}

impl DeclaredLock {
    /// Whether all bytes of an access are the lock's.
    fn has(&self, places: &[(u32, i32)], length: Option<i64>) -> bool {
        let within = |object: u32, offset: i32| {
            self.places.iter().any(|lock| {
                let from = i64::from(offset) - i64::from(lock.offset);
                let is_known = lock.offset != ANYWHERE && offset != ANYWHERE;
                let inside = from >= 0 && length.is_some_and(|length| from + length <= self.length);
                lock.object.0 == object && (!is_known && lock.offset == offset || is_known && inside)
            })
        };
        places.iter().all(|(object, offset)| within(*object, *offset))
    }
}

/// Inside a function that is declared to create or to join a thread.
fn is_of_thread_function(context: &Context) -> bool {
    context.creation.is_some() || context.joining
}
