//! Linear temporal logic: [`parse`] reads a [`Formula`], and [`find_lasso`] searches a [`Graph`] that is built while it
//! is walked for a reachable cycle that carries every mark.
//!
//! This crate depends on nothing else of ours. Absent from here: what a proposition means, what a program is, and any
//! recursion whose depth the input decides.

mod emptiness;
mod formula;
mod normal_form;
mod parse;
mod print;
mod simplify;

pub use emptiness::{Graph, Lasso, find_lasso};
pub use formula::{Formula, FormulaBuilder, FormulaId, Node};
pub use parse::{MAXIMUM_DEPTH, MAXIMUM_NODES, ParseError, parse};
