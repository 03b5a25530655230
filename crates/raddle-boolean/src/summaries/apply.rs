//! Calls and returns: entries made, summaries made, summaries applied.

use super::Summaries;
use super::steps::{CallEffect, Effect};
use crate::answer::{Reason, look};
use raddle_bdd::Bdd;
use raddle_bp::flow::{NodeId, ProcedureId};

impl Summaries<'_> {
    /// States that are new at a call: the callee is entered, and what is known of it is applied.
    pub(super) fn call(&mut self, procedure: ProcedureId, node: NodeId, states: &Bdd) -> Result<(), Reason> {
        let Effect::Call(call) = self.steps.effect(procedure, node) else { unreachable!("a call") };
        let callee = call.callee;
        let entries = states.and_exists(&call.binding, &self.steps.caller)?.rename(&self.steps.to_entry)?;
        let summary = self.summaries[callee.0 as usize].all.clone();
        let after = self.apply(call, states, &summary)?;
        self.reach(procedure, self.flow.node(procedure, node).next[0], &after)?;
        self.enter(callee, &entries)
    }

    /// States that are new at a return: the summary grows, and every call so far gets what is new in it.
    pub(super) fn give_back(
        &mut self,
        procedure: ProcedureId,
        node: NodeId,
        states: &Bdd,
    ) -> Result<(), Reason> {
        let Effect::Return { values } = self.steps.effect(procedure, node) else { unreachable!("a return") };
        let summary = states.and_exists(values, &self.steps.locals)?;
        let Some(new) = self.summaries[procedure.0 as usize].add(&summary, &mut self.clock)? else {
            return Ok(());
        };
        for (caller, call_node) in self.callers[procedure.0 as usize].clone() {
            look(&self.encoding.budget)?;
            let Effect::Call(call) = self.steps.effect(caller, call_node) else { unreachable!("a call") };
            let states = &self.places[caller.0 as usize][call_node.0 as usize].reached.all;
            let after = self.apply(call, states, &new)?;
            self.reach(caller, self.flow.node(caller, call_node).next[0], &after)?;
        }
        Ok(())
    }

    /// What holds after a call, in states at the call and with this part of the callee's summary.
    fn apply(&self, call: &CallEffect, states: &Bdd, summary: &Bdd) -> Result<Bdd, Reason> {
        let steps = &self.steps;
        let seen = summary.rename(&steps.to_caller)?;
        let returned = states.and(&call.binding)?.and_exists(&seen, &steps.handed_over)?;
        let assigned = returned.exists(&call.overwritten)?.and_exists(&call.assigned, &steps.results)?;
        Ok(assigned.rename(&steps.globals_next)?)
    }
}
