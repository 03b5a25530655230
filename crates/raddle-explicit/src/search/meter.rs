//! How far a search is, and whether it may continue: the clock, the memory limit, and the line of progress.
//!
//! What is compared with the limit is an estimate of all that the search holds: stored states, their components,
//! states that wait, and the workers' caches. Tables double, so the estimate grows in jumps; the time until the
//! memory is full is estimated from the states of the last seconds and the bytes that one takes.

use std::time::{Duration, Instant};

use raddle_trace::{Budget, Observer, Progress};

use crate::search::Stop;

/// Between two checks; to sum up what a large store holds takes many locks.
const LOOK: Duration = Duration::from_millis(5);
/// Between two reports.
const REPORT: Duration = Duration::from_millis(200);
/// What the present rate is measured over, at least.
const PRESENT: Duration = Duration::from_secs(2);

/// What a search holds at one time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    pub states: u64,
    pub depth: Option<u64>,
    /// States that wait.
    pub queue: Option<u64>,
    /// Of the states alone, and of everything.
    pub stored: u64,
    pub held: u64,
    pub phase: Option<&'static str>,
}

pub struct Meter<'a> {
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    looked: Option<Instant>,
    reported: Instant,
    /// When the present began and how many states there were; and the same for the one before.
    present: [(Instant, u64); 2],
}

impl<'a> Meter<'a> {
    pub fn new(budget: &'a Budget, observer: &'a mut dyn Observer) -> Meter<'a> {
        let now = Instant::now();
        Meter { budget, observer, looked: None, reported: now, present: [(now, 0); 2] }
    }

    /// Why the search must end, if it must; reports how far it is.
    pub fn look(&mut self, read: impl FnOnce() -> Reading) -> Option<Stop> {
        let now = Instant::now();
        if self.looked.is_some_and(|at| now.duration_since(at) < LOOK) {
            return None;
        }
        self.looked = Some(now);
        if let Some(reason) = self.budget.stop_reason() {
            return Some(Stop::Budget(reason));
        }
        let reading = read();
        if now.duration_since(self.reported) >= REPORT {
            self.reported = now;
            let progress = self.progress(now, &reading);
            self.observer.progress(&progress);
        }
        let limit = self.limit()?;
        (reading.held >= limit).then_some(Stop::Memory)
    }

    fn limit(&self) -> Option<u64> {
        Some(self.budget.memory_limit_mb?.saturating_mul(1 << 20))
    }

    fn progress(&mut self, now: Instant, reading: &Reading) -> Progress {
        if now.duration_since(self.present[1].0) >= PRESENT {
            self.present = [self.present[1], (now, reading.states)];
        }
        let (since, before) = self.present[0];
        let seconds = now.duration_since(since).as_secs_f64().max(0.001);
        let rate = reading.states.saturating_sub(before) as f64 / seconds;
        let each = reading.held as f64 / reading.states.max(1) as f64;
        let limit = self.limit().map(|limit| limit as f64);
        let full = |limit: f64| (limit - reading.held as f64).max(0.0) / (rate * each);
        Progress {
            engine: "explicit".into(),
            states: Some(reading.states),
            depth: reading.depth,
            queue: reading.queue,
            states_per_second: Some(rate),
            bytes_per_state: Some(reading.stored as f64 / reading.states.max(1) as f64),
            bytes: Some(reading.held),
            memory_share: limit.map(|limit| reading.held as f64 / limit),
            seconds_to_full: limit.map(full).filter(|seconds| seconds.is_finite()),
            phase: reading.phase.map(Into::into),
            ..Progress::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Heard(Vec<Progress>);
    impl Observer for Heard {
        fn progress(&mut self, progress: &Progress) {
            self.0.push(progress.clone());
        }
    }

    #[test]
    fn the_limit_is_compared_with_all_that_is_held() {
        let budget = Budget { memory_limit_mb: Some(2), ..Budget::default() };
        let mut heard = Heard::default();
        let mut meter = Meter::new(&budget, &mut heard);
        let reading = |held| Reading { states: 10, stored: 100, held, ..Reading::default() };
        assert_eq!(meter.look(|| reading(1 << 20)), None);
        // Too early for the next check.
        assert_eq!(meter.look(|| reading(1 << 30)), None);
        meter.looked = None;
        assert_eq!(meter.look(|| reading(2 << 20)), Some(Stop::Memory));
    }

    #[test]
    fn the_time_to_the_limit_follows_the_present_rate() {
        let budget = Budget { memory_limit_mb: Some(100), ..Budget::default() };
        let mut heard = Heard::default();
        let mut meter = Meter::new(&budget, &mut heard);
        let now = meter.reported + Duration::from_secs(10);
        let reading = Reading { states: 1000, stored: 10 << 20, held: 20 << 20, ..Reading::default() };
        let progress = meter.progress(now, &reading);
        assert_eq!(progress.states_per_second.map(f64::round), Some(100.0));
        assert_eq!(progress.memory_share, Some(0.2));
        // 20 MB took 10 seconds; 80 are left.
        assert_eq!(progress.seconds_to_full.map(f64::round), Some(40.0));
        // Much later, and much slower: the first seconds no longer count.
        meter.progress(now + Duration::from_secs(10), &Reading { states: 1010, ..reading });
        let slow = meter.progress(now + Duration::from_secs(20), &Reading { states: 1020, ..reading });
        assert_eq!(slow.states_per_second.map(f64::round), Some(1.0));
    }
}
