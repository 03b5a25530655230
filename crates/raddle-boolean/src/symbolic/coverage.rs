//! Whether what holds here has been reached on other ways already: fixpoints, by one alternation of quantifiers.
//!
//! Basler 2010, equation 4.3: for all choices on this way there are choices on one of the others that lead from the same
//! entry to the same state. The thesis asks about one other way at a time; here they are asked about together. The answers
//! are remembered by the formulas of the question (§10.3.1).

use super::Simulation;
use crate::answer::Reason;
use raddle_bp::flow::ProcedureId;
use raddle_solver::{Formula, VariableId, for_all_exists, match_equations};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of states: a guard and values.
pub(crate) type States = (Formula, Vec<Formula>);

impl Simulation<'_> {
    /// The variables that states of a procedure are related to: those of its entry. Nobody asks what a procedure that is
    /// never called makes of its entry.
    pub(crate) fn related(&self, procedure: ProcedureId) -> Vec<VariableId> {
        if self.called[procedure.0 as usize] {
            self.entries[procedure.0 as usize].clone()
        } else {
            Vec::new()
        }
    }

    /// Whether, for each valuation of the shared variables, all states of the one are among those of the others.
    pub(crate) fn is_covered(
        &mut self,
        shared: &[VariableId],
        (guard, values): &States,
        others: &[States],
    ) -> Result<bool, Reason> {
        if *guard == Formula::FALSE {
            return Ok(true);
        }
        if others.iter().any(|(other, same)| other == guard && same == values) {
            return Ok(true);
        }
        let key: Vec<Formula> = others
            .iter()
            .flat_map(|(guard, values)| values.iter().copied().chain([*guard]))
            .chain(values.iter().copied())
            .chain([*guard])
            .chain(shared.iter().map(|variable| self.graph.value(*variable)))
            .collect();
        if let Some(answer) = self.remembered.get(&key) {
            self.asked.remembered += 1;
            return Ok(*answer);
        }
        let mark = self.graph.mark();
        let shared: FxHashSet<VariableId> = shared.iter().copied().collect();
        let (mut either, mut flexible) = (Formula::FALSE, Vec::new());
        for (other, same) in others {
            let mut roots = same.clone();
            roots.push(*other);
            let mut renamed: FxHashMap<VariableId, Formula> = FxHashMap::default();
            let mut own = Vec::new();
            for variable in self.graph.support(roots.iter().copied()) {
                if !shared.contains(&variable) {
                    let new = self.graph.variable();
                    own.push(new);
                    renamed.insert(variable, self.graph.value(new));
                }
            }
            let mut images = self.graph.substitute(&roots, &renamed);
            let condition = images.pop().expect("the guard");
            let equations: Vec<(Formula, Formula)> = images.into_iter().zip(values.iter().copied()).collect();
            let matched = match_equations(&mut self.graph, condition, &equations, &own);
            either = self.graph.or(either, matched.formula);
            flexible.extend(matched.flexible);
        }
        self.asked.alternations += 1;
        let decided = for_all_exists(&mut self.graph, *guard, &flexible, either, &self.stop);
        // The copies that were made for the question are of no further use.
        self.graph.rewind(mark);
        let answer = self.answered(decided)?.is_valid();
        if self.config.cache {
            self.remembered.insert(key, answer);
        }
        Ok(answer)
    }
}
