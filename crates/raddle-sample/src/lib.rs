//! Sampling engines: one schedule (`run`), random schedules (`random`), probabilistic concurrency testing (`pct`), random schedules
//! that are steered towards given lines (`directed`).
//!
//! They find bugs and never prove: a row is `violated` or `bounded`.

mod bounded;
pub mod directed;
pub mod engine;
mod generator;
mod pct;
mod random;

pub use bounded::Bounded;
pub use generator::Generator;
pub use pct::Pct;
pub use random::Random;
