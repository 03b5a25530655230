//! The processor time of the thread, so that other work on the machine does not count; without a system that tells it, the
//! time that has passed.

use std::time::{Duration, Instant};

pub(super) struct Clock {
    processor: Option<Duration>,
    started: Instant,
}

impl Clock {
    pub(super) fn start() -> Clock {
        Clock { processor: processor_time(), started: Instant::now() }
    }

    pub(super) fn elapsed(&self) -> Duration {
        match (self.processor, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.started.elapsed(),
        }
    }
}

/// Linux: the first number is nanoseconds on a processor.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}
