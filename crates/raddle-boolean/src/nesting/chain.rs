//! Is there a chain of nested calls, as many as the bound, of which no two have the same entry and exit?
//!
//! For each depth, each procedure of the group has a copy of its body with variables of its own for entry and exit. One
//! procedure of each depth is the one that the chain goes through; on its way, one of its calls is the next link: it
//! hands over the entry, and takes back the exit, of the one a depth below. The size is that of all bodies so far, not
//! that of a tree of them.

use super::Group;
use crate::answer::Reason;
use crate::symbolic::Simulation;
use raddle_solver::{Formula, Solver, Stopped, VariableId};
use rustc_hash::FxHashMap;

/// After so many the question counts as hard.
pub(super) const CONFLICTS: i32 = 2000;

/// A procedure at one depth of the chain.
struct Link {
    /// The chain goes through it.
    here: Formula,
    entry: Vec<Formula>,
    exit: Vec<Formula>,
}

/// The answer; none if it was too hard.
pub(super) fn exists(
    simulation: &mut Simulation<'_>,
    group: &Group,
    conflicts: Option<i32>,
) -> Result<Option<bool>, Reason> {
    let mark = simulation.graph.mark();
    let answer = ask(simulation, group, conflicts);
    simulation.graph.rewind(mark);
    answer
}

fn ask(
    simulation: &mut Simulation<'_>,
    group: &Group,
    conflicts: Option<i32>,
) -> Result<Option<bool>, Reason> {
    let mut all = Formula::TRUE;
    let mut depths: Vec<Vec<Link>> = Vec::new();
    // From the innermost outwards, so that what a call leads to is there.
    for bodies in &group.bodies {
        let mut links = Vec::new();
        for (index, body) in group.procedures.iter().zip(bodies) {
            let (link, holds) = link(simulation, group, *index, *body, depths.last());
            all = simulation.graph.and(all, holds);
            links.push(link);
        }
        for one in 0..links.len() {
            for other in 0..one {
                let both = simulation.graph.and(links[one].here, links[other].here);
                all = simulation.graph.and(all, !both);
            }
        }
        for below in &depths {
            for (one, other) in below.iter().zip(&links) {
                let pairs = one
                    .entry
                    .iter()
                    .chain(&one.exit)
                    .copied()
                    .zip(other.entry.iter().chain(&other.exit).copied());
                let same = simulation.graph.all_equal(pairs);
                let again = simulation.graph.all([one.here, other.here, same]);
                all = simulation.graph.and(all, !again);
            }
        }
        depths.push(links);
    }
    let outermost = depths.last().expect("a bound of one or more");
    let begins = simulation.graph.any(outermost.iter().map(|link| link.here));
    all = simulation.graph.and(all, begins);
    simulation.look()?;
    simulation.asked.satisfiable += 1;
    match Solver::new(&simulation.stop).solve_within(&simulation.graph, &[all], conflicts) {
        Ok(answer) => Ok(Some(answer)),
        Err(Stopped) if simulation.stop.now() => Err(simulation.stopped()),
        Err(Stopped) => Ok(None),
    }
}

/// A procedure at some depth, and what holds of it: if the chain goes through it, its body does what its entry and exit
/// say, and, unless it is the innermost, one of its calls is the link below.
fn link(
    simulation: &mut Simulation<'_>,
    group: &Group,
    procedure: usize,
    body: usize,
    below: Option<&Vec<Link>>,
) -> (Link, Formula) {
    let body = simulation.body(body);
    let inner: Vec<(usize, usize)> = body
        .applications
        .iter()
        .enumerate()
        .filter_map(|(number, application)| {
            let callee = application.summary.procedure.0 as usize;
            group.procedures.iter().position(|index| *index == callee).map(|position| (number, position))
        })
        .collect();
    // Everything that is needed of the body, in one list, so that one renaming does for all.
    let mut roots = body.exit.clone();
    roots.push(body.guard);
    let outer = roots.len();
    for (number, _) in &inner {
        let application = &body.applications[*number];
        roots.push(application.guard);
        roots.extend(application.entry.iter().chain(&application.exit));
    }
    let entry: Vec<Formula> =
        simulation.entries[procedure].iter().map(|_| simulation.graph.fresh()).collect();
    let mut renamed: FxHashMap<VariableId, Formula> =
        simulation.entries[procedure].iter().copied().zip(entry.iter().copied()).collect();
    for variable in simulation.graph.support(roots.iter().copied()) {
        renamed.entry(variable).or_insert_with(|| simulation.graph.fresh());
    }
    let images = simulation.graph.substitute(&roots, &renamed);
    let exit = images[..outer - 1].to_vec();
    let here = simulation.graph.fresh();
    let mut holds = images[outer - 1];
    if let Some(below) = below {
        let (mut at, mut continues) = (outer, Formula::FALSE);
        for (_, position) in &inner {
            let link = &below[*position];
            let active = images[at];
            let handed: Vec<Formula> = images[at + 1..at + 1 + link.entry.len() + link.exit.len()].to_vec();
            at += 1 + handed.len();
            let same = simulation
                .graph
                .all_equal(handed.into_iter().zip(link.entry.iter().chain(&link.exit).copied()));
            let this = simulation.graph.all([active, link.here, same]);
            continues = simulation.graph.or(continues, this);
        }
        holds = simulation.graph.and(holds, continues);
    }
    let conditional = simulation.graph.or(!here, holds);
    (Link { here, entry, exit }, conditional)
}
