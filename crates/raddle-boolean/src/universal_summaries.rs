//! Sequential programs by *universal summaries*: what a procedure makes of any entry, independent of its callers.
//!
//! Basler 2010, §4.2.2. Procedures are unrolled one after the other, those that are called first, each with the
//! summaries of what it calls. No entry has to be known to be reached, and no fixpoint to be found: loops are unrolled
//! until no way is left that visits no state twice (`symbolic/body.rs`). Whether there is an error is one question
//! about `main`.
//!
//! The thesis leaves recursion to its engine with fixpoints; so is it here, but within the procedures that call each
//! other: they are unrolled with what is known of them, at first nothing, until that is all (one alternation of
//! quantifiers for each).
//!
//! It neither misses nor over-reports. A thread start is a skip; one that can be reached is reported as cut.

use crate::answer::{Answer, Reason};
use crate::symbolic::error_query::ask;
use crate::symbolic::order::{calls_bottom_up, is_recursive};
use crate::symbolic::retrace::NoRun;
use crate::symbolic::summary::{Source, Summary};
use crate::symbolic::{QueryCounts, Simulation, SymbolicConfig};
use raddle_bp::flow::{Flow, ProcedureId};
use raddle_solver::{Formula, Solver};
use raddle_trace::Budget;
use std::rc::Rc;

/// Checks a program as one thread.
pub fn check(flow: &Flow, error_label: Option<&str>, config: &SymbolicConfig, budget: &Budget) -> Answer {
    check_counting(flow, error_label, config, budget).0
}

/// The same, and the number of queries to the solvers.
pub fn check_counting(
    flow: &Flow,
    error_label: Option<&str>,
    config: &SymbolicConfig,
    budget: &Budget,
) -> (Answer, QueryCounts) {
    ask(flow, error_label, config, budget, decide)
}

fn decide(simulation: &mut Simulation<'_>) -> Result<Answer, Reason> {
    let flow = simulation.flow;
    let mut summaries: Vec<Rc<Summary>> = flow.enumerate().map(|(id, _)| simulation.nothing(id)).collect();
    for component in calls_bottom_up(flow) {
        if is_recursive(flow, &component) {
            fixpoint(simulation, &component, &mut summaries)?;
        } else {
            let id = ProcedureId(component[0] as u32);
            summaries[component[0]] =
                simulation.unroll(id, &|callee| summaries[callee.0 as usize].clone())?;
        }
    }
    match simulation.erroneous(&summaries[flow.main.0 as usize])? {
        None => Ok(Answer::Safe { cut: Vec::new() }),
        Some(body) => match simulation.retrace(body) {
            Ok(run) => Ok(Answer::Violated(Box::new(run))),
            Err(NoRun::Because(reason)) => Err(reason),
            Err(NoRun::Anything(_)) => unreachable!("every procedure was unrolled"),
        },
    }
}

/// Summaries of procedures that call each other: unrolled until they say no more than before, or until `main`, if it is
/// one of them, can end in an error: more of them does not take that back.
pub(crate) fn fixpoint(
    simulation: &mut Simulation<'_>,
    component: &[usize],
    summaries: &mut [Rc<Summary>],
) -> Result<(), Reason> {
    for index in component {
        summaries[*index] = simulation.nothing(ProcedureId(*index as u32));
    }
    loop {
        let mut grows = false;
        for index in component {
            let id = ProcedureId(*index as u32);
            let made = simulation.unroll(id, &|callee| summaries[callee.0 as usize].clone())?;
            grows |= !simulation.is_within(&made, &summaries[*index])?;
            summaries[*index] = made;
        }
        let main = simulation.flow.main.0 as usize;
        if !grows || (component.contains(&main) && simulation.erroneous(&summaries[main])?.is_some()) {
            return Ok(());
        }
    }
}

impl Simulation<'_> {
    /// Whether a summary says no more than another of the same procedure.
    pub(crate) fn is_within(&mut self, one: &Summary, other: &Summary) -> Result<bool, Reason> {
        let states = |summary: &Summary| (summary.guard, summary.exit.clone());
        let related = self.entries[one.procedure.0 as usize].clone();
        self.is_covered(&related, &states(one), &[states(other)])
    }

    /// The body of a procedure that can end in an error.
    pub(crate) fn erroneous(&mut self, summary: &Summary) -> Result<Option<usize>, Reason> {
        let error = *summary.exit.last().expect("whether there was an error");
        let Source::Body(body) = summary.source else { return Ok(None) };
        let question = self.graph.and(summary.guard, error);
        if question == Formula::FALSE {
            return Ok(None);
        }
        self.asked.satisfiable += 1;
        let answer = Solver::new(&self.stop).solve(&self.graph, &[question]);
        Ok(self.answered(answer)?.then_some(body))
    }
}
