//! `step`: the one meaning of a program, one visible operation at a time.

use crate::semantics::fault::Fault;
use crate::semantics::machine::Machine;
use crate::semantics::readiness::{Blocked, WaitKind};
use crate::semantics::run::Run;
use crate::semantics::state::State;
use crate::semantics::thread::ThreadIndex;
use crate::semantics::watch::Watch;

/// What a step did.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Faults of the program, in order. Some end the run: see `State::end`.
    pub faults: Vec<Fault>,
    /// The step was disabled: nothing happened.
    pub blocked: Option<Blocked>,
    /// It continued by a spurious wake-up or a time-out.
    pub escaped: bool,
}

/// Where a step begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    /// At a visible operation, which it executes.
    Visible,
    /// In the middle of a local computation: up to the next visible operation, unless the thread runs alone.
    Local,
    /// At a thread's first instruction. Even if it is alone from its creation on (its creator ended with the same
    /// step), its operations are not its creator's.
    Birth,
}

impl Machine {
    /// The first state: main before its first visible operation.
    pub fn start<W: Watch>(&self, watch: &mut W) -> (State, Outcome) {
        let mut state = self.blank_state();
        let outcome = self.run_step(&mut state, ThreadIndex::MAIN, From::Local, watch);
        (state, outcome)
    }

    /// One step of a thread: its visible operation and the local computation up to the next one. If the thread waits
    /// for a choice (`Thread::pending`), `choice` answers it and the local computation continues; otherwise `choice`
    /// is ignored. A step of a disabled thread changes nothing and reports so.
    pub fn step<W: Watch>(
        &self,
        state: &mut State,
        index: ThreadIndex,
        choice: Option<u64>,
        watch: &mut W,
    ) -> Outcome {
        if state.end.is_some() || !state.thread(index).is_running() {
            return Outcome::default();
        }
        let owner = state.section.or(state.atomic_owner());
        if let Some(owner) = owner.filter(|owner| *owner != index) {
            let blocked = Blocked { kind: WaitKind::AtomicSection, object: 0, owners: vec![owner] };
            return Outcome { blocked: Some(blocked), ..Outcome::default() };
        }
        let thread = state.threads[index.index()].write();
        let yielded = std::mem::take(&mut thread.yielded);
        let resumed = thread.pending.take();
        if let Some(request) = resumed {
            thread.resolved = Some(choice.unwrap_or(0).min(request.last));
        }
        let from = if resumed.is_some() { From::Local } else { From::Visible };
        let outcome = self.run_step(state, index, from, watch);
        if outcome.blocked.is_some() && resumed.is_none() {
            state.threads[index.index()].write().yielded = yielded;
        }
        outcome
    }

    fn run_step<W: Watch>(
        &self,
        state: &mut State,
        index: ThreadIndex,
        from: From,
        watch: &mut W,
    ) -> Outcome {
        let mut run = Run::new(self, state, index, watch);
        let none_yet = match from {
            From::Visible => false,
            From::Local => !run.in_section && run.credit == 1,
            From::Birth => true,
        };
        if from == From::Local {
            // A wait on the way belongs to the next step: its readiness has not been checked yet.
            run.first_credit = u32::MAX;
        }
        if none_yet {
            run.credit = 0;
            run.outer_credit = 0;
        }
        run.go();
        if run.state.memory.crowded && run.state.memory.exposed && run.state.memory.word() == 4 {
            run.crowded();
        }
        if run.yield_credit.is_some_and(|credit| credit != run.credit_outside()) {
            run.thread().yielded = false;
        }
        let mut outcome = Outcome { faults: run.faults, blocked: run.blocked, escaped: run.escaped };
        // New threads compute up to their first visible operation at once.
        for child in run.spawned {
            if state.end.is_none() {
                let born = self.run_step(state, child, From::Birth, watch);
                outcome.faults.extend(born.faults);
            }
        }
        outcome
    }
}
