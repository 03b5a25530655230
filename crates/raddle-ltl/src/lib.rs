//! Linear temporal logic: [`parse()`] reads a [`Formula`], [`translate()`] turns it into a generalised Büchi
//! [`Automaton`] whose edges carry the acceptance marks, and [`find_lasso`] searches a [`Graph`] that is built while
//! it is walked for a reachable cycle that carries every mark.
//!
//! To check that all runs of a system satisfy a formula, translate `formula.negated()`, offer the product of system
//! and automaton as a [`Graph`], and look for a lasso: it is a counterexample, and its absence is a proof. Fairness is
//! more marks: one a thread, on the edges where that thread steps or cannot step.
//!
//! A machine that may leave a request waiting, and the question whether every request is granted at last:
//!
//! ```
//! use raddle_ltl::{Automaton, Graph, TranslateLimits, find_lasso, parse, translate};
//!
//! struct Product { automaton: Automaton }
//!
//! impl Graph for Product {
//!     /// The machine's state (0: idle, 1: requested, 2: granted) and the automaton's.
//!     type Node = (usize, u32);
//!     type Stop = std::convert::Infallible;
//!
//!     fn initial(&mut self, out: &mut Vec<Self::Node>) {
//!         out.extend(self.automaton.initial.iter().map(|&state| (0, state)));
//!     }
//!
//!     fn successors(&mut self, (machine, state): Self::Node, out: &mut Vec<(Self::Node, u64)>) -> Result<(), Self::Stop> {
//!         // Bit 0: requested, bit 1: granted, in the order of `Formula::propositions`.
//!         let valuation = [0b00, 0b01, 0b10][machine];
//!         let next: &[usize] = [&[0, 1][..], &[1, 2], &[0]][machine];
//!         for edge in self.automaton.states[state as usize].iter().filter(|edge| edge.admits(valuation)) {
//!             out.extend(next.iter().map(|&machine| ((machine, edge.target), edge.marks)));
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let formula = parse("[] (requested -> <> granted)").unwrap();
//! let automaton = translate(&formula.negated(), &TranslateLimits::default()).unwrap();
//! let all_marks = automaton.all_marks();
//! let lasso = find_lasso(&mut Product { automaton }, all_marks).unwrap().expect("a request may wait for ever");
//! assert_eq!(lasso.stem.iter().map(|node| node.0).collect::<Vec<_>>(), [0, 1, 1]);
//! assert_eq!(lasso.cycle.iter().map(|node| node.0).collect::<Vec<_>>(), [1]);
//! ```
//!
//! This crate depends on no other crate of raddle. Absent from here: what a proposition means, what a program is, the
//! product of the two, and any recursion whose depth the input decides.

mod automaton;
mod components;
mod emptiness;
mod formula;
mod normal_form;
mod obligations;
mod parse;
mod print;
mod reduce;
mod shortest_path;
mod simplify;
mod simulation;
mod translate;
mod word;

pub use automaton::{Automaton, Edge};
pub use emptiness::{Graph, Lasso, find_lasso};
pub use formula::{Formula, FormulaBuilder, FormulaId, Node};
pub use parse::{MAXIMUM_DEPTH, MAXIMUM_NODES, ParseError, parse};
pub use translate::{TranslateError, TranslateLimits, translate};
pub use word::holds_on_word;
