//! What tests of several crates share: the expectations that test programs carry in themselves, random concurrent
//! programs, and a brute-force search to compare engines with.
//!
//! A development dependency only. It does not depend on engines: the harness takes the checker as a closure.

mod boolean_corpus;
mod boolean_padding;
mod boolean_random;
mod called;
pub mod concurrent;
mod disciplined;
mod expectation;
pub mod native;
mod programs;
mod random;

pub use boolean_corpus::{BooleanProgram, boolean_programs};
pub use boolean_padding::with_skips;
pub use boolean_random::{BooleanShape, random_boolean_program};
pub use called::called_program;
pub use disciplined::{Disciplined, disciplined_program};
pub use expectation::{Expectation, Expected, Marker};
pub use programs::{Program, programs};
pub use random::Random;
