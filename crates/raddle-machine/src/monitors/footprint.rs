//! What a step touches: the basis of every notion of independence.
//!
//! A step is a visible operation and the local computation after it, and that computation may end the thread, leave a
//! function whose locals others point to, or fail an assertion. So the footprint of a thread's next step is not read
//! off its next instruction: the step is executed on a copy of the state, and its events are recorded. An engine that
//! executes the step anyway uses a [`Footprint`] as the listener and pays for no copy.
//!
//! Bytes that a model touches inside a kernel section count for dependence, but are marked: they are not race-checked.
//! The life of an object is part of its bytes: its end (`free`, the return of a function, a thread's end) writes all
//! of them. The acquisition or release of a lock is a write of the lock's first byte, a query of its holders a read.
//!
//! The footprint of a disabled step is what was read to decide that, so that every step that can enable it depends on
//! it.

use raddle_ir::{Inst, MemoryOrder};

use crate::semantics::fault::{Fault, FaultKind};
use crate::semantics::kernel::event;
use crate::semantics::machine::Machine;
use crate::semantics::pointer::{self, ObjectName};
use crate::semantics::state::State;
use crate::semantics::thread::{ChoiceRequest, ThreadIndex};
use crate::semantics::watch::{AccessEvent, AccessKind, Scene, Watch};

/// Some bytes of memory, and what was done to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Touch {
    pub pointer: u64,
    pub length: u32,
    pub write: bool,
    pub order: MemoryOrder,
    /// By a model inside a kernel section, or the end of a stack object: not race-checked.
    pub internal: bool,
    /// By a kernel section, race-checked or not.
    pub section: bool,
}

impl Touch {
    pub fn overlaps(&self, other: &Touch) -> bool {
        pointer::object(self.pointer) == pointer::object(other.pointer)
            && self.pointer < other.pointer + other.length as u64
            && other.pointer < self.pointer + self.length as u64
    }

    /// Whether this byte is among them.
    pub fn has(&self, pointer: u64) -> bool {
        pointer::object(self.pointer) == pointer::object(pointer)
            && (self.pointer..self.pointer + self.length as u64).contains(&pointer)
    }

    /// The same bytes, and one of them writes.
    pub fn conflicts(&self, other: &Touch) -> bool {
        (self.write || other.write) && self.overlaps(other)
    }

    /// A data race, if the two are not ordered.
    pub fn races(&self, other: &Touch) -> bool {
        let both_atomic = self.order != MemoryOrder::NotAtomic && other.order != MemoryOrder::NotAtomic;
        !self.internal && !other.internal && !both_atomic && self.conflicts(other)
    }

    /// An access of a kernel section that is not race-checked, and one outside of sections: between the two, information
    /// passes without a happens-before edge.
    pub fn bypasses(&self, other: &Touch) -> bool {
        let one = |a: &Touch, b: &Touch| a.section && a.internal && !b.section && !b.internal;
        (one(self, other) || one(other, self)) && self.conflicts(other)
    }
}

/// What a step does beside touching bytes; a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Effects(pub u16);

impl Effects {
    pub const SPAWN: Effects = Effects(1);
    pub const THREAD_END: Effects = Effects(2);
    pub const PROCESS_EXIT: Effects = Effects(4);
    /// The user's atomic section was entered: no other thread runs until it is left.
    pub const ATOMIC_BEGIN: Effects = Effects(8);
    pub const ATOMIC_END: Effects = Effects(16);
    pub const OUTPUT: Effects = Effects(32);
    /// The step used the answer to a choice.
    pub const CHOICE: Effects = Effects(64);
    pub const YIELD: Effects = Effects(128);
    /// It continued by a spurious wake-up or a time-out.
    pub const ESCAPE: Effects = Effects(256);
    /// An assumption failed.
    pub const ASSUME: Effects = Effects(512);
    /// No thread continues after it.
    pub const RUN_END: Effects = Effects(1024);
    pub const FENCE: Effects = Effects(2048);
    /// It was disabled: nothing happened.
    pub const BLOCKED: Effects = Effects(4096);
    /// The program did something wrong.
    pub const FAULT: Effects = Effects(8192);
    /// A compare-exchange failed: in another state it may write.
    pub const EXCHANGE_FAILED: Effects = Effects(16384);
    /// It passed a mark of progress.
    pub const PROGRESS: Effects = Effects(32768);

    pub fn has(self, any: Effects) -> bool {
        self.0 & any.0 != 0
    }
    pub fn add(&mut self, other: Effects) {
        self.0 |= other.0;
    }
}

/// An operation on a lock or another synchronisation object, by its event marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct LockOperation {
    /// One of [`crate::semantics::kernel::event`].
    pub event: u32,
    pub object: u64,
}

