//! The explicit-state engine: every reachable state of a program, once.
//!
//! See the README for what it proves and what it misses. [`explore`] is the entry point for properties of finite runs,
//! [`search_runs`] for temporal ones. One technique a file, in four modules: `search` (orders of search, successors,
//! properties), `reduction` (partial order and symmetry reduction), `store` (state storage and the transition cache),
//! `temporal` (fair cycles).

mod reduction;
mod search;
mod store;
mod temporal;

pub use search::input_values::Sample;
pub use search::race_completeness::UnorderedOperation;
pub use search::successors::Finding;
pub use search::{Config, Discovery, Explored, Order, Stop, Storage, explore};
pub use temporal::atomic_sections::Gap;
pub use temporal::{TemporalConfig, TemporalQuery, TemporalResult, search_runs};
