//! Questions about path conditions: a solver that is kept for the whole tree, and the last models, which often answer.

use std::collections::VecDeque;

use raddle_solver::{Assignment, Blaster, Evaluation, Formula, Graph, Solver, Stop, Stopped, Term, Terms};

use super::Limits;
use crate::conflict_limit::ConflictLimit;

/// Models that are tried before the solver.
const MODELS: usize = 4;

pub struct Queries {
    graph: Graph,
    blaster: Blaster,
    solver: Solver,
    conflicts: ConflictLimit,
    stop: Stop,
    /// The one that answered last comes first.
    models: VecDeque<(Assignment, Evaluation)>,
    pub asked: u64,
    /// In the solver.
    pub solving: std::time::Duration,
}

impl Queries {
    /// With what holds in every execution.
    pub fn new(terms: &Terms, constraints: &[Term], limits: &Limits) -> Queries {
        let mut queries = Queries {
            graph: Graph::new(),
            blaster: Blaster::new(),
            solver: Solver::new(&limits.stop),
            conflicts: limits.conflicts.clone(),
            stop: limits.stop.clone(),
            models: VecDeque::new(),
            asked: 0,
            solving: std::time::Duration::ZERO,
        };
        for constraint in constraints {
            let formula = queries.blaster.formula(terms, &mut queries.graph, *constraint);
            queries.solver.assert(&queries.graph, formula);
        }
        queries
    }

    /// Whether the terms can hold together; a model is kept if they can.
    pub fn holds(&mut self, terms: &Terms, all: &[Term]) -> Result<bool, Stopped> {
        if all.contains(&Term::FALSE) {
            return Ok(false);
        }
        let known = self.models.iter_mut().position(|(assignment, cache)| {
            all.iter().all(|term| !terms.evaluate(*term, assignment, cache).is_zero())
        });
        if let Some(index) = known {
            let model = self.models.remove(index).expect("an index");
            self.models.push_front(model);
            return Ok(true);
        }
        self.asked += 1;
        let mut assumed: Vec<Formula> = Vec::with_capacity(all.len());
        for term in all {
            self.blaster.prepare(terms, &mut self.graph, *term, &self.stop)?;
            assumed.push(self.blaster.formula(terms, &mut self.graph, *term));
        }
        assumed.retain(|formula| *formula != Formula::TRUE);
        if assumed.contains(&Formula::FALSE) {
            return Ok(false);
        }
        let found = self.conflicts.solve(&mut self.solver, &self.graph, &assumed, &mut self.solving)?;
        if found {
            let assignment = self.blaster.assignment(terms, &self.graph, &mut self.solver);
            self.models.push_front((assignment, Evaluation::new()));
            self.models.truncate(MODELS);
        }
        Ok(found)
    }

    /// The model of the last answer that was yes.
    pub fn model(&self) -> Assignment {
        self.models.front().map(|(assignment, _)| assignment.clone()).unwrap_or_default()
    }

    pub fn used_conflicts(&self) -> u64 {
        self.solver.statistics().conflicts
    }

    pub fn bytes(&self) -> u64 {
        self.solver.bytes() + self.blaster.bytes() as u64
    }
}
