//! Properties of infinite runs: temporal formulas and termination, by a search for an accepting cycle.
//!
//! The graph of observed states (`temporal/superstep.rs`), in product with the automaton of the negated formula, has
//! a reachable cycle with all marks if and only if some fair run breaks the formula (Vardi & Wolper, LICS 1986). Weak
//! fairness over threads adds one acceptance mark per thread to the automaton's, set on an edge where the thread
//! steps or has no fairness obligation in the edge's source. A thread that does not exist has no obligation: all
//! marks that are not yet assigned to a thread are set everywhere, so threads may appear during the search.
//!
//! An edge is a visible operation, or with reduction a superstep or a step taken alone (`temporal/superstep.rs`); the
//! fusing of a lone thread's steps is off.
//!
//! A run may end where no thread has a fairness obligation; its last state then repeats for ever. That repetition is
//! a copy of the state with no other successor, so that a run does not stutter for a while and then continue.
//!
//! `termination` searches for any fair cycle, and an end is none. With marks of progress it searches for a cycle
//! without them: a second copy of the graph, entered at any time, in which the edges with marks are missing; only
//! cycles there count.
//!
//! A weak compare-exchange that is retried does not fail spuriously for ever in a fair run:
//! `temporal/weak_cas_fairness.rs`.
//!
//! The search itself is in `temporal/fair_cycle.rs`.

pub mod atomic_sections;
pub mod fair_cycle;
pub mod parallel;
pub mod successors;
pub mod superstep;
pub mod weak_cas_fairness;

use std::sync::Arc;

use raddle_analysis::{Futures, Liveness};
use raddle_ir::Program;
use raddle_ltl::Automaton;
use raddle_machine::drive::Move;
use raddle_machine::{Expression, Machine, Settings, TooLarge, Watched};
use raddle_trace::{Budget, Observer};

use crate::search::Stop;
use crate::search::input_values::{Choosing, Sample};
use crate::search::worker::LiveRegisters;
use crate::temporal::atomic_sections::Gap;
use crate::temporal::superstep::Supersteps;

/// A property of the runs of a program: there is none of this kind.
#[derive(Clone, Debug)]
pub enum TemporalQuery {
    /// None that the automaton accepts; its propositions, in the order of their bits. Whether it is
    /// stutter-invariant, as that of a formula without `X` is: only then may runs be reduced.
    Accepted { automaton: Automaton, propositions: Vec<Expression>, next_free: bool },
    /// None that is infinite; with `progress`, none that passes only finitely many marks of progress.
    Endless { progress: bool },
}

/// A question, and how runs are chosen.
#[derive(Clone, Debug)]
pub struct TemporalConfig {
    pub question: TemporalQuery,
    /// Only runs in which every thread that stays enabled steps again.
    pub fairness: bool,
    /// Steps of one superstep at most; 1 for none.
    pub superstep: u32,
    /// Ample sets from static future footprints.
    pub ample: bool,
    /// Answers to one choice that are followed; of a choice with more, a sample, if one is requested.
    pub choices: u64,
    pub sample: Option<Sample>,
    /// States that are visited before the other workers begin to help.
    pub help_after: u64,
}

impl TemporalConfig {
    /// Near counterexamples are found by one worker.
    pub const HELP_AFTER: u64 = 2_000;

    fn propositions(&self) -> &[Expression] {
        match &self.question {
            TemporalQuery::Accepted { propositions, .. } => propositions,
            TemporalQuery::Endless { .. } => &[],
        }
    }
}

/// The result of the search.
#[derive(Clone, Debug, Default)]
pub struct TemporalResult {
    /// A run: its moves, and where the part that repeats begins; behind the last when the last state does.
    pub lasso: Option<(Vec<Move>, usize)>,
    pub states: u64,
    pub transitions: u64,
    pub steps: u64,
    /// States that another worker had expanded before the search reached them.
    pub helped: u64,
    /// States in product with the automaton.
    pub nodes: u64,
    pub bytes: u64,
    pub stopped: Option<Stop>,
    pub gaps: Vec<Gap>,
    /// Propositions without a value in some state, and why.
    pub troubles: Vec<(String, String)>,
    /// More threads than there are marks for.
    pub too_many_threads: bool,
    /// Pointers became integers or the other way round: names of objects were kept.
    pub exposed: bool,
}

/// Searches the runs of a program.
pub fn search_runs(
    program: &Arc<Program>,
    settings: &Settings,
    runs: &TemporalConfig,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<TemporalResult, TooLarge> {
    let settings = Settings { fuse_alone: false, ..settings.clone() };
    let machine = Machine::new(program.clone(), settings)?;
    let live = LiveRegisters(Arc::new(Liveness::new(program.clone())));
    // With reuse, every allocation and every free are about the same blocks.
    let repeats = !matches!(runs.question, TemporalQuery::Accepted { next_free: false, .. });
    let reduced = repeats && !machine.settings.reuse_addresses;
    let futures = (reduced && runs.ample).then(|| Futures::new(program));
    let supersteps = Supersteps {
        superstep: if reduced { runs.superstep } else { 1 },
        watched: Watched::by(program, runs.propositions()),
        choices: Choosing { most: runs.choices, sample: runs.sample },
    };
    let reduction = (&supersteps, futures.as_ref());
    match fair_cycle::search(&machine, &live, runs, reduction, budget, observer, true) {
        Some(result) => Ok(result),
        // Addresses matter: once more, with every object's own name.
        None => {
            let mut result = fair_cycle::search(&machine, &live, runs, reduction, budget, observer, false)
                .expect("without renaming nothing can be exposed");
            result.exposed = true;
            Ok(result)
        }
    }
}
