//! One alternation of quantifiers: whether for all values of some variables there are values of others.
//!
//! Counterexample-guided, over two solvers (Janota and Marques-Silva, *Abstraction-based algorithm for 2QBF*, 2011). One
//! proposes values of the universal variables for which no answer is known; the other looks for an answer. An answer is
//! put into the formula, and what it answers is proposed no more. Each round settles at least one proposal, so it ends.
//!
//! Answers are constants; a formula of equations should have been through [`crate::match_equations`] first, which finds
//! answers that are functions.

use crate::gates::Formula;
use crate::graph::{Graph, VariableId};
use crate::solver::Solver;
use crate::{Stop, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};

/// What was decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForAllExists {
    Valid,
    /// Values of the universal variables without an answer.
    Refuted(FxHashMap<VariableId, bool>),
}

impl ForAllExists {
    pub fn is_valid(&self) -> bool {
        matches!(self, ForAllExists::Valid)
    }
}

/// Whether wherever the premise holds, `matrix` holds for some values of the variables in `exists`. All other variables
/// are universal. Those of `exists` must not occur in the premise.
///
/// # Errors
///
/// If it was stopped.
pub fn for_all_exists(
    graph: &mut Graph,
    premise: Formula,
    exists: &[VariableId],
    matrix: Formula,
    stop: &Stop,
) -> Result<ForAllExists, Stopped> {
    let exists: FxHashSet<VariableId> = exists.iter().copied().collect();
    let (flexible, universal): (Vec<VariableId>, Vec<VariableId>) =
        graph.support([matrix]).into_iter().partition(|variable| exists.contains(variable));
    let mut proposer = Solver::new(stop);
    proposer.assert(graph, premise);
    if flexible.is_empty() {
        proposer.assert(graph, !matrix);
        return Ok(match proposer.solve(graph, &[])? {
            true => ForAllExists::Refuted(proposer.model(graph, &[premise, matrix])),
            false => ForAllExists::Valid,
        });
    }
    let mut answerer = Solver::new(stop);
    answerer.assert(graph, matrix);
    let mut asked = vec![premise];
    asked.extend(universal.iter().map(|variable| graph.value(*variable)));
    while proposer.solve(graph, &[])? {
        let proposal = proposer.model(graph, &asked);
        let fixed: Vec<Formula> =
            universal.iter().map(|variable| graph.value(*variable).negate_if(!proposal[variable])).collect();
        if !answerer.solve(graph, &fixed)? {
            return Ok(ForAllExists::Refuted(proposal));
        }
        let answer: FxHashMap<VariableId, Formula> = flexible
            .iter()
            .map(|variable| (*variable, Formula::constant(answerer.value(graph, *variable))))
            .collect();
        let answered = graph.substitute(&[matrix], &answer)[0];
        proposer.assert(graph, !answered);
    }
    Ok(ForAllExists::Valid)
}
