//! Summaries: what a procedure makes of its entry variables.
//!
//! A guard and exit values over entry variables and *hidden* ones, which represent what is chosen inside. Where few
//! instances are enough, the hidden variables are replaced by the exit values themselves (`raddle_solver::project`): a
//! summary that is applied in a summary that is applied would otherwise drag all its choices along, and again for
//! every call.

use super::Simulation;
use crate::answer::Reason;
use raddle_bp::flow::{Operation, ProcedureId, Variable};
use raddle_solver::{Formula, VariableId, project};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Where a summary comes from, to reconstruct a run that it represents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A body, by its number.
    Body(usize),
    /// An index that the engine understands.
    Other(usize),
    /// Nowhere: anything may come of a call.
    Anything,
    /// Nothing comes of a call.
    Nothing,
}

pub(crate) struct Summary {
    pub procedure: ProcedureId,
    pub guard: Formula,
    /// Shared variables, results, and whether it ended in an error.
    pub exit: Vec<Formula>,
    /// All variables of the guard and the exit values that are not entry variables.
    pub hidden: Vec<VariableId>,
    pub source: Source,
}

impl Simulation<'_> {
    pub(crate) fn summary(
        &self,
        procedure: ProcedureId,
        guard: Formula,
        exit: Vec<Formula>,
        source: Source,
    ) -> Summary {
        let entry: FxHashSet<VariableId> = self.entries[procedure.0 as usize].iter().copied().collect();
        let mut hidden = self.graph.support(exit.iter().copied().chain([guard]));
        hidden.retain(|variable| !entry.contains(variable));
        Summary { procedure, guard, exit, hidden, source }
    }

    /// The same without hidden variables, where that is not too much.
    pub(crate) fn without_hidden(&mut self, summary: Summary) -> Result<Summary, Reason> {
        if summary.hidden.is_empty() || self.config.instances == 0 {
            return Ok(summary);
        }
        // What is a function of the entry alone stays one: shared variables that are never written, above all.
        let hidden: FxHashSet<VariableId> = summary.hidden.iter().copied().collect();
        let (mut exit, mut variables) = (summary.exit.clone(), Vec::new());
        for (value, variable) in exit.iter_mut().zip(&self.exits[summary.procedure.0 as usize]) {
            if self.graph.support([*value]).iter().any(|variable| hidden.contains(variable)) {
                *value = self.graph.value(*variable);
                variables.push(*variable);
            }
        }
        let same = self.graph.all_equal(exit.iter().copied().zip(summary.exit.iter().copied()));
        let relation = self.graph.and(summary.guard, same);
        let projected =
            project(&mut self.graph, relation, &summary.hidden, self.config.instances, &self.stop);
        let Some(guard) = self.answered(projected)? else { return Ok(summary) };
        let before = self.graph.size(summary.exit.iter().copied().chain([summary.guard]));
        if self.graph.size([guard]) > before.max(400) {
            return Ok(summary);
        }
        Ok(Summary { guard, exit, hidden: variables, ..summary })
    }

    /// The summary of a procedure that never returns.
    pub(crate) fn nothing(&self, procedure: ProcedureId) -> Rc<Summary> {
        let exit = vec![Formula::FALSE; self.exits[procedure.0 as usize].len()];
        Rc::new(Summary {
            procedure,
            guard: Formula::FALSE,
            exit,
            hidden: Vec::new(),
            source: Source::Nothing,
        })
    }

    /// The summary of a procedure of which only is known what it may write, and whether it may end in an error.
    pub(crate) fn anything(&self, procedure: ProcedureId, writes: &[bool], errors: bool) -> Rc<Summary> {
        let entry = self.entry(procedure);
        let mut exit: Vec<Formula> =
            self.exits[procedure.0 as usize].iter().map(|variable| self.graph.value(*variable)).collect();
        for (index, writes) in writes.iter().enumerate() {
            if !writes {
                exit[index] = entry[index];
            }
        }
        let error = exit.len() - 1;
        if !errors {
            exit[error] = Formula::FALSE;
        }
        Rc::new(self.summary(procedure, Formula::TRUE, exit, Source::Anything))
    }

    /// A summary where the entry variables have these values; hidden variables are new ones.
    pub(crate) fn apply(&mut self, summary: &Summary, entry: &[Formula]) -> (Formula, Vec<Formula>) {
        let variables = &self.entries[summary.procedure.0 as usize];
        let mut replaced: FxHashMap<VariableId, Formula> =
            variables.iter().copied().zip(entry.iter().copied()).collect();
        for variable in &summary.hidden {
            replaced.insert(*variable, self.graph.fresh());
        }
        let mut roots = summary.exit.clone();
        roots.push(summary.guard);
        let mut images = self.graph.substitute(&roots, &replaced);
        let guard = images.pop().expect("the guard");
        (guard, images)
    }

    /// What a call hands over: shared variables, then arguments.
    pub(crate) fn handed_over(
        &mut self,
        operation: &Operation,
        values: &[Formula],
        choices: &[Formula],
    ) -> Vec<Formula> {
        let Operation::Call { arguments, .. } = operation else { unreachable!("a call") };
        let mut handed = values[..self.flow.globals.len()].to_vec();
        handed.extend(arguments.iter().map(|argument| self.formula(argument, values, &[], choices)));
        handed
    }

    /// The values of the caller after a call.
    pub(crate) fn taken_back(
        &self,
        operation: &Operation,
        values: &[Formula],
        exit: &[Formula],
    ) -> Vec<Formula> {
        let Operation::Call { targets, .. } = operation else { unreachable!("a call") };
        let globals = self.flow.globals.len();
        let mut after = exit[..globals].to_vec();
        after.extend(&values[globals..]);
        for (target, result) in targets.iter().zip(&exit[globals..]) {
            if let Some(target) = target {
                after[self.slot(*target)] = *result;
            }
        }
        after
    }
}

