//! One line on the terminal that says how far the search is, and Ctrl-C.

use raddle_trace::{Budget, Observer, Progress};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const REDRAW: Duration = Duration::from_millis(100);
/// A run that is over sooner than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// Draws on standard error if that is a terminal; otherwise does nothing.
pub struct ProgressLine {
    enabled: bool,
    started: Instant,
    drawn: Option<Instant>,
}

impl ProgressLine {
    pub fn new(quiet: bool) -> ProgressLine {
        let enabled = !quiet && std::io::stderr().is_terminal();
        ProgressLine { enabled, started: Instant::now(), drawn: None }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}

impl Observer for ProgressLine {
    fn progress(&mut self, progress: &Progress) {
        let now = Instant::now();
        let early = now.duration_since(self.started) < PATIENCE;
        if !self.enabled || early || self.drawn.is_some_and(|at| now.duration_since(at) < REDRAW) {
            return;
        }
        self.drawn = Some(now);
        let text = describe(progress, self.started.elapsed());
        let _ = write!(std::io::stderr().lock(), "\r\x1b[K{text}");
    }
}

fn describe(progress: &Progress, elapsed: Duration) -> String {
    let mut parts = vec![format!("{}: {:.1} s", progress.engine, elapsed.as_secs_f64())];
    parts.extend(progress.phase.clone());
    let counts = [
        (progress.executions, "executions"),
        (progress.states, "states"),
        (progress.steps, "steps"),
        (progress.depth, "deep"),
        (progress.queue, "waiting"),
    ];
    parts.extend(counts.iter().filter_map(|(count, unit)| Some(format!("{} {unit}", (*count)?))));
    let rates = [(progress.executions_per_second, "executions/s"), (progress.states_per_second, "states/s")];
    parts.extend(rates.iter().filter_map(|(rate, unit)| Some(format!("{:.0} {unit}", (*rate)?))));
    parts.join(", ")
}

/// The first Ctrl-C asks the engines for what they have; the second ends at once.
pub fn cancel_on_interrupt(budget: &Budget) {
    let cancel: Arc<AtomicBool> = budget.cancel.clone();
    // Without a handler Ctrl-C simply ends the process, which is no reason not to run.
    let _ = ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        crate::terminal::complain("interrupted: finishing with what is known (Ctrl-C again ends at once)");
    });
}
