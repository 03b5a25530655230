//! Readiness in hypothetical states: with a thread at another place, or with another thread that has not ended.

use raddle_ir::FunctionId;

use crate::semantics::machine::Machine;
use crate::semantics::readiness::{Blocked, Readiness};
use crate::semantics::state::State;
use crate::semantics::thread::{Status, ThreadIndex};
use crate::semantics::watch::Watch;
use raddle_semantics::Value;

impl Machine {
    /// What would block a running thread at the visible operation at `pc` of a function, with these values of its
    /// parameters. The state stays as it is. Registers that are no parameters are indeterminate.
    pub fn would_block(
        &self,
        state: &State,
        index: ThreadIndex,
        function: FunctionId,
        pc: u32,
        arguments: &[u64],
        watch: &mut impl Watch,
    ) -> Option<Blocked> {
        if state.end.is_some() || state.section.is_some() || state.atomic.is_some() {
            return None;
        }
        let mut copy = state.clone();
        let thread = copy.threads[index.index()].write();
        if !thread.is_running() {
            return None;
        }
        self.push_entry(thread, function);
        thread.frames[0].pc = pc;
        thread.pending = None;
        thread.resolved = None;
        thread.transfer = None;
        for (parameter, value) in self.program.function(function).parameters.iter().zip(arguments) {
            thread.registers[parameter.index()] = Value::of(*value);
        }
        let outcome = self.step(&mut copy, index, None, watch);
        outcome.blocked.filter(|_| outcome.faults.is_empty())
    }

    /// Whether a thread could not take its next step as long as another one, which has ended, had not. The state must
    /// not be used afterwards.
    pub fn waits_for_end(&self, state: &mut State, index: ThreadIndex, ended: ThreadIndex) -> bool {
        let thread = state.threads[ended.index()].write();
        if thread.status != Status::Finished {
            return false;
        }
        thread.status = Status::Running;
        state.running += 1;
        matches!(self.readiness(state, index), Readiness::Blocked(wait) if wait.owners == [ended])
    }
}
