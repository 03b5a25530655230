//! Symbolic execution of unrolled threads: all inputs at once, and all interleavings as one formula of events and orderings.
//!
//! [`check`] executes each thread once on terms (`executor.rs`), again and again until it is known which bytes threads share
//! (`sharing.rs`); loops are unrolled as far as an unwinding query needs it; each property is one query of a SAT solver with
//! an ordering theory (`order.rs`), or of a tree of interleavings (`interleavings.rs`). A satisfying assignment leaves as moves of the machine.
//!
//! Absent here: verdicts, replay, printing. A limit of the engine is a value ([`Outcome::limits`]).

mod access;
mod addresses;
mod await_loop;
mod calls;
mod confirmed;
mod conflict_limit;
mod contended;
mod contents;
mod control_flow;
mod critical_sections;
mod domain;
mod engine;
mod executor;
mod indexed_pointers;
mod instructions;
mod interleavings;
mod kernel;
mod last_step;
mod merge;
mod observed_addresses;
mod order;
mod overlay;
mod pointers;
mod possible_values;
mod prefix;
mod race_points;
mod races;
mod release_sequences;
mod removable_rounds;
mod schedule;
mod sharing;
mod state;
mod transfer;
mod unrolling;
mod value_ranges;

pub use confirmed::Violated;
pub use engine::{Certify, Config, Outcome, Query, Style, check, check_confirming};
pub use interleavings::Switches;
pub use raddle_solver::{Certificate, OrderingEncoding};
pub use unrolling::{CutPlace, FaultClass};
