//! Whether a formula holds on an ultimately periodic word, by the definition of the logic.
//!
//! Positions of the word are the letters of the stem and of the cycle; behind the last comes the first of the cycle. Each
//! subformula gets its truth at every position: `U` as a least fixpoint, `R` and `W` as greatest ones, which two rounds
//! against the direction of time reach. No automaton is used, so that an answer found by one can be checked.

use crate::formula::{Formula, Node};

/// Whether the formula holds on `stem` followed by `cycle` for ever. A letter has the bit of each proposition that holds.
///
/// # Panics
/// When the cycle is empty.
pub fn holds_on_word(formula: &Formula, stem: &[u64], cycle: &[u64]) -> bool {
    assert!(!cycle.is_empty(), "a word is infinite");
    let letters: Vec<u64> = stem.iter().chain(cycle).copied().collect();
    let count = letters.len();
    let next = |position: usize| if position + 1 == count { stem.len() } else { position + 1 };
    let mut truths: Vec<Vec<bool>> = Vec::with_capacity(formula.nodes().len());
    for node in formula.nodes() {
        let of = |id: crate::FormulaId| &truths[id.index()];
        let each = |f: &dyn Fn(usize) -> bool| (0..count).map(f).collect::<Vec<bool>>();
        let fixpoint = |first: bool, step: &dyn Fn(usize, bool) -> bool| {
            let mut truth = vec![first; count];
            for _ in 0..2 {
                for position in (0..count).rev() {
                    truth[position] = step(position, truth[next(position)]);
                }
            }
            truth
        };
        let truth = match *node {
            Node::True => vec![true; count],
            Node::False => vec![false; count],
            Node::Proposition(number) => each(&|i| letters[i] >> number & 1 == 1),
            Node::Not(a) => each(&|i| !of(a)[i]),
            Node::Next(a) => each(&|i| of(a)[next(i)]),
            Node::And(a, b) => each(&|i| of(a)[i] && of(b)[i]),
            Node::Or(a, b) => each(&|i| of(a)[i] || of(b)[i]),
            Node::Implies(a, b) => each(&|i| !of(a)[i] || of(b)[i]),
            Node::Equivalent(a, b) => each(&|i| of(a)[i] == of(b)[i]),
            Node::Until(a, b) => fixpoint(false, &|i, later| of(b)[i] || of(a)[i] && later),
            Node::Release(a, b) => fixpoint(true, &|i, later| of(b)[i] && (of(a)[i] || later)),
            Node::WeakUntil(a, b) => fixpoint(true, &|i, later| of(b)[i] || of(a)[i] && later),
        };
        truths.push(truth);
    }
    truths[formula.root().index()][0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[track_caller]
    fn check(text: &str, stem: &[u64], cycle: &[u64], expected: bool) {
        let formula = parse(text).expect("well-formed");
        assert_eq!(holds_on_word(&formula, stem, cycle), expected, "{text}");
    }

    #[test]
    fn by_hand() {
        // Bit 0: p, bit 1: q, in the order of appearance.
        check("[]<> p", &[0, 0], &[0, 1], true);
        check("<>[] p", &[0, 0], &[0, 1], false);
        check("<>[] p", &[0, 0], &[1], true);
        check("p U q", &[1, 1, 2], &[0], true);
        check("p U q", &[1, 1], &[1], false);
        check("p W q", &[1, 1], &[1], true);
        check("p V q", &[2, 3], &[0], true);
        check("p V q", &[2, 2], &[2], true);
        check("p V q", &[2, 1], &[0], false);
        check("[] (p -> X q)", &[1, 2], &[1, 2], true);
        check("X X X X p", &[0], &[0, 1], true);
        check("X X X p", &[0], &[0, 1], false);
        check("[] (p -> <> q)", &[0], &[1, 0, 2], true);
        check("[] (p -> <> q)", &[2], &[1, 0], false);
    }
}
