//! Queries to the solver within a limit of conflicts; what they cost counts as effort of the search.

use std::time::{Duration, Instant};

use raddle_solver::{Formula, Graph, Solver, Stopped};
use raddle_trace::{Budget, STEPS_OF_A_CONFLICT};

/// How many conflicts there may be.
#[derive(Clone)]
pub(crate) struct ConflictLimit {
    /// In all queries to one solver.
    most: Option<u64>,
    budget: Budget,
}

impl ConflictLimit {
    pub fn new(most: Option<u64>, budget: &Budget) -> ConflictLimit {
        ConflictLimit { most, budget: budget.clone() }
    }

    /// One query. Its time is added to `solving`.
    pub fn solve(
        &self,
        solver: &mut Solver,
        graph: &Graph,
        assumed: &[Formula],
        solving: &mut Duration,
    ) -> Result<bool, Stopped> {
        let used = solver.statistics().conflicts;
        let of_solver = self.most.map(|most| most.saturating_sub(used));
        // Rounded up, so that all is spent when the solver reaches it.
        let of_search = self.budget.left_after_finding().map(|steps| steps.div_ceil(STEPS_OF_A_CONFLICT));
        let left = [of_solver, of_search].into_iter().flatten().min();
        if left == Some(0) {
            return Err(Stopped);
        }
        let left = left.map(|left| i32::try_from(left).unwrap_or(i32::MAX));
        let started = Instant::now();
        let answer = solver.solve_within(graph, assumed, left);
        *solving += started.elapsed();
        let conflicts = solver.statistics().conflicts.saturating_sub(used);
        self.budget.spend(conflicts.saturating_mul(STEPS_OF_A_CONFLICT));
        answer
    }
}
