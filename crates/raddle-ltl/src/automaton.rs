//! Generalised Büchi automata with the acceptance marks on the edges.
//!
//! A word is accepted when some run over it passes infinitely often through an edge of every mark. With no mark at
//! all, every infinite run accepts. An edge's label is a conjunction of propositions and negated propositions; a
//! disjunction is several edges.

use std::fmt;

/// An edge, to be taken in a step whose valuation agrees with both masks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// Propositions that must hold, as bits over [`Formula::propositions`](crate::Formula::propositions).
    pub positive: u64,
    /// Propositions that must not hold.
    pub negative: u64,
    /// The acceptance sets that this edge belongs to.
    pub marks: u64,
    pub target: u32,
}

impl Edge {
    /// Whether a step in which exactly the propositions of `valuation` hold may take this edge.
    pub fn admits(&self, valuation: u64) -> bool {
        self.positive & !valuation == 0 && self.negative & valuation == 0
    }
}

/// An automaton; [`translate`](crate::translate()) makes it.
///
/// A run begins in one of the initial states. Its first edge reads the valuation of the first position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Automaton {
    /// Without repetition; empty when no word is accepted.
    pub initial: Vec<u32>,
    /// The edges of each state.
    pub states: Vec<Vec<Edge>>,
    /// Marks are the bits below this number; at most 64.
    pub acceptance_sets: u32,
}

impl Automaton {
    /// What [`find_lasso`](crate::find_lasso) must see on a cycle.
    pub fn all_marks(&self) -> u64 {
        lowest_bits(self.acceptance_sets)
    }

    pub fn edge_count(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }
}

/// A mask of `count` bits.
pub(crate) fn lowest_bits(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// One line a state, one an edge: `  p0 !p2 {0,1} -> s3`.
impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = |mask: u64| (0..64).filter(move |bit| mask >> bit & 1 == 1);
        write!(f, "{} acceptance sets; initial", self.acceptance_sets)?;
        for state in &self.initial {
            write!(f, " s{state}")?;
        }
        for (state, edges) in self.states.iter().enumerate() {
            write!(f, "\ns{state}")?;
            for edge in edges {
                write!(f, "\n ")?;
                for bit in bits(edge.positive) {
                    write!(f, " p{bit}")?;
                }
                for bit in bits(edge.negative) {
                    write!(f, " !p{bit}")?;
                }
                let marks: Vec<String> = bits(edge.marks).map(|bit| bit.to_string()).collect();
                write!(f, " {{{}}} -> s{}", marks.join(","), edge.target)?;
            }
        }
        Ok(())
    }
}
