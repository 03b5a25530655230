//! Fast path for states whose successors are single steps of one thread, when nothing has to be reported of the
//! steps.
//!
//! A search without reductions, and without races, leaks or invariants to check, needs of most states only their
//! threads' cached steps, and of those only the places that they change. `search/successors.rs` gives the same
//! successors in the same order, with tables of steps, moves and whole vectors that such a search does not read.
//! Other states are left to it: those where the run has ended, where an atomic section blocks other threads, where
//! one thread is alone, where one waits for a choice, or where a step has something to report. Nothing was reported
//! by then, and the steps that were executed are cached, or are executed again with the same outcome.

use std::rc::Rc;

use raddle_machine::Readiness;

use crate::reduction::pending::{PendingOperation, Waits};
use crate::search::successors::{Expander, Found};
use crate::store::transition_cache::Step;
use crate::store::transitions::{Brief, Exposed};

/// What is known of a thread at a state.
#[derive(Default)]
pub struct PlainPending {
    waits: Waits,
    step: Option<Rc<Step>>,
}

impl PendingOperation for PlainPending {
    fn waits(&self) -> Waits {
        self.waits
    }
    fn readiness(&self) -> Option<&Readiness> {
        self.step.as_ref().map(|step| &step.readiness)
    }
}

impl PlainPending {
    /// The step that leads to a successor.
    pub fn leads(&self) -> Option<&Step> {
        self.step.as_deref().filter(|step| step.enabled || matches!(step.readiness, Readiness::Escape(..)))
    }
}

impl Expander<'_> {
    /// Whether the fast path may be taken at all.
    pub fn is_plain(&self) -> bool {
        let rules = &self.rules;
        let reduced = rules.superstep > 1 || rules.ample || rules.symmetry || rules.sleep;
        !reduced && !rules.races && !rules.leaks && self.invariants.is_none() && self.space.futures.is_none()
    }

    /// Expands a state; its successors are those of `self.plain`, in their order. False if it needs the general
    /// expansion.
    pub fn expand_plainly(&mut self, vector: &[u32], found: &mut Vec<Found>) -> Result<bool, Exposed> {
        self.plain.clear();
        let rest = self.space.rest(vector);
        if rest.ended || rest.section != 0 || rest.atomic != 0 {
            return Ok(false);
        }
        let (mut running, mut waiting) = (0, false);
        for index in 0..rest.threads {
            let Brief { running: runs, pending: chooses, .. } = self.space.brief(vector, index);
            if chooses && runs {
                return Ok(false);
            }
            running += runs as usize;
            let waits = if runs { Waits::No } else { Waits::Gone };
            self.plain.push(PlainPending { waits, step: None });
        }
        if running <= 1 {
            return Ok(false);
        }
        for index in 0..rest.threads {
            if self.plain[index].waits == Waits::Gone {
                continue;
            }
            let step = self.space.step(vector, index, None, false)?;
            if !step.quiet {
                return Ok(false);
            }
            let pending = &mut self.plain[index];
            if !step.enabled {
                pending.waits = Expander::wait_of(&step.readiness);
                waiting = true;
            }
            pending.step = Some(step);
        }
        if self.space.unordered.is_new() {
            return Ok(false);
        }
        if self.rules.deadlocks && waiting {
            let plain = std::mem::take(&mut self.plain);
            self.judge_deadlock(vector, &plain, found);
            self.plain = plain;
        }
        Ok(true)
    }
}
