//! From a formula to a generalised Büchi automaton with marks on the edges.
//!
//! Couvreur, "On-the-fly verification of linear temporal logic" (FM 1999): a state is what remains to be satisfied, an
//! edge is one way to satisfy it now, and an edge carries the mark of an until unless it puts that until off.
//! Deviations: disjunctions are explicit lists of moves (see the head of `obligations.rs`) where Couvreur has decision
//! diagrams, so that labels come out as the conjunctions that [`Edge`] has; there may be several initial
//! states; the formula is simplified before and the automaton reduced after.
//!
//! The automaton may be exponentially larger than the formula. A size beyond [`TranslateLimits`] is an error value.

use crate::automaton::{Automaton, Edge, lowest_bits};
use crate::formula::Formula;
use crate::obligations::{Conjunction, Effort, Obligations};
use crate::reduce::reduce;
use rustc_hash::FxHashMap;
use std::fmt;

/// Labels are masks of 64 bits.
pub const MAXIMUM_PROPOSITIONS: usize = 64;
/// Temporal subformulas, and literals under `X`, of the simplified formula.
pub const MAXIMUM_ELEMENTARY: usize = 128;
/// Marks are masks of 64 bits, one an until.
pub const MAXIMUM_UNTILS: usize = 64;

/// How large an automaton may become before it is reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TranslateLimits {
    pub states: usize,
    pub edges: usize,
}

impl Default for TranslateLimits {
    /// Far more than a readable formula needs; it takes less than a second to reach them.
    fn default() -> TranslateLimits {
        TranslateLimits { states: 5_000, edges: 100_000 }
    }
}

/// Why there is no automaton. The formula is not wrong; it is too large for this translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TranslateError {
    TooManyPropositions,
    TooManyElementary,
    TooManyUntils,
    /// Beyond [`TranslateLimits`], or too much work on the way.
    TooLarge,
}

impl fmt::Display for TranslateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            TranslateError::TooManyPropositions => format!("more than {MAXIMUM_PROPOSITIONS} propositions"),
            TranslateError::TooManyElementary => {
                format!("more than {MAXIMUM_ELEMENTARY} temporal subformulas")
            }
            TranslateError::TooManyUntils => format!("more than {MAXIMUM_UNTILS} `U` and `<>`"),
            TranslateError::TooLarge => "an automaton larger than the limits allow".to_string(),
        };
        write!(f, "the formula has {what}; split it into smaller formulas")
    }
}

impl std::error::Error for TranslateError {}

/// An automaton that accepts exactly the words on which `formula` holds. Bits of its labels are indices into
/// `formula.propositions()`.
pub fn translate(formula: &Formula, limits: &TranslateLimits) -> Result<Automaton, TranslateError> {
    if formula.propositions().len() > MAXIMUM_PROPOSITIONS {
        return Err(TranslateError::TooManyPropositions);
    }
    Ok(reduce(construct(&formula.simplified(), limits)?))
}

/// The tableau as it is, for a formula in negation normal form.
fn construct(formula: &Formula, limits: &TranslateLimits) -> Result<Automaton, TranslateError> {
    let mut effort =
        Effort { moves: limits.edges.min(8_192), comparisons: 1_000_000 + 2_000 * limits.edges as u64 };
    let obligations = Obligations::of(formula, &mut effort)?;
    let all_marks = lowest_bits(obligations.untils);
    let mut numbers: FxHashMap<Conjunction, u32> = FxHashMap::default();
    let mut conjunctions: Vec<Conjunction> = Vec::new();
    let mut number_of = |conjunction: Conjunction, conjunctions: &mut Vec<Conjunction>| {
        *numbers.entry(conjunction).or_insert_with(|| {
            conjunctions.push(conjunction);
            conjunctions.len() as u32 - 1
        })
    };
    let mut automaton = Automaton { acceptance_sets: obligations.untils, ..Automaton::default() };
    for &conjunction in &obligations.initial {
        let state = number_of(obligations.without_implied(conjunction), &mut conjunctions);
        if !automaton.initial.contains(&state) {
            automaton.initial.push(state);
        }
    }
    let mut edge_count = 0;
    while let Some(&conjunction) = conjunctions.get(automaton.states.len()) {
        let moves = obligations.moves_of(conjunction, &mut effort)?;
        edge_count += moves.len();
        let edges = moves.iter().map(|each| Edge {
            positive: each.positive,
            negative: each.negative,
            marks: all_marks & !each.promises,
            target: number_of(each.later, &mut conjunctions),
        });
        automaton.states.push(edges.collect());
        if conjunctions.len() > limits.states || edge_count > limits.edges {
            return Err(TranslateError::TooLarge);
        }
    }
    Ok(automaton)
}
