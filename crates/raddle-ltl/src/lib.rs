//! Linear temporal logic: [`parse`] reads a [`Formula`].
//!
//! This crate depends on nothing else of ours. Absent from here: what a proposition means, what a program is, and any
//! recursion whose depth the input decides.

mod formula;
mod normal_form;
mod parse;
mod print;
mod simplify;

pub use formula::{Formula, FormulaBuilder, FormulaId, Node};
pub use parse::{MAXIMUM_DEPTH, MAXIMUM_NODES, ParseError, parse};
