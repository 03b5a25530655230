//! Schedules within a bound: a strategy around another one, which then chooses only where the bound leaves a choice.
//!
//! A context switch is any change of the running thread. A preemption is a switch away from a thread that is enabled
//! and has not yielded; one that could go on only by a spurious wake-up or a time-out does not count as enabled.

use raddle_machine::drive::Strategy;
use raddle_machine::{ChoiceRequest, Readiness, State, ThreadIndex};

pub struct Bounded<S> {
    inner: S,
    switches_left: Option<u64>,
    preemptions_left: Option<u64>,
    last: Option<ThreadIndex>,
    /// The bound stopped the run where a switch was needed.
    pub cut: bool,
}

impl<S> Bounded<S> {
    pub fn new(inner: S, switches: Option<u64>, preemptions: Option<u64>) -> Self {
        Bounded { inner, switches_left: switches, preemptions_left: preemptions, last: None, cut: false }
    }
}

impl<S: Strategy> Strategy for Bounded<S> {
    fn pick(&mut self, state: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        let last = self.last.filter(|t| readiness[t.index()].can_step());
        let preempted = last
            .is_some_and(|t| matches!(readiness[t.index()], Readiness::Enabled) && !state.thread(t).yielded);
        let no_switch = self.switches_left == Some(0) && self.last.is_some();
        let no_preemption = self.preemptions_left == Some(0) && preempted;
        let chosen = match last {
            Some(thread) if no_switch || no_preemption => thread,
            None if no_switch => {
                self.cut = true;
                return None;
            }
            _ => self.inner.pick(state, readiness)?,
        };
        if self.last.is_some_and(|t| t != chosen) {
            self.switches_left = self.switches_left.map(|n| n.saturating_sub(1));
            if preempted {
                self.preemptions_left = self.preemptions_left.map(|n| n.saturating_sub(1));
            }
        }
        self.last = Some(chosen);
        Some(chosen)
    }

    fn choose(&mut self, state: &State, thread: ThreadIndex, request: ChoiceRequest) -> u64 {
        self.inner.choose(state, thread, request)
    }
}
