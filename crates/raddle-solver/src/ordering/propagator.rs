//! The theory as an external propagator of CaDiCaL.
//!
//! IPASIR-UP: Fazekas, Niemetz, Preiner, Kirchweger, Szeider and Biere, *IPASIR-UP: user propagators for CDCL* (SAT 2023).
//! The rules that matter here:
//!
//! - Only observed variables are reported, and only these may occur in clauses. A variable that was eliminated cannot become
//!   observed; the solver gives such a formula a new variable ([`crate::Solver`]).
//! - Assignments come late and in batches, in the order of the trail; work is done where the solver asks for it.
//! - The reason of a propagated literal is requested only if conflict analysis needs it, and may contain only literals that
//!   were assigned before it.
//! - Lemmas may be forgotten: all of them can be found again. Kept for ever they gained nothing (`locks 2x8` 8,500 conflicts
//!   in place of 6,659, `sections 2x12` 64,868 in place of 48,897).
//!
//! Tried and rejected: all lemmas of two literals over fixed paths as clauses from the start. They are many (77,000 in `locks
//! 2x8`) and save few conflicts (6,429 in place of 6,659; `sections 2x12` 70,642 in place of 48,897).

use super::theory::{Lemma, Theory};
use crate::Stop;
use crate::certificate::recorder::Recorder;
use cadical_sys::ExternalPropagator;
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) struct OrderingPropagator {
    pub(crate) theory: Theory,
    recorder: Option<Rc<RefCell<Recorder>>>,
    /// The lemma that the solver is reading, and how far.
    outgoing: Option<(Lemma, usize)>,
    stop: Stop,
    calls: u32,
    /// It was stopped, and the theory rests: between two calls of the solver's terminator it may be asked thousands of times.
    /// A valuation that is found then is none.
    pub(crate) stopped: bool,
}

/// With a large ordering each call may take a millisecond.
const CALLS_BETWEEN_LOOKS: u32 = 16;

impl OrderingPropagator {
    pub(crate) fn new(
        theory: Theory,
        recorder: Option<Rc<RefCell<Recorder>>>,
        stop: &Stop,
    ) -> OrderingPropagator {
        let stop = stop.clone();
        OrderingPropagator { theory, recorder, outgoing: None, stop, calls: 0, stopped: false }
    }

    /// Takes what was assigned; false if it was stopped.
    fn process(&mut self) -> bool {
        self.calls = self.calls.wrapping_add(1);
        self.stopped |= self.calls.is_multiple_of(CALLS_BETWEEN_LOOKS) && self.stop.now();
        if !self.stopped {
            self.theory.process();
        }
        !self.stopped
    }

    /// The next literal of the lemma; 0 at its end.
    fn next_literal(&mut self) -> i32 {
        let Some((lemma, at)) = &mut self.outgoing else { return 0 };
        if let Some(literal) = lemma.clause.get(*at) {
            *at += 1;
            return *literal;
        }
        if let (Some(recorder), Some((lemma, _))) = (&self.recorder, self.outgoing.take()) {
            recorder.borrow_mut().announce_lemma(&lemma);
        }
        self.outgoing = None;
        0
    }
}

impl ExternalPropagator for OrderingPropagator {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, literals: &[i32]) {
        self.theory.assign(literals);
    }

    fn notify_new_decision_level(&mut self) {
        self.theory.new_level();
    }

    fn notify_backtrack(&mut self, level: usize) {
        self.theory.backtrack(level);
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        self.stopped || self.theory.accepts(model)
    }

    fn cb_decide(&mut self) -> i32 {
        if self.stopped { 0 } else { self.theory.decide() }
    }

    fn cb_propagate(&mut self) -> i32 {
        match self.process() {
            true => self.theory.next_forced().unwrap_or(0),
            false => 0,
        }
    }

    fn cb_add_reason_clause_lit(&mut self, literal: i32) -> i32 {
        if self.outgoing.is_none() {
            self.outgoing = Some((self.theory.reason(literal), 0));
        }
        self.next_literal()
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        if !self.process() {
            return false;
        }
        *is_forgettable = true;
        let Some(lemma) = self.theory.take_conflict() else { return false };
        self.outgoing = Some((lemma, 0));
        true
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.next_literal()
    }
}
