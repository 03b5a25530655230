//! Whether what holds here has been reached on other ways already: fixpoints, by one alternation of quantifiers.
//!
//! Basler 2010, equation 4.3: for all choices on this path there are choices on one of the others that lead from the
//! same entry to the same state. The thesis tests one other path at a time; here they are tested together. The answers
//! are cached by the formulas of the query (§10.3.1).

use super::Simulation;
use crate::answer::Reason;
use raddle_bp::flow::ProcedureId;
use raddle_solver::{Formula, TABLE_VARIABLES, VariableId, for_all_exists, match_equations, project};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of states: a guard and values.
pub(crate) type States = (Formula, Vec<Formula>);

/// Sets of states of one place that were collected: as one formula over entry variables and the values themselves, as
/// far as these are few, and as they came.
pub(crate) struct Collected {
    few: Formula,
    many: Vec<States>,
}

impl Default for Collected {
    fn default() -> Collected {
        Collected { few: Formula::FALSE, many: Vec::new() }
    }
}

impl Simulation<'_> {
    /// Adds states to what was collected.
    pub(crate) fn collect(
        &mut self,
        shared: &[VariableId],
        states: States,
        collected: &mut Collected,
    ) -> Result<(), Reason> {
        let count = states.1.len();
        if !self.has_few(count + shared.len()) {
            collected.many.push(states);
            return Ok(());
        }
        let values = self.value_variables(count);
        let same = self.graph.all_equal(values.iter().copied().zip(states.1.iter().copied()));
        let relation = self.graph.and(states.0, same);
        let kept: FxHashSet<VariableId> =
            shared.iter().copied().chain(self.values[..count].iter().copied()).collect();
        let mut hidden = self.graph.support([relation]);
        hidden.retain(|variable| !kept.contains(variable));
        let projected = project(&mut self.graph, relation, &hidden, self.config.instances, &self.stop);
        match self.answered(projected)? {
            Some(few) => {
                let either = self.graph.or(collected.few, few);
                // Written anew, so that it stays as small as it can.
                let written = project(&mut self.graph, either, &[], 1, &self.stop);
                collected.few = self.answered(written)?.unwrap_or(either);
            }
            None => collected.many.push(states),
        }
        Ok(())
    }

    /// Whether sets over so many variables are collected as one formula.
    pub(crate) fn has_few(&self, variables: usize) -> bool {
        self.config.instances > 0 && variables <= TABLE_VARIABLES
    }

    /// What was collected, as sets of states of so many values.
    pub(crate) fn collected(&mut self, collected: &Collected, count: usize) -> Vec<States> {
        let mut all = collected.many.clone();
        if collected.few != Formula::FALSE {
            all.push((collected.few, self.value_variables(count)));
        }
        all
    }

    fn value_variables(&mut self, count: usize) -> Vec<Formula> {
        while self.values.len() < count {
            let variable = self.graph.variable();
            self.values.push(variable);
        }
        self.values[..count].iter().map(|variable| self.graph.value(*variable)).collect()
    }

    /// The variables that states of a procedure are related to: those of its entry. What a procedure that is never
    /// called makes of its entry is not needed.
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
