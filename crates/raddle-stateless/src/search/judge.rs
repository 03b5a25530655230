//! The violations in an execution, and what keeps an execution without any from being part of a proof.

use raddle_machine::drive::{Move, ViolationKind};
use raddle_machine::kernel::event as markers;
use raddle_machine::{
    CodePoint, Effects, Fault, FaultKind, Footprint, RaceMonitor, RunEnd, Signature, State, Touch, pointer,
};
use raddle_trace::Property;

use crate::dpor::clock::Cut;
use crate::dpor::event::Outline;
use crate::dpor::explore::Search;
use crate::dpor::path::Event;
use crate::search::explored::Found;

/// The number of the first thread.
const MAIN: u32 = 1;

/// Why some order of events may not have been explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnstableFootprint {
    /// A section of the user with several accesses, or a cancellation, which a waiting operation reads first: what
    /// else is touched may depend on it. Or a thread is both joined and detached.
    Section(CodePoint),
    /// A local variable that other threads use went out of scope: when, may depend on what was read before.
    Local(CodePoint),
    /// A thread was named by a number that it may not have had yet: whether there is one may depend on the order.
    NotYetCreated(CodePoint),
}

impl Search<'_> {
    /// Notes events whose footprint may be another one at another moment, beyond what reversals look for.
    /// `about_ends`: whether it is part of a join, or of detaching a thread.
    pub(crate) fn notice_varying(
        &mut self,
        footprint: &Footprint,
        number: u32,
        about_ends: (bool, bool),
        at: CodePoint,
    ) {
        if self.explored.varies.is_some() {
            return;
        }
        let (joins, detaches) = about_ends;
        // A join queries the thread's end only if the thread has not been detached.
        self.joined.extend(&footprint.queried_ends);
        if detaches {
            self.detached.extend(&footprint.named);
            self.ends_at.get_or_insert(at);
        }
        if (detaches || joins) && !self.detached.is_disjoint(&self.joined) {
            self.explored.varies = Some(UnstableFootprint::Section(at));
        }
        let cancels = footprint.locks.iter().any(|lock| lock.event == markers::CANCEL);
        // Whose end a robust mutex queries depends on which thread holds it.
        let asks = !footprint.queried_ends.is_empty() && !joins;
        if cancels || asks || footprint.effects.has(Effects::ATOMIC_BEGIN) && footprint.touches.len() > 1 {
            self.explored.varies = Some(UnstableFootprint::Section(at));
        }
        for touch in &footprint.touches {
            let object = pointer::object(touch.pointer);
            let pointer::ObjectName::Stack { thread: owner, .. } = object.name() else { continue };
            if touch.internal && touch.write {
                self.gone_locals.insert(object, at);
            } else if owner != number {
                self.foreign_locals.insert(object);
            }
            if self.gone_locals.contains_key(&object) && self.foreign_locals.contains(&object) {
                self.explored.varies = Some(UnstableFootprint::Local(at));
            }
        }
    }

    /// Notes an event that names a thread, with this past, where that thread's creation need not have come before.
    pub(crate) fn notice_unborn(&mut self, footprint: &Footprint, past: &Cut, at: CodePoint) {
        let is_born = |number: &u32| match self.slots.get(number) {
            None => false,
            Some(slot) => match self.path.births.iter().find(|(born, _)| born == slot) {
                Some((_, birth)) => birth.within(past, past),
                None => *number == MAIN,
            },
        };
        if self.explored.varies.is_none() && !footprint.named.iter().all(is_born) {
            self.explored.varies = Some(UnstableFootprint::NotYetCreated(at));
        }
    }

    /// Notes a write of the program to the bytes of a lock, after a thread has taken it: that may end a deadlock of
    /// some threads, which is otherwise still there at the end of the execution.
    pub(crate) fn notice_overwritten_lock(&mut self, footprint: &Footprint, outline: Outline, at: CodePoint) {
        if self.explored.misused.is_some() || !self.config.properties.contains(&Property::Deadlock) {
            return;
        }
        // What a model initialises is no lock that other threads wait for: that would be a fault.
        let made = |t: &&Touch| footprint.locks.iter().any(|l| l.event == markers::MAKE && t.has(l.object));
        let writes = footprint.touches.iter().filter(|t| t.write && !t.internal && !made(t));
        for write in writes {
            let is_lock = |e: &Event| {
                let of = |t: &&Touch| t.internal && t.overlaps(write);
                let mut touched = e.footprint.touches.iter().filter(of);
                touched.any(|t| e.footprint.locks.iter().any(|lock| t.has(lock.object)))
            };
            let met = self.path.events.iter().filter(|e| outline.meets(e.outline));
            if met.filter(|e| !e.footprint.locks.is_empty()).any(is_lock) {
                self.explored.misused = Some(at);
                return;
            }
        }
    }

    pub(crate) fn note_unsupported(&mut self, state: &State) {
        if let Some(RunEnd::Unsupported { reason, user, .. }) = state.end() {
            let seen = (reason.clone(), *user);
            if !self.explored.unsupported.contains(&seen) {
                self.explored.unsupported.push(seen);
            }
        }
    }

    /// Notes the violations of the newest event.
    pub(crate) fn judge(&mut self, faults: Vec<(Fault, usize)>, monitor: Option<&mut RaceMonitor>) {
        for (fault, moves) in faults {
            if let FaultKind::Memory(_) = fault.kind {
                self.explored.memory_fault.get_or_insert(fault.user);
            }
            if fault.kind == FaultKind::Locks {
                self.explored.misused.get_or_insert(fault.user);
            }
            self.note(&ViolationKind::Fault(fault), moves);
        }
        if let Some(monitor) = monitor {
            for race in monitor.take_new() {
                self.note(&ViolationKind::Race(race), self.path.moves.len());
            }
        }
    }

    /// A section that blocks keeps all other threads from going on: what need not have happened by then has not.
    pub(crate) fn judge_stuck(&mut self, past: &Cut, inside: &[Move]) {
        if !self.config.properties.contains(&Property::Deadlock) {
            return;
        }
        let mut moves = Vec::new();
        for event in &self.path.events {
            if !event.stuck && !event.pending && event.is_in(past) {
                moves.extend_from_slice(&self.path.moves[event.first_move..event.first_move + event.moves]);
            }
        }
        moves.extend_from_slice(inside);
        let mut state = self.first.state.clone();
        for one in &moves {
            let index = state.thread_numbered(one.thread).expect("its creation is in the past");
            self.machine.step(&mut state, index, one.choice, &mut ());
        }
        if let Some(deadlock) = self.machine.deadlock(&mut state) {
            self.note_with(&ViolationKind::Deadlock(deadlock), &moves);
        }
    }

    pub(crate) fn note(&mut self, kind: &ViolationKind, moves: usize) {
        let moves = self.path.schedule(moves);
        self.note_with(kind, &moves);
    }

    pub(crate) fn note_with(&mut self, kind: &ViolationKind, moves: &[Move]) {
        let signature = Signature::of(self.machine, kind);
        if !self.config.properties.contains(&signature.property()) {
            return;
        }
        // Of two violations of one event, one comes first, whichever worker finds them.
        self.tick();
        let found = Found { signature, moves: moves.to_vec(), when: self.when.clone() };
        match self.explored.found.iter_mut().find(|f| f.is_like(&found.signature)) {
            // Tasks are taken up in any order.
            Some(known) if found.when < known.when => *known = found,
            Some(_) => {}
            None => self.explored.found.push(found),
        }
    }
}
