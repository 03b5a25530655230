//! Engines over Boolean programs and thread transition systems, after Basler, *Model checking Boolean programs* (2010).

mod answer;
mod encoding;
pub mod summaries;

pub use answer::{Answer, Cut, Reason};