/// What a step touches and does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    pub touches: Vec<Touch>,
    pub effects: Effects,
    pub locks: Vec<LockOperation>,
    /// Threads, by number, whose end was queried.
    pub queried_ends: Vec<u32>,
    /// Threads, by number, whose block was queried: it never changes, so nothing depends on that but their creation.
    pub named: Vec<u32>,
    /// One of the threads that were queried does not exist: its creation may change the answer.
    pub absent: bool,
    /// The holders of a lock were queried, among all threads.
    pub holders_queried: bool,
    /// Whether all race-checked accesses outside of sections are by instructions with the mark `guarded`, if there are any.
    pub guarded: Option<bool>,
    /// The lock that is given back by a call of the user's code that has the mark `guarded`.
    pub guarded_release: Option<u64>,
}

impl Footprint {
    pub fn clear(&mut self) {
        self.touches.clear();
        self.locks.clear();
        self.queried_ends.clear();
        self.named.clear();
        self.absent = false;
        self.holders_queried = false;
        self.guarded = None;
        self.guarded_release = None;
        self.effects = Effects::default();
    }

    fn touch(&mut self, new: Touch) {
        if new.length > 0 && !self.touches.contains(&new) {
            self.touches.push(new);
        }
    }

    /// A race-checked access by an instruction that has the mark or not.
    fn checked(&mut self, guarded: bool) {
        self.guarded = Some(guarded && self.guarded != Some(false));
    }

    fn internal(&mut self, pointer: u64, length: u32, write: bool, section: bool) {
        self.touch(Touch { pointer, length, write, order: MemoryOrder::NotAtomic, internal: true, section });
    }

    /// Dependence: whether steps with these footprints may not be swapped. One may change what the other does, or
    /// whether it can be done at all. `own` and `other_thread` are the numbers of the threads.
    ///
    /// An atomic section excludes all others from its beginning to its end, so a step that begins one and does not end
    /// it depends on everything; so does one that ends the run.
    pub fn depends(&self, own: u32, other: &Footprint, other_thread: u32) -> bool {
        let opens = |f: &Footprint| {
            f.effects.has(Effects::RUN_END)
                || f.effects.has(Effects::ATOMIC_BEGIN) && !f.effects.has(Effects::ATOMIC_END)
        };
        if own == other_thread || opens(self) || opens(other) {
            return true;
        }
        let ends = Effects(Effects::THREAD_END.0 | Effects::PROCESS_EXIT.0);
        self.effects.has(ends) && other.queried_ends.contains(&own)
            || other.effects.has(ends) && self.queried_ends.contains(&other_thread)
            || self.touches.iter().any(|a| other.touches.iter().any(|b| a.conflicts(b)))
    }
}

/// Whether the access that is reported is by an instruction with the mark `guarded`.
fn is_guarded(scene: &Scene) -> bool {
    match scene.machine.program.function(scene.at.function).code.get(scene.at.pc as usize) {
        Some(Inst::Load { access, .. } | Inst::Store { access, .. }) => access.guarded && !access.is_atomic(),
        _ => false,
    }
}

/// Whether the user's code has called, by an instruction with the mark `guarded`, the library function that is executed.
fn is_in_guarded_call(scene: &Scene) -> bool {
    let program = &scene.machine.program;
    let Some((last, outer)) = scene.thread.frames.split_last() else { return false };
    let user = outer.iter().rev().find(|frame| !program.function(frame.function).library);
    let Some(user) = user.filter(|_| program.function(last.function).library) else { return false };
    let call = user.pc.checked_sub(1).and_then(|pc| program.function(user.function).code.get(pc as usize));
    matches!(call, Some(Inst::Call(call)) if call.guarded)
}

