//! Engines without progress of their own: the observer is notified at least that they run, and how large they are.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use raddle_trace::{Observer, Progress};

use crate::check::peak_memory_kb;

/// Between two lines.
const TICK: Duration = Duration::from_millis(200);
/// As much as a main thread has, and more: formulas and diagrams are deep.
const STACK: usize = 64 << 20;

/// Runs a search in a thread of its own, and notifies the observer now and then that it goes on.
pub fn ticking<T: Send>(engine: &str, observer: &mut dyn Observer, search: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let (over, running) = channel::<()>();
        let searching = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
            // Dropped at its end, however that comes.
            let _over = over;
            search()
        });
        let searching = searching.expect("a thread can be started");
        while running.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            let bytes = peak_memory_kb().map(|kb| kb << 10);
            observer.progress(&Progress { engine: engine.into(), bytes, ..Progress::default() });
        }
        searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
