//! The one-point rule: a variable that must equal something is that something.
//!
//! Whether one set of states is within another requires, for each state of the first, values of the second's variables
//! that give the same state: many equations at once. Where a side is just a variable, its value is forced, and nothing
//! has to be searched. Without this, a loop over two solvers would go through states one by one.

use crate::gates::Formula;
use crate::graph::{Graph, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Equations and a condition in which some variables have been replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matched {
    /// The condition and what is left of the equations.
    pub formula: Formula,
    /// The variables that are still to be chosen.
    pub flexible: Vec<VariableId>,
}

/// The condition together with equations, of which each left side may, and no right side does, contain `flexible`
/// variables. For some values of these variables the result holds exactly where the condition and all equations do.
pub fn match_equations(
    graph: &mut Graph,
    condition: Formula,
    equations: &[(Formula, Formula)],
    flexible: &[VariableId],
) -> Matched {
    let may: FxHashSet<VariableId> = flexible.iter().copied().collect();
    let mut replaced: FxHashMap<VariableId, Formula> = FxHashMap::default();
    let mut rest = Vec::new();
    for (left, right) in equations {
        match graph.as_literal(*left) {
            Some((variable, negated)) if may.contains(&variable) && !replaced.contains_key(&variable) => {
                replaced.insert(variable, right.negate_if(negated));
            }
            _ => rest.push((*left, *right)),
        }
    }
    let mut lefts: Vec<Formula> = rest.iter().map(|(left, _)| *left).collect();
    lefts.push(condition);
    let images = graph.substitute(&lefts, &replaced);
    let mut formula = images[rest.len()];
    for ((_, right), left) in rest.iter().zip(images) {
        let same = graph.equal(left, *right);
        formula = graph.and(formula, same);
    }
    let flexible = flexible.iter().copied().filter(|variable| !replaced.contains_key(variable)).collect();
    Matched { formula, flexible }
}
