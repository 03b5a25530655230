//! A formula without some of its variables: those for which it holds with *some* values of them.
//!
//! By expansion: as long as the formula can hold where what has been collected does not, the values that were found
//! for the hidden variables are put in, and the result is collected. It is exact when nothing new can be found. After
//! McMillan, *Applying SAT methods in unbounded symbolic model checking* (2002); here, whole instances are collected
//! in place of cubes.
//!
//! If few variables are left, what is collected is a table, out of which the formula is written anew: it is small, and
//! equivalent ones are equal.

use crate::gates::Formula;
use crate::graph::{Graph, VariableId};
use crate::solver::Solver;
use crate::table::{MOST_VARIABLES, Table};
use crate::{Stop, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};

/// A table takes so many times as many instances: they do not add up.
const MORE_IN_TABLES: usize = 64;

/// The formula with the hidden variables quantified, if that takes at most `most` instances, or 64 times as many if few
/// variables are left.
///
/// # Errors
///
/// If it was stopped.
pub fn project(
    graph: &mut Graph,
    formula: Formula,
    hidden: &[VariableId],
    most: usize,
    stop: &Stop,
) -> Result<Option<Formula>, Stopped> {
    let without: FxHashSet<VariableId> = hidden.iter().copied().collect();
    let mut left = graph.support([formula]);
    left.retain(|variable| !without.contains(variable));
    if left.len() > MOST_VARIABLES {
        let mut collected = Formula::FALSE;
        let exact = instances(graph, formula, hidden, most, stop, |graph, instance| {
            collected = graph.or(collected, instance);
        })?;
        return Ok(exact.then_some(collected));
    }
    let mut table = Table::empty(&left);
    let mark = graph.mark();
    let exact = instances(graph, formula, hidden, most * MORE_IN_TABLES, stop, |graph, instance| {
        table.add(graph, instance);
    });
    graph.rewind(mark);
    Ok(exact?.then(|| table.formula(graph)))
}

/// Collects instances. Says whether they are all.
fn instances(
    graph: &mut Graph,
    formula: Formula,
    hidden: &[VariableId],
    most: usize,
    stop: &Stop,
    mut collect: impl FnMut(&mut Graph, Formula),
) -> Result<bool, Stopped> {
    let mut solver = Solver::new(stop);
    solver.assert(graph, formula);
    for _ in 0..=most {
        if !solver.solve(graph, &[])? {
            return Ok(true);
        }
        let values: FxHashMap<VariableId, Formula> = hidden
            .iter()
            .map(|variable| (*variable, Formula::constant(solver.value(graph, *variable))))
            .collect();
        let instance = graph.substitute(&[formula], &values)[0];
        solver.assert(graph, !instance);
        collect(graph, instance);
    }
    Ok(false)
}
