//! The effort of a search, and how long a search continues after its first violation.
//!
//! Counted in steps of the machine, so that the answer is the same on every computer. Work that is not steps of the machine
//! counts as so many: [`STEPS_OF_A_STATE`], [`STEPS_OF_AN_EVENT`], [`STEPS_OF_A_CONFLICT`].

use std::sync::atomic::{AtomicU64, Ordering};

/// A state that is encoded and stored, beside the steps to it.
pub const STEPS_OF_A_STATE: u64 = 20;
/// An event of a stateless search: its steps, its clocks, the races that it may reverse.
pub const STEPS_OF_AN_EVENT: u64 = 20;
/// A conflict in a SAT solver.
pub const STEPS_OF_A_CONFLICT: u64 = 1000;
/// The open rows may cost so many times what the violation cost, and at least so many steps.
const TIMES: u64 = 10;
const AT_LEAST: u64 = 20_000_000;

/// How long a search continues after a violation, for the rows that are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AfterFinding {
    /// Not at all.
    Stop,
    /// Until that has cost ten times what the violation cost, and 20 million steps.
    #[default]
    TenTimes,
    /// Until every row is decided.
    Continue,
}

/// What has been spent, and when the first violation was found.
#[derive(Debug)]
pub struct Effort {
    spent: AtomicU64,
    finding: AtomicU64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { spent: AtomicU64::new(0), finding: AtomicU64::new(u64::MAX) }
    }
}

impl Effort {
    pub fn spend(&self, steps: u64) {
        self.spent.fetch_add(steps, Ordering::Relaxed);
    }

    /// The first violation counts.
    pub fn found(&self) {
        let spent = self.spent.load(Ordering::Relaxed);
        self.finding.fetch_min(spent, Ordering::Relaxed);
    }

    /// When the first violation was found.
    pub fn finding(&self) -> Option<u64> {
        Some(self.finding.load(Ordering::Relaxed)).filter(|spent| *spent != u64::MAX)
    }

    /// A search begins anew, and what it found does not count: as it was before.
    pub fn retract_to(&self, finding: Option<u64>) {
        self.finding.store(finding.unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Steps that are left; none: no limit.
    pub fn left(&self, policy: AfterFinding) -> Option<u64> {
        let finding = self.finding()?;
        let more = match policy {
            AfterFinding::Stop => 0,
            AfterFinding::TenTimes => finding.saturating_mul(TIMES).max(AT_LEAST),
            AfterFinding::Continue => return None,
        };
        let since = self.spent.load(Ordering::Relaxed).saturating_sub(finding);
        Some(more.saturating_sub(since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_continues_ten_times_as_long_as_the_violation_took() {
        let effort = Effort::default();
        effort.spend(3_000_000);
        assert_eq!(effort.left(AfterFinding::TenTimes), None);
        effort.found();
        effort.spend(1_000_000);
        effort.found();
        assert_eq!(effort.left(AfterFinding::TenTimes), Some(29_000_000));
        assert_eq!(effort.left(AfterFinding::Stop), Some(0));
        assert_eq!(effort.left(AfterFinding::Continue), None);
        effort.spend(40_000_000);
        assert_eq!(effort.left(AfterFinding::TenTimes), Some(0));
    }

    #[test]
    fn a_cheap_violation_leaves_twenty_million_steps() {
        let effort = Effort::default();
        effort.spend(10);
        effort.found();
        assert_eq!(effort.left(AfterFinding::TenTimes), Some(20_000_000));
    }
}
