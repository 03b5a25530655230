//! Reductions: fewer interleavings with the same answers. One technique a file; each header has the argument.

pub mod ample;
pub mod lock_pattern;
pub mod pending;
pub mod sleep_set;
pub mod superstep;
pub mod symmetry;
