//! The paper's three styles (Cordeiro and Fischer, ICSE 2011): symbolic data over an explicit reachability tree.
//!
//! All work on the same unrolling as `order.rs`. `tree.rs` has the states of the tree and their successors; `lazy.rs`
//! explores it depth-first and asks the solver on the way; `record.rs` puts the whole tree into one formula; `widen.rs`
//! begins with one interleaving of that formula and adds others as unsatisfiable cores need them.
//!
//! Faults, cuts of loops and deadlocks are judged in a tree of their own; races in a second one, whose states also have
//! the happens-before relation.

mod deadlock;
mod facts;
mod findings;
mod happens_before;
mod lazy;
mod queries;
mod record;
mod state;
mod steps;
mod tree;
mod widen;

use raddle_solver::{Stop, Stopped, Terms};
use raddle_trace::{Budget, StopReason};

use crate::confirmed::Confirmed;
use crate::conflict_limit::ConflictLimit;
use crate::engine::{Config, Outcome, Style, too_much};
use crate::executor::Bounds;
use crate::unrolling::Unrolling;
use findings::Judge;
pub use tree::Switches;
use tree::Tree;

/// Bounds on switches that are tried first, where none is given.
const SWITCHES: [u64; 2] = [2, 5];

/// When to give up.
pub(crate) struct Limits<'b> {
    pub budget: &'b Budget,
    pub stop: Stop,
    pub conflicts: ConflictLimit,
}

impl Limits<'_> {
    fn check(&self, bytes: usize) -> Result<(), Stopped> {
        match self.stop.now() || too_much(self.budget, bytes as u64) {
            true => Err(Stopped),
            false => Ok(()),
        }
    }
}

/// Asks everything of one unrolling, style by style.
pub fn solve(
    unrolling: &Unrolling,
    terms: &mut Terms,
    config: &Config,
    (budget, loops): (&Budget, &Bounds),
    confirmed: &mut Confirmed,
    outcome: &mut Outcome,
) -> Result<(), Stopped> {
    let stopping = budget.clone();
    let stop = Stop::when(move || stopping.stop_reason().is_some());
    let limits = Limits { budget, stop, conflicts: ConflictLimit::new(config.max_conflicts, budget) };
    let mut statistics = Statistics::default();
    let mut judge = Judge::new(unrolling, config, confirmed, outcome);
    let result = pass(unrolling, terms, config, &limits, &mut judge, &mut statistics);
    match &result {
        Ok(explored) => outcome.cut_switches = explored.cut,
        Err((_, explored)) if !outcome.completed => {
            let cut = judge.cut().map(|place| (place, loops.of(place))).collect();
            outcome.explored = explored.map(|switches| (switches, cut));
        }
        Err(_) => {}
    }
    // The other rows are decided when races are looked for.
    if result.is_ok() && config.races {
        judge.races = true;
        match pass(unrolling, terms, config, &limits, &mut judge, &mut statistics) {
            Ok(explored) => outcome.cut_switches |= explored.cut,
            Err(stopped) => outcome.races_stopped = Some(stopped),
        }
    }
    if let Err((reason, _)) = &result {
        outcome.stopped = Some(*reason);
    }
    judge.report(outcome, result.is_ok());
    outcome.times.solving += statistics.solving;
    outcome.statistics.extend([
        ("interleavings", statistics.interleavings),
        ("failed-interleavings", statistics.failed),
        ("states", statistics.states),
        ("queries", statistics.queries),
        ("conflicts", statistics.conflicts),
    ]);
    if config.style == Style::Widen {
        outcome.statistics.push(("iterations", statistics.iterations));
    }
    result.map(drop).map_err(|_| Stopped)
}

#[derive(Debug, Default)]
pub(crate) struct Statistics {
    /// Paths of the tree from the first state to a last one, or to one that was seen before.
    pub interleavings: u64,
    /// Those on which a violation was found.
    pub failed: u64,
    pub states: u64,
    pub queries: u64,
    pub conflicts: u64,
    pub iterations: u64,
    /// In the solver.
    pub solving: std::time::Duration,
}

/// What one pass came to.
struct Explored {
    /// Interleavings were left out.
    cut: bool,
}

/// Explores the tree within growing bounds on switches. When it is stopped: why, and the last bounds that were completed.
fn pass(
    unrolling: &Unrolling,
    terms: &mut Terms,
    config: &Config,
    limits: &Limits,
    judge: &mut Judge,
    statistics: &mut Statistics,
) -> Result<Explored, (StopReason, Option<Switches>)> {
    let given = config.switches;
    let mut levels: Vec<Switches> = Vec::new();
    if !given.is_bounded() {
        levels.extend(SWITCHES.map(|most| Switches { switches: Some(most), ..given }));
    }
    levels.push(given);
    let why = || limits.budget.stop_reason().unwrap_or(StopReason::OutOfMemory);
    let mut tree = Tree::new(unrolling, terms, judge.races, &limits.stop).map_err(|Stopped| (why(), None))?;
    let mut completed = None;
    for bounds in levels {
        (tree.bounds, tree.cut) = (bounds, false);
        let result = match config.style {
            Style::Order => unreachable!("not by interleavings"),
            Style::Lazy => lazy::explore(&mut tree, judge, limits, statistics),
            Style::Record => record::explore(&mut tree, judge, limits, statistics, false),
            Style::Widen => record::explore(&mut tree, judge, limits, statistics, true),
        };
        if result.is_err() {
            return Err((why(), completed));
        }
        completed = Some(bounds);
        if !tree.cut || judge.is_done() {
            break;
        }
    }
    Ok(Explored { cut: tree.cut })
}
