//! One line on the terminal that says how far the search is.

use raddle_trace::{Observer, Progress, Property, Trace};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const REDRAW: Duration = Duration::from_millis(100);
/// A run that is over sooner than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// The counterexamples so far, one a property: shown even if the run has to be ended from outside.
pub type Found = Arc<Mutex<Vec<(Property, Trace)>>>;

/// Draws on standard error if that is a terminal, and keeps counterexamples.
pub struct ProgressLine {
    enabled: bool,
    started: Instant,
    drawn: Option<Instant>,
    pub found: Found,
}

impl ProgressLine {
    pub fn new(quiet: bool) -> ProgressLine {
        let enabled = !quiet && std::io::stderr().is_terminal();
        ProgressLine { enabled, started: Instant::now(), drawn: None, found: Found::default() }
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

    fn violated(&mut self, property: &Property, trace: &Trace) {
        let mut found = self.found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        found.push((property.clone(), trace.clone()));
    }
}

fn describe(progress: &Progress, elapsed: Duration) -> String {
    let mut parts = vec![format!("{}: {:.1} s", progress.engine, elapsed.as_secs_f64())];
    if !progress.violated.is_empty() {
        let words: Vec<String> = progress.violated.iter().map(Property::to_string).collect();
        parts.push(format!("{} violated (Ctrl-C prints the trace)", words.join(", ")));
    }
    parts.extend(progress.phase.clone());
    let counts =
        [(progress.executions, "executions"), (progress.states, "states"), (progress.steps, "steps")];
    parts.extend(counts.iter().filter_map(|(count, unit)| Some(format!("{} {unit}", (*count)?))));
    parts.extend(progress.depth.map(|depth| format!("depth {depth}")));
    parts.extend(progress.queue.map(|queued| format!("{queued} queued")));
    parts.extend(progress.estimated_executions.map(|all| format!("of about {}", rounded(all))));
    let rates = [(progress.executions_per_second, "executions/s"), (progress.states_per_second, "states/s")];
    parts.extend(rates.iter().filter_map(|(rate, unit)| Some(format!("{:.0} {unit}", (*rate)?))));
    parts.extend(progress.bytes_per_state.map(|bytes| format!("{bytes:.0} bytes/state")));
    parts.extend(progress.bytes.map(|bytes| memory(bytes, progress)));
    parts.join(", ")
}

/// What is held, how full the memory is, and when it will be.
fn memory(bytes: u64, progress: &Progress) -> String {
    let mut text = format!("{} MB", bytes >> 20);
    if let Some(share) = progress.memory_share {
        text += &format!(" ({:.0}% of the limit", 100.0 * share);
        text += &match progress.seconds_to_full {
            Some(seconds) if seconds < 100.0 * 3600.0 => format!(", full in {})", duration(seconds)),
            _ => ")".into(),
        };
    }
    text
}

/// Two digits are more than an estimate is worth.
fn rounded(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{number:.1e}") }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_how_full_the_memory_is() {
        let progress = Progress {
            engine: "explicit".into(),
            states: Some(50_000),
            depth: Some(17),
            queue: Some(900),
            states_per_second: Some(25_000.4),
            bytes_per_state: Some(21.6),
            bytes: Some(30 << 20),
            memory_share: Some(0.3),
            seconds_to_full: Some(42.0),
            ..Progress::default()
        };
        let line = describe(&progress, Duration::from_secs(2));
        let expected = "explicit: 2.0 s, 50000 states, depth 17, 900 queued, 25000 states/s, 22 bytes/state, \
                        30 MB (30% of the limit, full in 42 s)";
        assert_eq!(line, expected);
        let estimated =
            Progress { executions: Some(12), estimated_executions: Some(3.4e7), ..Progress::default() };
        assert!(describe(&estimated, Duration::ZERO).ends_with("12 executions, of about 3.4e7"));
        let partly = Progress { violated: vec![Property::Assert], ..progress.clone() };
        assert!(
            describe(&partly, Duration::ZERO)
                .starts_with("explicit: 0.0 s, assert violated (Ctrl-C prints the trace)")
        );
        let never = Progress { seconds_to_full: None, ..progress };
        assert!(describe(&never, Duration::ZERO).ends_with("30 MB (30% of the limit)"));
        assert_eq!((duration(600.0), duration(36_000.0)), ("10 min".into(), "10 h".into()));
    }
}
