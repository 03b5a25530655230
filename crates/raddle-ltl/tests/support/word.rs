//! Ultimately periodic words, and what a formula means on them, by the definition: no automaton, no normal form.
//!
//! A word is a row of positions of which the last is followed by the position `back`. The value of a temporal operator
//! at a position looks along the positions that follow, each once: `length` steps see them all.

use super::random::Random;
use raddle_ltl::{Automaton, Formula, Graph, Lasso, Node, find_lasso};
use std::convert::Infallible;

pub struct Word {
    /// The propositions that hold at each position.
    pub positions: Vec<u64>,
    /// What follows the last position.
    pub back: usize,
}

impl Word {
    pub fn random(random: &mut Random, propositions: u64) -> Word {
        let length = 1 + random.below(6) as usize;
        let positions = (0..length).map(|_| random.below(1 << propositions)).collect();
        Word { positions, back: random.below(length as u64) as usize }
    }

    pub fn follows(&self, position: usize) -> usize {
        if position + 1 == self.positions.len() { self.back } else { position + 1 }
    }

    /// Whether the formula holds at the first position.
    pub fn satisfies(&self, formula: &Formula) -> bool {
        let length = self.positions.len();
        let mut values: Vec<Vec<bool>> = Vec::new();
        for &node in formula.nodes() {
            let value = |position: usize| -> bool {
                match node {
                    Node::True => true,
                    Node::False => false,
                    Node::Proposition(number) => self.positions[position] >> number & 1 == 1,
                    Node::Not(a) => !values[a.index()][position],
                    Node::Next(a) => values[a.index()][self.follows(position)],
                    Node::And(a, b) => values[a.index()][position] && values[b.index()][position],
                    Node::Or(a, b) => values[a.index()][position] || values[b.index()][position],
                    Node::Implies(a, b) => !values[a.index()][position] || values[b.index()][position],
                    Node::Equivalent(a, b) => values[a.index()][position] == values[b.index()][position],
                    Node::Until(a, b) => self.until(position, &values[a.index()], &values[b.index()]),
                    // Not (not a until not b).
                    Node::Release(a, b) => {
                        let not_a: Vec<bool> = values[a.index()].iter().map(|value| !value).collect();
                        let not_b: Vec<bool> = values[b.index()].iter().map(|value| !value).collect();
                        !self.until(position, &not_a, &not_b)
                    }
                    // Until, or the first for ever.
                    Node::WeakUntil(a, b) => {
                        let not_a: Vec<bool> = values[a.index()].iter().map(|value| !value).collect();
                        self.until(position, &values[a.index()], &values[b.index()])
                            || !self.until(position, &vec![true; length], &not_a)
                    }
                }
            };
            let row = (0..length).map(value).collect();
            values.push(row);
        }
        values[formula.root().index()][0]
    }

    fn until(&self, from: usize, first: &[bool], second: &[bool]) -> bool {
        let mut position = from;
        for _ in 0..self.positions.len() {
            if second[position] {
                return true;
            }
            if !first[position] {
                return false;
            }
            position = self.follows(position);
        }
        false
    }
}

/// The automaton's runs over one word: nodes are pairs of position and state.
pub struct Product<'a> {
    pub word: &'a Word,
    pub automaton: &'a Automaton,
}

impl Graph for Product<'_> {
    type Node = (u32, u32);
    type Stop = Infallible;

    fn initial(&mut self, out: &mut Vec<(u32, u32)>) {
        out.extend(self.automaton.initial.iter().map(|&state| (0, state)));
    }

    fn successors(&mut self, node: (u32, u32), out: &mut Vec<((u32, u32), u64)>) -> Result<(), Infallible> {
        let position = node.0 as usize;
        let next = self.word.follows(position) as u32;
        let possible = self.automaton.states[node.1 as usize]
            .iter()
            .filter(|edge| edge.admits(self.word.positions[position]));
        out.extend(possible.map(|edge| ((next, edge.target), edge.marks)));
        Ok(())
    }
}

/// An accepting run over the word, if there is one.
pub fn accepting_run(automaton: &Automaton, word: &Word) -> Option<Lasso<(u32, u32)>> {
    find_lasso(&mut Product { word, automaton }, automaton.all_marks()).unwrap_or_else(|never| match never {})
}
