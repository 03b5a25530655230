//! Whether a program has an error, by an engine that unrolls whole procedures.
//!
//! A thread start is a skip to such an engine, and no error is then no proof. Unless no start is ever reached: that is
//! the same question about the program in which every start is an error.

use super::{QueryCounts, Simulation, SymbolicConfig};
use crate::answer::{Answer, Cut, Reason};
use raddle_bp::flow::{Flow, Formula, Operation};
use raddle_trace::Budget;

/// The answer of `decide` for a program, where it takes thread starts for skips, and the number of queries to the
/// solvers.
pub(crate) fn ask(
    flow: &Flow,
    error_label: Option<&str>,
    config: &SymbolicConfig,
    budget: &Budget,
    mut decide: impl FnMut(&mut Simulation<'_>) -> Result<Answer, Reason>,
) -> (Answer, QueryCounts) {
    let mut simulation = Simulation::new(flow, error_label, config, budget);
    let answer = decide(&mut simulation).unwrap_or_else(Answer::Unknown);
    let asked = simulation.asked;
    if !matches!(answer, Answer::Safe { .. }) || !flow.starts_threads() {
        return (answer, asked);
    }
    let judged = starts_are_errors(flow);
    let mut simulation = Simulation::new(&judged, error_label, config, budget);
    simulation.asked = asked;
    // If this gives no answer, the first one holds, with its cut.
    let never_started = matches!(decide(&mut simulation), Ok(Answer::Safe { .. }));
    let cut = if never_started { Vec::new() } else { vec![Cut::Threads] };
    (Answer::Safe { cut }, simulation.asked)
}

fn starts_are_errors(flow: &Flow) -> Flow {
    let mut flow = flow.clone();
    for node in flow.procedures.iter_mut().flat_map(|procedure| &mut procedure.nodes) {
        if matches!(node.operation, Operation::StartThread(_)) {
            node.operation = Operation::Assert(Formula::Constant(false));
        }
    }
    flow
}
