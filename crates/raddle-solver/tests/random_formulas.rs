//! Everything against truth tables, on random formulas of few variables.
//!
//! `RADDLE_SEEDS=100000` makes the comparisons as many.

use raddle_solver::{
    ForAllExists, Formula, Graph, Solver, Stop, VariableId, for_all_exists, match_equations, project,
};
use std::collections::HashMap;

/// The generator of Marsaglia's xorshift family; the same numbers everywhere.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

/// A formula, and beside it the same as a table over all valuations of the variables.
fn random_formula(
    random: &mut Random,
    graph: &mut Graph,
    variables: &[VariableId],
    depth: usize,
) -> (Formula, u64) {
    let rows = 1u32 << variables.len();
    if depth == 0 || random.below(6) == 0 {
        if random.below(12) == 0 {
            let value = random.below(2) == 1;
            return (Formula::constant(value), if value { mask(rows) } else { 0 });
        }
        let index = random.below(variables.len());
        let table = (0..rows).filter(|row| row >> index & 1 == 1).fold(0u64, |table, row| table | 1 << row);
        return (graph.value(variables[index]), table);
    }
    let (a, of_a) = random_formula(random, graph, variables, depth - 1);
    let (b, of_b) = random_formula(random, graph, variables, depth - 1);
    match random.below(6) {
        0 => (graph.and(a, b), of_a & of_b),
        1 => (graph.or(a, b), of_a | of_b),
        2 => (graph.xor(a, b), of_a ^ of_b),
        3 => (graph.equal(a, b), !(of_a ^ of_b) & mask(rows)),
        4 => (!a, !of_a & mask(rows)),
        _ => {
            let (c, of_c) = random_formula(random, graph, variables, depth - 1);
            (graph.if_then_else(c, a, b), (of_c & of_a) | (!of_c & of_b & mask(rows)))
        }
    }
}

fn mask(rows: u32) -> u64 {
    if rows == 64 { u64::MAX } else { (1 << rows) - 1 }
}

