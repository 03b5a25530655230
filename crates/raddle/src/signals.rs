//! Signals that request the end: Ctrl-C (SIGINT), SIGTERM and SIGHUP.
//!
//! The first one makes the engines return what they have, the second ends at once; neither leaves a temporary file or
//! a compiler behind. A SIGHUP that was ignored when the process began (`nohup`) stays ignored.

use raddle_trace::Budget;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::atomic::Ordering;

/// What the first signal does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// The partial verdict.
    Finish,
    /// There is nothing to show.
    End,
    /// As `End`, but an interrupt belongs to the debugger that runs in the foreground.
    Leave,
}

/// Listens to them from now on. Without that they simply end the process, which is no reason not to run.
pub fn listen(budget: &Budget, first: First) {
    let mut wanted = vec![SIGINT, SIGTERM];
    if !hangup_is_ignored() {
        wanted.push(SIGHUP);
    }
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let cancel = budget.cancel.clone();
    let listening = move || {
        for signal in signals.forever() {
            if first == First::Leave && signal == SIGINT {
                continue;
            }
            if cancel.swap(true, Ordering::SeqCst) || first != First::Finish {
                raddle_driver::temporary::remove_all();
                std::process::exit(128 + signal);
            }
            let how = if signal == SIGINT { " (Ctrl-C again ends at once)" } else { "" };
            crate::terminal::complain(&format!("interrupted: writing partial results{how}"));
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(listening);
}

fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & 1 << (SIGHUP - 1) != 0
}
