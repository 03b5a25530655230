//! Engines over Boolean programs and thread transition systems, after Basler, *Model checking Boolean programs* (2010).
//!
//! Boolean programs are read as control-flow graphs ([`raddle_bp::flow`]). [`summaries`] is for one thread with recursion,
//! [`hybrid`] and [`counters`] for a bounded number of threads, [`unbounded`] for any number. Each gives an [`Answer`]; a
//! counterexample is a run that [`raddle_bp::interpreter::replay`] executes.

mod answer;
pub mod context_bounded;
mod control;
mod counted;
pub mod counters;
mod encoding;
mod footprints;
mod formula_diagrams;
pub mod hybrid;
pub mod liveness;
mod multisets;
mod naming;
pub mod nesting;
mod partial_order;
pub mod sat_summaries;
pub mod structural_abstraction;
pub mod summaries;
mod symbolic;
pub mod symbolic_counters;
mod thread_steps;
pub mod translation;
pub mod tts;
pub mod unbounded;
pub mod universal_summaries;
mod variable_order;

pub use answer::{Answer, Cut, Reason};
pub use partial_order::PartialOrder;
pub use symbolic::{QueryCounts, SymbolicConfig};