impl Watch for Footprint {
    fn access(&mut self, scene: &Scene, e: &AccessEvent) {
        let AccessEvent { pointer, length, order, in_section: internal, .. } = *e;
        let (write, section) = (e.kind != AccessKind::Read, e.in_section || e.of_section);
        if !internal {
            self.checked(!section && is_guarded(scene));
        }
        self.touch(Touch { pointer, length, write, order, internal, section });
    }
    fn exchange_failed(&mut self, _: &Scene) {
        self.effects.add(Effects::EXCHANGE_FAILED);
    }
    fn fence(&mut self, _: &Scene, _: MemoryOrder) {
        self.effects.add(Effects::FENCE);
    }
    fn atomic_section(&mut self, _: &Scene, entered: bool) {
        self.effects.add(if entered { Effects::ATOMIC_BEGIN } else { Effects::ATOMIC_END });
    }
    fn spawn(&mut self, _: &Scene, _: ThreadIndex, number: u32) {
        self.effects.add(Effects::SPAWN);
        self.internal(pointer::creation(number), 1, true, false);
    }
    fn thread_end(&mut self, _: &Scene) {
        self.effects.add(Effects::THREAD_END);
    }
    fn process_exit(&mut self, _: &Scene, _: i32, _: bool) {
        self.effects.add(Effects::PROCESS_EXIT);
    }
    fn event(&mut self, scene: &Scene, event: u32, object: u64) {
        self.locks.push(LockOperation { event, object });
        // With another operation on a lock, the step is none of a release.
        let release = event == event::UNLOCK && self.locks.len() == 1 && is_in_guarded_call(scene);
        self.guarded_release = release.then_some(object);
        if matches!(event, event::LOCK | event::RDLOCK | event::UNLOCK) {
            self.internal(object, 1, true, true);
        }
    }
    fn synchronisation(&mut self, _: &Scene, pointer: u64, length: u32, write: bool) {
        let order = if write { MemoryOrder::NotAtomic } else { MemoryOrder::SequentiallyConsistent };
        self.checked(false);
        self.touch(Touch { pointer, length, write, order, internal: false, section: true });
    }
    fn free(&mut self, scene: &Scene, pointer: u64, size: u32, section: bool) {
        self.checked(!section && is_in_guarded_call(scene));
        // An object of no size can still be freed twice.
        let (length, order) = (size.max(1), MemoryOrder::NotAtomic);
        self.touch(Touch { pointer, length, write: true, order, internal: section, section });
    }
    fn gone(&mut self, _: &Scene, pointer: u64, size: u32) {
        self.internal(pointer, size.max(1), true, false);
    }
    fn output(&mut self, _: &Scene, _: u32, _: &[u8]) {
        self.effects.add(Effects::OUTPUT);
    }
    fn choice(&mut self, _: &Scene, _: ChoiceRequest, _: u64) {
        self.effects.add(Effects::CHOICE);
    }
    fn yielded(&mut self, _: &Scene) {
        self.effects.add(Effects::YIELD);
    }
    fn progress(&mut self, _: &Scene) {
        self.effects.add(Effects::PROGRESS);
    }
    fn escape(&mut self, _: &Scene, _: bool) {
        self.effects.add(Effects::ESCAPE);
    }
    fn assume_failed(&mut self, _: &Scene) {
        self.effects.add(Effects::ASSUME);
    }
    fn fault(&mut self, _: &Scene, fault: &Fault) {
        self.effects.add(Effects::FAULT);
        // An access to an object that has ended counts as a read of it.
        if let (FaultKind::Memory(_), Some(pointer)) = (&fault.kind, fault.pointer)
            && let ObjectName::Heap { .. } | ObjectName::Stack { .. } = pointer::object(pointer).name()
        {
            let (write, order) = (false, MemoryOrder::NotAtomic);
            self.checked(false);
            self.touch(Touch { pointer, length: 1, write, order, internal: false, section: false });
        }
    }
    fn end_queried(&mut self, _: &Scene, thread: u32) {
        self.queried_ends.push(thread);
    }
    fn block_queried(&mut self, _: &Scene, thread: u32) {
        self.named.push(thread);
    }
    fn absent_queried(&mut self, _: &Scene, thread: u32) {
        self.absent = true;
        self.internal(pointer::creation(thread), 1, false, false);
    }
    fn inspected(&mut self, _: &Scene, pointer: u64, length: u32) {
        self.internal(pointer, length, false, false);
    }
    fn holders_queried(&mut self, _: &Scene, object: u64) {
        self.internal(object, 1, false, false);
        self.holders_queried = true;
    }
    fn freed_blocks(&mut self, _: &Scene) {
        self.internal(pointer::freed_blocks(), 1, true, false);
    }
}

impl Machine {
    /// The footprint of a thread's next step. If it waits for a choice, of the step with this answer. A thread that is
    /// excluded by another's atomic section is treated as if it were not; one that has ended touches nothing.
    pub fn footprint(&self, state: &State, index: ThreadIndex, choice: Option<u64>) -> Footprint {
        let mut trial = state.clone();
        if state.atomic_owner() != Some(index) {
            trial.atomic = None;
        }
        if trial.section.is_some_and(|owner| owner != index) {
            trial.section = None;
        }
        let mut found = Footprint::default();
        self.step_listening(&mut trial, index, choice, &mut found);
        found
    }

    /// A step whose footprint is added to `found`.
    pub fn step_listening(
        &self,
        state: &mut State,
        index: ThreadIndex,
        choice: Option<u64>,
        found: &mut Footprint,
    ) -> crate::semantics::step::Outcome {
        let outcome = self.step(state, index, choice, found);
        if outcome.blocked.is_some() {
            found.effects.add(Effects::BLOCKED);
        }
        if state.end.is_some() {
            found.effects.add(Effects::RUN_END);
        }
        outcome
    }
}
