//! Truth tables of formulas with few variables, and formulas out of tables.
//!
//! A formula that comes out of a table is written by Shannon expansion over its variables in their order, equal parts once:
//! what is equivalent becomes equal, and is as small as a decision diagram of that order is.

use crate::gates::{Formula, Gate};
use crate::graph::{Graph, VariableId};
use rustc_hash::FxHashMap;

/// Tables have at most so many variables: up to there projection is cheap.
pub const MOST_VARIABLES: usize = 14;

/// The tables of the six variables that vary inside a word.
const INSIDE: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// The values of a formula in all valuations of some variables; the first one varies fastest.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Table {
    words: Vec<u64>,
    variables: Vec<VariableId>,
}

impl Table {
    /// Nowhere true.
    pub(crate) fn empty(variables: &[VariableId]) -> Table {
        assert!(variables.len() <= MOST_VARIABLES, "a table of few variables");
        let words = 1 << variables.len().saturating_sub(6);
        Table { words: vec![0; words], variables: variables.to_vec() }
    }

    /// True also where the formula is, which has no other variables.
    pub(crate) fn add(&mut self, graph: &Graph, formula: Formula) {
        let below = graph.below([formula]);
        let at: FxHashMap<usize, usize> = below.iter().enumerate().map(|(at, gate)| (*gate, at)).collect();
        let position: FxHashMap<u32, usize> =
            self.variables.iter().enumerate().map(|(position, variable)| (variable.0, position)).collect();
        let mut values = vec![0u64; below.len()];
        for (number, word) in self.words.iter_mut().enumerate() {
            let read = |values: &[u64], f: Formula| {
                let value = values[at[&f.gate()]];
                if f.is_negated() { !value } else { value }
            };
            for (place, gate) in below.iter().enumerate() {
                values[place] = match graph.gate(*gate) {
                    Gate::True => u64::MAX,
                    Gate::Variable(variable) => match position[&variable] {
                        inside if inside < 6 => INSIDE[inside],
                        outside if number >> (outside - 6) & 1 == 1 => u64::MAX,
                        _ => 0,
                    },
                    Gate::And(a, b) => read(&values, a) & read(&values, b),
                    Gate::Xor(a, b) => read(&values, a) ^ read(&values, b),
                    Gate::If(c, a, b) => {
                        let c = read(&values, c);
                        (c & read(&values, a)) | (!c & read(&values, b))
                    }
                };
            }
            *word |= read(&values, formula);
        }
    }

    /// The formula of the table.
    pub(crate) fn formula(&self, graph: &mut Graph) -> Formula {
        let mut known = FxHashMap::default();
        expand(graph, &self.variables, &self.words, &mut known)
    }
}

fn expand(
    graph: &mut Graph,
    variables: &[VariableId],
    words: &[u64],
    known: &mut FxHashMap<(usize, Vec<u64>), Formula>,
) -> Formula {
    if words.iter().all(|word| *word == 0) {
        return Formula::FALSE;
    }
    if words.iter().all(|word| *word == u64::MAX) {
        return Formula::TRUE;
    }
    let key = (variables.len(), words.to_vec());
    if let Some(formula) = known.get(&key) {
        return *formula;
    }
    // Without variables a word is all zeros or all ones.
    let (last, rest) = variables.split_last().expect("a variable that it depends on");
    let (low, high) = if words.len() > 1 {
        let (low, high) = words.split_at(words.len() / 2);
        (low.to_vec(), high.to_vec())
    } else {
        // Both halves with the variable at one value, as a word that does not depend on it.
        let (mask, shift) = (INSIDE[rest.len()], 1 << rest.len());
        let (low, high) = (words[0] & !mask, words[0] & mask);
        (vec![low | low << shift], vec![high | high >> shift])
    };
    let low = expand(graph, rest, &low, known);
    let high = expand(graph, rest, &high, known);
    let value = graph.value(*last);
    let formula = graph.if_then_else(value, high, low);
    known.insert(key, formula);
    formula
}