fn seeds(usual: u64) -> u64 {
    std::env::var("RADDLE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn variables(graph: &mut Graph, count: usize) -> Vec<VariableId> {
    (0..count).map(|_| graph.variable()).collect()
}

#[test]
fn gates_substitution_and_solutions_are_those_of_the_table() {
    for seed in 0..seeds(1500) {
        let mut random = Random::new(seed);
        let mut graph = Graph::new();
        let names = variables(&mut graph, 6);
        let (formula, table) = random_formula(&mut random, &mut graph, &names, 5);
        for row in 0..64u32 {
            let value =
                graph.evaluate(&[formula], |v| row >> names.iter().position(|n| *n == v).unwrap() & 1 == 1);
            assert_eq!(value[0], table >> row & 1 == 1, "seed {seed}, row {row}");
        }
        let mut solver = Solver::new(&Stop::never());
        let mut rest = table;
        solver.assert(&graph, formula);
        // All solutions, one after the other.
        while solver.solve(&graph, &[]).unwrap() {
            let values: Vec<bool> = names.iter().map(|name| solver.value(&graph, *name)).collect();
            let row = values.iter().enumerate().fold(0, |row, (bit, value)| row | usize::from(*value) << bit);
            assert!(rest >> row & 1 == 1, "seed {seed}, row {row}");
            rest &= !(1 << row);
            let here: Vec<Formula> =
                names.iter().zip(&values).map(|(name, value)| graph.value(*name).negate_if(!value)).collect();
            let here = graph.all(here);
            solver.assert(&graph, !here);
        }
        assert_eq!(rest, 0, "seed {seed}");
        // A formula in the place of a variable.
        let (other, other_table) = random_formula(&mut random, &mut graph, &names, 3);
        let replaced = HashMap::<_, _, _>::from_iter([(names[2], other)]);
        let put_in = graph.substitute(&[formula], &replaced)[0];
        for row in 0..64u32 {
            let changed = (row & !4) | ((other_table >> row & 1) as u32 * 4);
            let value =
                graph.evaluate(&[put_in], |v| row >> names.iter().position(|n| *n == v).unwrap() & 1 == 1);
            assert_eq!(value[0], table >> changed & 1 == 1, "seed {seed}, row {row}");
        }
    }
}

/// For all of the first three or so, some of the others.
#[test]
fn one_alternation_is_decided_as_by_expansion() {
    let (mut valid, all) = (0, seeds(1500));
    for seed in 0..all {
        let mut random = Random::new(seed ^ 0xABCD);
        let mut graph = Graph::new();
        let names = variables(&mut graph, 6);
        let universal = 1 + random.below(5);
        let (matrix, table) = random_formula(&mut random, &mut graph, &names, 5);
        let (premise, premise_table) = random_formula(&mut random, &mut graph, &names[..universal], 2);
        let answered = |left: usize| {
            (0..1 << (6 - universal)).any(|right: usize| table >> (right << universal | left) & 1 == 1)
        };
        let within = |left: usize| premise_table >> left & 1 == 1;
        let expected = (0..1usize << universal).all(|left| !within(left) || answered(left));
        match for_all_exists(&mut graph, premise, &names[universal..], matrix, &Stop::never()).unwrap() {
            ForAllExists::Valid => assert!(expected, "seed {seed}"),
            ForAllExists::Refuted(values) => {
                let left = names[..universal].iter().enumerate().fold(0, |left, (bit, name)| {
                    left | usize::from(values.get(name).copied().unwrap_or(false)) << bit
                });
                assert!(!expected && within(left) && !answered(left), "seed {seed}");
            }
        }
        valid += u64::from(expected);
        // Without the variables on the right: the same as a table.
        let projected =
            project(&mut graph, matrix, &names[universal..], 64, &Stop::never()).unwrap().expect("few");
        for left in 0..1usize << universal {
            let value = graph
                .evaluate(&[projected], |v| left >> names.iter().position(|n| *n == v).unwrap() & 1 == 1);
            assert_eq!(value[0], answered(left), "seed {seed}");
        }
        // Equivalent ones come out equal.
        let again = graph.or(matrix, projected);
        let again = project(&mut graph, again, &names[universal..], 64, &Stop::never()).unwrap();
        assert_eq!(again, Some(projected), "seed {seed}");
    }
    assert!(valid * 10 > all && valid * 10 < all * 9, "{valid} of {all}");
}

/// Equations between what the last three variables make and what the first three make.
#[test]
fn matching_equations_changes_nothing() {
    for seed in 0..seeds(1500) {
        let mut random = Random::new(seed ^ 0x1234);
        let mut graph = Graph::new();
        let names = variables(&mut graph, 6);
        let (condition, _) = random_formula(&mut random, &mut graph, &names, 3);
        let equations: Vec<(Formula, Formula)> = (0..3)
            .map(|_| {
                let depth = random.below(3);
                let (left, _) = random_formula(&mut random, &mut graph, &names, depth);
                let (right, _) = random_formula(&mut random, &mut graph, &names[..3], 2);
                (left, right)
            })
            .collect();
        let plain = graph.all_equal(equations.iter().copied());
        let plain = graph.and(plain, condition);
        let matched = match_equations(&mut graph, condition, &equations, &names[3..]);
        let expected = project(&mut graph, plain, &names[3..], 64, &Stop::never()).unwrap().expect("few");
        let found = project(&mut graph, matched.formula, &matched.flexible, 64, &Stop::never())
            .unwrap()
            .expect("few");
        let differ = graph.xor(expected, found);
        let mut solver = Solver::new(&Stop::never());
        solver.assert(&graph, differ);
        assert_eq!(solver.solve(&graph, &[]), Ok(false), "seed {seed}");
    }
}

/// Too many variables for a table: instances are collected as they are.
#[test]
fn projection_of_many_variables() {
    for seed in 0..seeds(200) {
        let mut random = Random::new(seed ^ 0x77);
        let mut graph = Graph::new();
        let names = variables(&mut graph, 6);
        let many: Vec<Formula> = (0..12).map(|_| graph.fresh()).collect();
        let (formula, table) = random_formula(&mut random, &mut graph, &names, 4);
        // Also says something about the others, which are left.
        let others = graph.any(many.iter().copied());
        let whole = graph.and(formula, others);
        let projected = project(&mut graph, whole, &names[3..], 64, &Stop::never()).unwrap().expect("few");
        for left in 0..8usize {
            let expected = (0..8).any(|right: usize| table >> (right << 3 | left) & 1 == 1);
            let value = graph.evaluate(&[projected], |v| match names.iter().position(|n| *n == v) {
                Some(bit) => left >> bit & 1 == 1,
                None => true,
            });
            assert_eq!(value[0], expected, "seed {seed}");
        }
    }
}

/// Tables of more variables than fit into a word.
#[test]
fn tables_of_up_to_fourteen_variables() {
    for seed in 0..seeds(200) {
        let mut random = Random::new(seed ^ 0x99);
        let mut graph = Graph::new();
        let names = variables(&mut graph, 6);
        let more: Vec<VariableId> = variables(&mut graph, 8);
        let (formula, _) = random_formula(&mut random, &mut graph, &names, 4);
        let mut whole = formula;
        for name in &more {
            let value = graph.value(*name);
            whole = match random.below(3) {
                0 => graph.xor(whole, value),
                1 => graph.and(whole, value),
                _ => graph.or(whole, value),
            };
        }
        let projected = project(&mut graph, whole, &[], 1, &Stop::never()).unwrap().expect("one instance");
        let differ = graph.xor(whole, projected);
        let mut solver = Solver::new(&Stop::never());
        solver.assert(&graph, differ);
        assert_eq!(solver.solve(&graph, &[]), Ok(false), "seed {seed}");
    }
}
