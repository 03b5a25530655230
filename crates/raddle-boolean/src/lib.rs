//! Engines over Boolean programs and thread transition systems, after Basler, *Model checking Boolean programs* (2010).

mod answer;
mod control;
pub mod counters;
mod encoding;
pub mod hybrid;
pub mod liveness;
pub mod summaries;
mod thread_steps;
pub mod tts;
pub mod unbounded;

pub use answer::{Answer, Cut, Reason};
