//! What every engine is given: a [`Budget`] that says when to stop, and an [`Observer`] of its progress.

use crate::effort::{AfterFinding, Effort};
use crate::property::Property;
use crate::trace::Trace;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much an engine may spend. An engine calls [`Budget::stop_reason`] often, and returns what it has so far when
/// the answer is not `None`.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Wall-clock time, counted from `started`.
    pub timeout: Option<Duration>,
    /// Memory, in megabytes.
    pub memory_limit_mb: Option<u64>,
    /// Set from outside when the process has grown by as much: engines estimate what they hold, and may be wrong.
    pub memory_is_full: Arc<AtomicBool>,
    /// Executions (schedules) to run at most.
    pub max_executions: Option<u64>,
    /// Instructions in one execution at most, before it counts as endless.
    pub max_instructions: Option<u64>,
    /// Worker threads; at least 1.
    pub workers: usize,
    /// Where all randomness comes from.
    pub seed: u64,
    /// Set from outside (Ctrl-C, another engine that has the answer) to end the run early.
    pub cancel: Arc<AtomicBool>,
    /// Set by the run once it only has to report what it found: that takes a bounded effort, and must not be lost.
    pub reporting: Arc<AtomicBool>,
    /// When the run began.
    pub started: Instant,
    /// How long the search continues after a violation, for the rows that are open.
    pub after_finding: AfterFinding,
    /// What all engines have spent.
    pub effort: Arc<Effort>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            timeout: None,
            memory_limit_mb: None,
            memory_is_full: Arc::new(AtomicBool::new(false)),
            max_executions: None,
            max_instructions: None,
            workers: 1,
            seed: 0,
            cancel: Arc::new(AtomicBool::new(false)),
            reporting: Arc::new(AtomicBool::new(false)),
            started: Instant::now(),
            after_finding: AfterFinding::default(),
            effort: Arc::default(),
        }
    }
}

/// Why an engine has to stop before it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The cancel flag was set.
    Cancelled,
    /// The time is up.
    TimedOut,
    /// The process has grown up to the memory limit.
    OutOfMemory,
    /// A violation was found, and the open rows have cost enough since.
    AfterFinding,
}

impl StopReason {
    /// A reason for a row of the report.
    pub fn sentence(self) -> &'static str {
        match self {
            StopReason::Cancelled => "interrupted before the search was complete",
            StopReason::TimedOut => "the time limit was reached; try a longer --timeout",
            StopReason::OutOfMemory => "the memory limit was reached; try a larger --memory-limit",
            StopReason::AfterFinding => "stopped after a finding; --keep-going continues the search",
        }
    }
}

impl Budget {
    /// Whether to stop now, and why. Reads the clock: call it once every few hundred steps, not at each.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.interruption().or_else(|| self.is_enough().then_some(StopReason::AfterFinding))
    }

    /// Adds to the effort, in steps of the machine. Where several workers search, only at places that do not depend on
    /// their speed.
    pub fn spend(&self, steps: u64) {
        self.effort.spend(steps);
    }

    /// A violation was found: from now on the search continues only so long.
    pub fn found(&self) {
        self.effort.found();
    }

    /// Whether the search has continued long enough after a violation.
    pub fn is_enough(&self) -> bool {
        self.left_after_finding() == Some(0)
    }

    /// How many steps are left, if a violation was found and that limits the search.
    pub fn left_after_finding(&self) -> Option<u64> {
        self.effort.left(self.after_finding)
    }

    /// Whether the run must end, and why: what was found is then reported without delay.
    pub fn interruption(&self) -> Option<StopReason> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(StopReason::Cancelled);
        }
        if self.memory_is_full.load(Ordering::Relaxed) {
            return Some(StopReason::OutOfMemory);
        }
        match self.timeout {
            Some(limit) if self.started.elapsed() >= limit => Some(StopReason::TimedOut),
            _ => None,
        }
    }

    /// Requests every engine that shares this budget to stop.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// How far an engine is. What an engine does not count stays `None`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Progress {
    /// The engine that reports.
    pub engine: String,
    /// Complete executions.
    pub executions: Option<u64>,
    /// Stored states.
    pub states: Option<u64>,
    /// Steps of the machine.
    pub steps: Option<u64>,
    /// The current depth or level.
    pub depth: Option<u64>,
    /// Work that waits.
    pub queue: Option<u64>,
    /// Executions a second.
    pub executions_per_second: Option<f64>,
    /// About how many executions there are in all.
    pub estimated_executions: Option<f64>,
    /// States a second.
    pub states_per_second: Option<f64>,
    /// What a stored state takes on average.
    pub bytes_per_state: Option<f64>,
    /// What the engine holds.
    pub bytes: Option<u64>,
    /// How much of the memory limit that is, and in how many seconds it is reached at the present rate.
    pub memory_share: Option<f64>,
    pub seconds_to_full: Option<f64>,
    /// What it is doing, in a few words.
    pub phase: Option<String>,
    /// Properties that are violated, while others are still being checked.
    pub violated: Vec<Property>,
}

/// Receives the progress of an engine. Must be cheap: an engine may call it thousands of times a second.
pub trait Observer {
    /// Called now and then during a run.
    fn progress(&mut self, progress: &Progress);

    /// Called with each counterexample as soon as it is validated, the one to be shown first before the others.
    fn violated(&mut self, _property: &Property, _trace: &Trace) {}
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _progress: &Progress) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_stops_on_cancel_and_on_time() {
        let budget = Budget::default();
        assert_eq!(budget.stop_reason(), None);
        budget.clone().cancel();
        assert_eq!(budget.stop_reason(), Some(StopReason::Cancelled));
        let short = Budget { timeout: Some(Duration::ZERO), ..Budget::default() };
        assert_eq!(short.stop_reason(), Some(StopReason::TimedOut));
        let full = Budget { memory_is_full: Arc::new(AtomicBool::new(true)), ..Budget::default() };
        assert_eq!(full.stop_reason(), Some(StopReason::OutOfMemory));
    }
}
