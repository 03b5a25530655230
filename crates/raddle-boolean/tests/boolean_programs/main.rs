//! Engines over Boolean programs, each compared with the reference interpreter.
//!
//! `RADDLE_SEEDS=5000` makes the comparisons with random programs as many.

mod counters;
mod hybrid;
mod large;
mod sequential;
mod summaries;
mod support;
mod unbounded;
