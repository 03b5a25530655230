//! The last resort for limits: a thread that ends the process with `unknown` when an engine does not stop by itself.
//!
//! Engines poll their budget often and return what they have. Where one step of theirs takes too long, or takes more
//! memory than an estimate said, the watchdog prints a report in which every row is `unknown` and names the limit. It
//! comes late enough for every engine that keeps to its budget, and early enough for the limits of the command line: a
//! second beyond `--timeout`, a tenth or 100 MB beyond `--memory-limit`: the loaded program and its models take some 40 MB,
//! and what one search frees is not at once given back.

use raddle_trace::{Budget, StopReason};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, park_timeout};
use std::time::{Duration, Instant};

/// Beyond the time limit. Counted in processor time as well, so that a machine that is busy with other things does not
/// take a run's chance to report what it found; but not beyond the second one.
const LATE: Duration = Duration::from_millis(700);
const LATE_ON_A_BUSY_MACHINE: Duration = Duration::from_secs(4);
/// While a counterexample is shortened and narrated: the effort is bounded, and a violation that was found is not lost
/// to a slow machine.
const LATE_WHILE_TELLING: Duration = Duration::from_secs(20);
/// After a signal: shortening a trace that was found may take a moment.
const LATE_AFTER_SIGNAL: Duration = Duration::from_secs(3);
/// Between two checks of the clock, and of the memory: a program can take a gigabyte a second.
const LOOK: Duration = Duration::from_millis(20);
const LOOK_AT_MEMORY: Duration = Duration::from_millis(4);

/// Watches until it is called off.
pub struct Watchdog {
    /// Taken by the side that reports: the run, or this thread.
    report: Arc<Mutex<bool>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// `emergency` prints the report for a limit, and ends the process.
    pub fn start(budget: &Budget, emergency: impl FnOnce(StopReason) + Send + 'static) -> Watchdog {
        let (report, over) = (Arc::new(Mutex::new(false)), Arc::new(AtomicBool::new(false)));
        let (budget, taken, done) = (budget.clone(), report.clone(), over.clone());
        let before = resident_bytes().unwrap_or(0);
        let pause = if budget.memory_limit_mb.is_some() { LOOK_AT_MEMORY } else { LOOK };
        let watch = move || {
            let mut cancelled: Option<Instant> = None;
            let mut expired: Option<(Instant, Option<Duration>)> = None;
            // When a limit was first reached.
            let mut first: Option<Instant> = None;
            let why = loop {
                if done.load(Ordering::Relaxed) {
                    return;
                }
                let reporting = budget.reporting.load(Ordering::Relaxed);
                if budget.timeout.is_some_and(|limit| budget.started.elapsed() >= limit) {
                    first.get_or_insert_with(Instant::now);
                    let (since, before) = *expired.get_or_insert_with(|| (Instant::now(), processor_time()));
                    let used = processor_time().zip(before).map(|(now, before)| now.saturating_sub(before));
                    let busy =
                        used.is_some_and(|used| used < LATE) && since.elapsed() < LATE_ON_A_BUSY_MACHINE;
                    if since.elapsed() >= LATE && !busy && !reporting {
                        break StopReason::TimedOut;
                    }
                }
                if budget.cancel.load(Ordering::Relaxed) {
                    first.get_or_insert_with(Instant::now);
                    let since = cancelled.get_or_insert_with(Instant::now);
                    if since.elapsed() >= LATE_AFTER_SIGNAL && !reporting {
                        break StopReason::Cancelled;
                    }
                }
                // What comes after the reporting has its own time limit.
                if reporting {
                    if first.is_some_and(|first| first.elapsed() >= LATE_WHILE_TELLING) {
                        break budget.interruption().unwrap_or(StopReason::TimedOut);
                    }
                    (expired, cancelled) = (None, None);
                }
                if budget.memory_limit_mb.is_some_and(|limit| grown_beyond(before, limit)) {
                    break StopReason::OutOfMemory;
                }
                park_timeout(pause);
            };
            // Kept until the process ends: the run must not begin to print now.
            let mut taken = taken.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if !*taken {
                *taken = true;
                emergency(why);
            }
        };
        let thread = std::thread::Builder::new().name("watchdog".into()).spawn(watch).ok();
        Watchdog { report, over, thread }
    }

    /// The run has its report. Does not return if the watchdog was faster.
    pub fn call_off(mut self) {
        *self.report.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = true;
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
        }
    }
}

/// Whether the process has grown further than its limit allows, with a tenth or 100 MB on top.
fn grown_beyond(before: u64, limit_mb: u64) -> bool {
    let most = limit_mb.saturating_add((limit_mb / 10).max(100)).saturating_mul(1 << 20);
    resident_bytes().is_some_and(|now| now.saturating_sub(before) > most)
}

/// What the process has used of the processors, where the system reports it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may have anything in it, a bracket too; the times are the 12th and 13th fields behind it.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(
        (ticks()? + ticks()?).saturating_mul(1000) / rustix::param::clock_ticks_per_second(),
    ))
}

/// What the process has in memory, where the system reports it.
fn resident_bytes() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split(' ').nth(1)?.parse().ok()?;
    Some(pages.saturating_mul(rustix::param::page_size() as u64))
}
