//! Under-approximation and widening (Cordeiro and Fischer 2011, section 3.4; after Grumberg et al. 2005).
//!
//! The formula is that of `record.rs`. At first every literal of the schedule is assumed to be false, except those of the
//! first interleaving. If the query cannot hold then, the assumptions of the unsatisfiable core are dropped, and it is
//! repeated; if the core has none, it holds in no interleaving. Literals that were dropped for one query stay dropped.
//!
//! The literals of the schedule are the control literals: one for each level and thread.

use raddle_solver::{Formula, Stopped};

use super::record::Recording;

impl Recording<'_, '_> {
    /// Whether the goal holds in some interleaving.
    pub(super) fn ask_widening(&mut self, goal: Formula) -> Result<bool, Stopped> {
        loop {
            self.iterations += 1;
            let closed = self.schedule.values().filter(|literal| !self.first.contains(literal));
            let mut assumed: Vec<Formula> = closed.map(|literal| !*literal).collect();
            assumed.push(goal);
            if self.ask(&assumed)? {
                return Ok(true);
            }
            let core = self.solver.core();
            let needed: Vec<Formula> =
                core.into_iter().filter(|formula| *formula != goal).map(|formula| !formula).collect();
            if needed.is_empty() {
                return Ok(false);
            }
            self.first.extend(needed);
        }
    }
}
