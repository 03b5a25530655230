//! Context-bounded analysis: recursion together with threads, with a bounded number of context switches. A program of
//! one thread is made and given to [`crate::summaries`].
//!
//! With stacks of any height and any number of switches nothing can be decided; with bounded switches it can (Qadeer
//! and Rehof 2005). Lal and Reps (2008) make a sequential program that does the same: threads take turns in *rounds*,
//! always in the same order, and instead of switching, each thread runs through all its rounds at once. For that,
//! every shared variable has a copy for each round; what it has at the beginning of a round is guessed, and in the end
//! it is checked that each round began with what the one before left (see `context_bounded/sequential.rs`). A run with
//! *n* switches needs at most *n* + 1 rounds: so every run with fewer switches than there are rounds is covered, and
//! more.
//!
//! Deviations: threads may be started, and are then run after their parents; atomic sections are not
//! interrupted; a thread may stop for good wherever it could be interrupted, and the first error ends its thread.
//!
//! No error is never a proof. Not explored: longer runs, and runs that start more threads in all than there may be at
//! once. A copy of a whole thread (`start_thread goto`) is refused. A counterexample is put back into the order in
//! which it happens (`context_bounded/schedule.rs`) and replayed here already.

mod schedule;
mod sequential;

use crate::answer::{Answer, Cut, Reason};
use crate::summaries::{self, SummariesConfig};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{AtMost, Setting, replay};
use raddle_trace::Budget;
use sequential::Sequential;

/// How many threads and rounds there are, and what bounds the search.
#[derive(Clone, Debug)]
pub struct ContextBoundedConfig {
    pub initial_threads: usize,
    /// In the whole run, not only at once.
    pub max_threads: usize,
    /// At least one.
    pub rounds: usize,
    pub summaries: SummariesConfig,
}

impl Default for ContextBoundedConfig {
    fn default() -> ContextBoundedConfig {
        ContextBoundedConfig {
            initial_threads: 1,
            max_threads: 2,
            rounds: 3,
            summaries: SummariesConfig::default(),
        }
    }
}

/// Checks a program with threads and recursion.
pub fn check(
    flow: &Flow,
    error_label: Option<&str>,
    config: &ContextBoundedConfig,
    budget: &Budget,
) -> Answer {
    if config.initial_threads == 0 || config.initial_threads > config.max_threads || config.rounds == 0 {
        let what = "there is at least one initial thread, no more than there may be, and at least one round";
        return Answer::Unknown(Reason::Unsupported(what));
    }
    let sequential = match Sequential::new(flow, error_label, config) {
        Ok(sequential) => sequential,
        Err(reason) => return Answer::Unknown(reason),
    };
    // The copies of a variable are adjacent as they are declared. An order by dependencies separates them: all depend
    // on `round`, and each on hardly anything else.
    let summaries = SummariesConfig { ordered: false, ..config.summaries.clone() };
    // Its own assertion is the last step of `main`; labels mean nothing there.
    let found = match summaries::check(&sequential.flow, None, &summaries, budget) {
        Answer::Violated(found) => found,
        Answer::Safe { .. } => return Answer::Safe { cut: vec![Cut::Rounds] },
        unknown => return unknown,
    };
    let run = schedule::of(flow, &sequential, &found);
    let setting = Setting {
        initial_threads: config.initial_threads,
        max_threads: config.max_threads,
        at_most: AtMost::Skip,
        max_stack: usize::MAX,
        error_label: error_label.map(str::to_owned),
    };
    match run.map(|(initial, steps)| (replay(flow, &setting, &initial, &steps), initial, steps)) {
        Some((Ok(replayed), initial, steps)) if replayed.violation.is_some() => {
            let violation = replayed.violation.expect("just seen");
            Answer::Violated(Box::new(raddle_bp::interpreter::Counterexample { initial, steps, violation }))
        }
        _ => Answer::Unknown(Reason::Unsupported(
            "internal error: the counterexample is not a run of the program",
        )),
    }
}
