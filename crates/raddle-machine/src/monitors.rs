//! What is checked beside an execution: data races, leaks, invariants, footprints of steps, and the loop that drives
//! an execution under a strategy. Depends on `semantics`.

pub mod clock;
pub mod drive;
pub mod evaluate;
pub mod footprint;
pub mod leak;
pub mod race;
pub mod signature;
pub mod watched;
