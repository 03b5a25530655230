//! The cut-off: so many threads reach every thread state that any number of threads reaches (Basler 2010, chapter 9).
//!
//! The thesis finds cut-offs by comparing with Karp and Miller's tree. Here the number of threads is raised until a
//! sufficient criterion says that nothing can come any more, which is that of Kaiser, Kroening, Wahl (*Dynamic cutoff
//! detection in parameterized concurrent programs*, CAV 2010): consider a run, with any number of threads, that
//! reaches a thread state which is not among those seen, and its first step that does so. Before it, all thread states
//! are seen ones; so the new one is in one step of the seen ones where passive threads are taken to be anywhere
//! ([`ThreadStates::frontier`]). If none of these candidates is reachable, there is no such run. Candidates are
//! decided by backward search, once more threads gave nothing new.
//!
//! The search with a given number of threads is unreduced: a partial order reduction does not keep the set of thread
//! states. The target becomes a thread state first ([`Net::with_single_goal`]).

use super::antichain::Pruning;
use super::backward::backward;
use super::bounded::bounded;
use super::net::Net;
use super::thread_states::ThreadStates;
use super::vector::{Entries, total};
use super::{Limits, Outcome, Stop};
use raddle_bp::tts::System;

/// What was found.
#[derive(Clone, Debug)]
pub struct CutOff {
    pub outcome: Outcome,
    /// The least number of threads that reach all that is ever reached, if it was found. A target of several threads
    /// counts as reached when all of its threads have been checked off.
    pub threads: Option<u64>,
    /// The thread states that are reachable with any number of threads, with those that check off the target.
    pub reachable: u64,
    /// The most threads that were tried.
    pub tried: u64,
    pub states: u64,
    /// Candidates that backward search decided.
    pub candidates: u64,
}

/// Raises the number of threads up to the cut-off, or up to `most` threads.
///
/// With `whole`, it goes on behind the target until the cut-off is known.
pub fn cut_off(net: &Net, system: &System, most: u64, whole: bool, limits: &Limits) -> CutOff {
    let net = net.clone().with_single_goal();
    let mut found = CutOff {
        outcome: Outcome::Stopped(Stop::Threads),
        threads: None,
        reachable: 0,
        tried: 0,
        states: 0,
        candidates: 0,
    };
    let overall = ThreadStates::thread_modular(&net);
    if overall.is_everything() {
        found.outcome = Outcome::NotApplicable("there are too many thread states".into());
        return found;
    }
    let mut covered = None;
    let mut before: Option<ThreadStates> = None;
    // Where the set grew last.
    let mut grew = 0;
    // One thread at least that is not fixed, so that every initial thread state is seen.
    let least = total(&net.exactly) + u64::from(!net.any.is_empty());
    for threads in least.max(1)..=most {
        let round = bounded(&net, system, threads, whole, limits);
        found.tried = threads;
        found.states += round.states;
        match round.outcome {
            Outcome::Covered(run) if !whole => {
                found.outcome = Outcome::Covered(run);
                return found;
            }
            Outcome::Covered(run) => covered = covered.or(Some(run)),
            Outcome::Uncoverable => {}
            other => {
                found.outcome = other;
                return found;
            }
        }
        let plateau = before.as_ref() == Some(&round.seen);
        if !plateau {
            grew = threads;
        }
        // Without a cut there are never more threads than these.
        let done = !round.cut || {
            match closed(&net, system, &round.seen, &overall, plateau, limits, &mut found.candidates) {
                Ok(done) => done,
                Err(stop) => {
                    found.outcome = Outcome::Stopped(stop);
                    return found;
                }
            }
        };
        if done {
            found.threads = Some(grew);
            found.reachable = round.seen.size();
            found.outcome = covered.map_or(Outcome::Uncoverable, Outcome::Covered);
            return found;
        }
        before = Some(round.seen);
    }
    found
}

/// Whether no thread state can be reached beyond these. Candidates are only decided on a plateau.
fn closed(
    net: &Net,
    system: &System,
    seen: &ThreadStates,
    overall: &ThreadStates,
    plateau: bool,
    limits: &Limits,
    candidates: &mut u64,
) -> Result<bool, Stop> {
    let frontier = seen.frontier(net);
    let mut asked = net.clone();
    let alone = frontier.shared.into_iter().map(|shared| (shared, Entries::from([])));
    let pairs = frontier.pairs.into_iter().map(|(shared, local)| (shared, Entries::from([(local, 1)])));
    for (shared, entries) in alone.chain(pairs) {
        if !overall.admits(shared, &entries) {
            continue;
        }
        if !plateau {
            return Ok(false);
        }
        *candidates += 1;
        asked.goal_shared = shared;
        asked.goal = entries;
        match backward(&asked, system, overall, Pruning::default(), limits).0 {
            Outcome::Uncoverable => {}
            Outcome::Covered(_) => return Ok(false),
            Outcome::Stopped(stop) => return Err(stop),
            Outcome::NotApplicable(_) => return Ok(false),
        }
    }
    Ok(true)
}
