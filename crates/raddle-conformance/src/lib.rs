//! What tests of several crates share: the expectations that test programs carry in themselves.
//!
//! A development dependency only. It knows nothing of engines: the harness takes the checker as a closure.

mod expectation;
mod programs;

pub use expectation::{Expectation, Expected, Marker};
pub use programs::{Program, programs};
