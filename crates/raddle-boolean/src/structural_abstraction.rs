//! Sequential programs by *structural abstraction*: calls may do anything, until it matters.
//!
//! Basler 2010, §4.3 and figure 4.8. `main` is unrolled with calls of which only is known what they may write and
//! whether they may meet an error at all. If no error can come of that, there is none. Else the run that comes of it
//! is written down; where it leads through a call of which nothing is known, that procedure is unrolled, again with
//! calls that may do anything, and all that is above it anew. A run that leads through none is a run of the program.
//!
//! The thesis treats an error inside a procedure of which nothing is known by asking for its exit; here an error is an
//! exit value, and nothing special. Procedures that call each other become known together, as in [`crate::universal`];
//! the thesis leaves them out. What is not known is larger than what there is, and more is known each time, so it
//! ends.

use crate::answer::{Answer, Reason};
use crate::symbolic::error_query::ask;
use crate::symbolic::order::{calls_bottom_up, is_recursive};
use crate::symbolic::retrace::NoRun;
use crate::symbolic::summary::{Effects, Summary};
use crate::symbolic::{QueryCounts, Simulation, SymbolicConfig};
use crate::universal_summaries::fixpoint;
use raddle_bp::flow::{Flow, Operation, ProcedureId};
use raddle_trace::Budget;
use std::rc::Rc;

/// Checks a program as one thread.
pub fn check(flow: &Flow, error_label: Option<&str>, config: &SymbolicConfig, budget: &Budget) -> Answer {
    check_counting(flow, error_label, config, budget).0
}

/// The same, the number of queries to the solvers, and how many procedures became known.
pub fn check_counting(
    flow: &Flow,
    error_label: Option<&str>,
    config: &SymbolicConfig,
    budget: &Budget,
) -> (Answer, QueryCounts, usize) {
    let mut known = vec![false; flow.procedures.len()];
    known[flow.main.0 as usize] = true;
    let (answer, asked) = ask(flow, error_label, config, budget, |simulation| decide(simulation, &mut known));
    (answer, asked, known.into_iter().filter(|known| *known).count())
}

fn decide(simulation: &mut Simulation<'_>, known: &mut [bool]) -> Result<Answer, Reason> {
    let flow = simulation.flow;
    let components = calls_bottom_up(flow);
    let effects = Effects::new(simulation);
    let mut summaries: Vec<Rc<Summary>> = flow
        .enumerate()
        .map(|(id, _)| {
            let index = id.0 as usize;
            simulation.anything(id, &effects.writes[index], effects.errors[index])
        })
        .collect();
    let mut stale = vec![true; flow.procedures.len()];
    loop {
        for component in &components {
            let knows = component.iter().any(|index| known[*index]);
            if !knows || !component.iter().any(|index| stale[*index]) {
                continue;
            }
            if is_recursive(flow, component) {
                component.iter().for_each(|index| known[*index] = true);
                fixpoint(simulation, component, &mut summaries)?;
            } else {
                let id = ProcedureId(component[0] as u32);
                summaries[component[0]] =
                    simulation.unroll(id, &|callee| summaries[callee.0 as usize].clone())?;
            }
            // Those above are made with this one.
            for index in component {
                stale[*index] = false;
            }
            for (caller, procedure) in flow.enumerate() {
                let calls = procedure.nodes.iter().any(|node| match &node.operation {
                    Operation::Call { procedure, .. } => component.contains(&(procedure.0 as usize)),
                    _ => false,
                });
                if calls && !component.contains(&(caller.0 as usize)) {
                    stale[caller.0 as usize] = true;
                }
            }
        }
        let Some(body) = simulation.erroneous(&summaries[flow.main.0 as usize])? else {
            return Ok(Answer::Safe { cut: Vec::new() });
        };
        match simulation.retrace(body) {
            Ok(run) => return Ok(Answer::Violated(Box::new(run))),
            // Too long to be written down, and perhaps no run of the program: with everything known it would be.
            Err(NoRun::Because(Reason::LongCounterexample(_))) if known.contains(&false) => {
                known.fill(true);
                stale.fill(true);
            }
            Err(NoRun::Because(reason)) => return Err(reason),
            Err(NoRun::Anything(callee)) => {
                known[callee.0 as usize] = true;
                stale[callee.0 as usize] = true;
            }
        }
    }
}
