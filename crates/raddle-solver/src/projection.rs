//! A formula without some of its variables: those for which it holds with *some* values of them.
//!
//! By expansion: as long as the formula can hold where what has been collected does not, the values that were found for the
//! hidden variables are put in, and the result is collected. It is exact when nothing new can be found. After McMillan,
//! *Applying SAT methods in unbounded symbolic model checking* (2002); ours collects whole instances in place of cubes.

use crate::gates::Formula;
use crate::graph::{Graph, VariableId};
use crate::solver::Solver;
use crate::{Stop, Stopped};
use rustc_hash::FxHashMap;

/// The formula with the hidden variables quantified, if that takes at most `most` instances.
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
    let mut solver = Solver::new(stop);
    solver.assert(graph, formula);
    let mut collected = Formula::FALSE;
    for _ in 0..=most {
        if !solver.solve(graph, &[])? {
            return Ok(Some(collected));
        }
        let values: FxHashMap<VariableId, Formula> = hidden
            .iter()
            .map(|variable| (*variable, Formula::constant(solver.value(graph, *variable))))
            .collect();
        let instance = graph.substitute(&[formula], &values)[0];
        solver.assert(graph, !instance);
        collected = graph.or(collected, instance);
    }
    Ok(None)
}
