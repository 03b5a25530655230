//! The explicit-state engine: every reachable state of a program, once.
//!
//! See the README for what it proves and what it misses. [`explore`] is the entry point; one technique a file behind
//! it.

mod reduction;
mod search;
mod store;
mod temporal;

pub use search::input_values::Sample;
pub use search::race_completeness::UnorderedOperation;
pub use search::successors::Finding;
pub use search::{Config, Discovery, Explored, Order, Stop, Storage, explore};
pub use temporal::atomic_sections::Gap;
pub use temporal::{Question, Runs, RunsSearched, search_runs};
