//! Engines over Boolean programs, each compared with the reference interpreter.
//!
//! `RADDLE_SEEDS=5000` makes the comparisons with random programs as many.

mod context_bounded;
mod counters;
mod hybrid;
mod large;
mod limits;
mod reductions;
mod sequential;
mod summaries;
mod support;
mod symbolic_counters;
mod translation;
mod unbounded;