/// By procedure: the shared variables that it or what it calls may write, and whether it may meet an error.
pub(crate) struct Effects {
    pub writes: Vec<Vec<bool>>,
    pub errors: Vec<bool>,
}

impl Effects {
    pub(crate) fn new(simulation: &Simulation<'_>) -> Effects {
        let flow = simulation.flow;
        let mut effects = Effects {
            writes: vec![vec![false; flow.globals.len()]; flow.procedures.len()],
            errors: vec![false; flow.procedures.len()],
        };
        loop {
            let mut changed = false;
            for (id, procedure) in flow.enumerate() {
                let mut writes = effects.writes[id.0 as usize].clone();
                let mut errors = effects.errors[id.0 as usize];
                let mut write = |variable: &Variable| {
                    if let Variable::Global(index) = variable {
                        writes[*index as usize] = true;
                    }
                };
                for node in &procedure.nodes {
                    match &node.operation {
                        Operation::Assign { targets, .. } => targets.iter().for_each(&mut write),
                        Operation::Call { procedure: callee, targets, .. } => {
                            targets.iter().flatten().for_each(&mut write);
                            let of_callee = effects.writes[callee.0 as usize].iter().enumerate();
                            let written = of_callee.filter(|(_, written)| **written);
                            written.for_each(|(index, _)| write(&Variable::Global(index as u32)));
                            errors |= effects.errors[callee.0 as usize];
                        }
                        Operation::Assert(_) => errors = true,
                        _ => {}
                    }
                }
                let nodes = (0..procedure.nodes.len() as u32).map(raddle_bp::flow::NodeId);
                errors |= nodes.into_iter().any(|node| simulation.is_error_label(id, node));
                changed |= writes != effects.writes[id.0 as usize] || errors != effects.errors[id.0 as usize];
                effects.writes[id.0 as usize] = writes;
                effects.errors[id.0 as usize] = errors;
            }
            if !changed {
                return effects;
            }
        }
    }
}
