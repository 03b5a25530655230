//! Every engine against every other and against brute force, on random systems.
//!
//! The short version runs with the ordinary tests. The long one: `RADDLE_TTS_SYSTEMS=20000 cargo test --release
//! -p raddle-boolean --test random_systems`.

#[path = "tts/random_systems.rs"]
mod samples;

use raddle_boolean::tts::antichain::Pruning;
use raddle_boolean::tts::backward::backward;
use raddle_boolean::tts::bounded::bounded;
use raddle_boolean::tts::cut_off::cut_off;
use raddle_boolean::tts::karp_miller::{Options, Retake, karp_miller};
use raddle_boolean::tts::net::Net;
use raddle_boolean::tts::skips::without_skips;
use raddle_boolean::tts::state_equation::state_equation;
use raddle_boolean::tts::thread_states::ThreadStates;
use raddle_boolean::tts::{Limits, Method, Outcome, Question, Stop, decide};
use raddle_bp::tts::{Effect, Explored, Found, Run, explore, find_run, replay, write};
use raddle_trace::Budget;
use samples::{Sample, sample};
use std::collections::BTreeSet;

/// Threads that brute force is still used with.
const FORCE: usize = 5;
const CONFIGURATIONS: usize = 20_000;

fn systems(short: u64) -> u64 {
    std::env::var("RADDLE_TTS_SYSTEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(short)
}

fn limits() -> Limits {
    Limits { budget: Budget::default(), elements: 20_000 }
}

/// What the engines said.
#[derive(Default, Debug)]
struct Tally {
    systems: u64,
    covered: u64,
    uncoverable: u64,
    /// Decided by brute force as well, with the threads of the run or of the cut-off.
    by_force: u64,
    weighed: u64,
    /// Of these, with traps.
    trapped: u64,
    cut_offs: u64,
    bounded: u64,
    /// Systems with skips.
    smaller: u64,
    stopped: u64,
}

/// Most threads that are there at a time.
fn threads_of(sample: &Sample, run: &Run) -> usize {
    let spawned = run
        .steps
        .iter()
        .filter(|step| matches!(sample.system.transitions[step.transition].effect, Effect::Spawn { .. }));
    run.threads.len() + spawned.count()
}

/// Whether an engine says covered; its run must replay.
fn verdict(sample: &Sample, name: &str, seed: u64, outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::Covered(run) => {
            let done = replay(&sample.system, &sample.initial, &sample.target, run, |_, _| {});
            if let Err(why) = done {
                panic!("seed {seed}: the run of {name} does not replay: {why}\n{}", text(sample));
            }
            Some(true)
        }
        Outcome::Uncoverable => Some(false),
        Outcome::Stopped(stop) => {
            // These systems are small: nothing but the limits may stop a search.
            let limit = matches!(stop, Stop::Elements | Stop::Threads | Stop::Undecided);
            assert!(limit, "seed {seed}: {name}: {stop:?}\n{}", text(sample));
            None
        }
        Outcome::NotApplicable(_) => None,
    }
}

fn text(sample: &Sample) -> String {
    format!("{}init {} target {}", write(&sample.system), sample.initial, sample.target)
}

fn brute(sample: &Sample, threads: usize) -> Option<Found> {
    find_run(&sample.system, &sample.initial, &sample.target, threads, CONFIGURATIONS)
}

/// The thread states of brute force.
fn pairs(explored: &Explored) -> BTreeSet<(u32, u32)> {
    let all = explored.configurations.iter();
    all.flat_map(|c| c.threads.iter().map(|l| (c.shared.0, l.0))).collect()
}

fn compare(seed: u64, passive: bool, tally: &mut Tally) {
    let sample = &sample(seed, passive);
    let Sample { system, initial, target } = sample;
    let net = Net::new(system, initial, target);
    let reachable = ThreadStates::thread_modular(&net);
    let whole = net.clone();
    let net = net.pruned(&reachable);
    let limits = limits();
    tally.systems += 1;

    // Every combination of switches, by the seed.
    let pruning = Pruning { antichain: seed & 1 == 0, bitset: seed & 2 == 0 };
    let mut answers: Vec<(&str, Option<bool>)> = Vec::new();
    let (found, _) = backward(&net, system, &reachable, pruning, &limits);
    let longest = if let Outcome::Covered(run) = &found { Some(threads_of(sample, run)) } else { None };
    answers.push(("backward", verdict(sample, "backward", seed, &found)));
    let retake = [Retake::Closed, Retake::Taken, Retake::Never][(seed / 4 % 3) as usize];
    let options = Options { pruning, retake, depth_first: seed & 16 == 0 };
    let (found, _) = karp_miller(&net, system, options, &limits);
    assert_eq!(matches!(found, Outcome::NotApplicable(_)), net.has_passive_moves, "seed {seed}");
    let fewer = if let Outcome::Covered(run) = &found { Some(threads_of(sample, run)) } else { None };
    answers.push(("karp-miller", verdict(sample, "karp-miller", seed, &found)));
    let smaller = without_skips(&net, &reachable);
    tally.smaller += u64::from(smaller.edges.len() < net.edges.len());
    let (found, _) = backward(&smaller, system, &reachable, pruning, &limits);
    answers.push(("backward without skips", verdict(sample, "backward without skips", seed, &found)));
    let (found, _) = karp_miller(&smaller, system, options, &limits);
    answers.push(("karp-miller without skips", verdict(sample, "karp-miller without skips", seed, &found)));
    let few = bounded(&smaller, system, 3, false, &limits);
    let plain = bounded(&net, system, 3, false, &limits);
    let covered = |outcome: &Outcome| verdict(sample, "bounded without skips", seed, outcome);
    assert_eq!(covered(&few.outcome), covered(&plain.outcome), "seed {seed}\n{}", text(sample));
    let weighed = state_equation(&if seed & 32 == 0 { smaller } else { net.clone() });
    if weighed.outcome == Outcome::Uncoverable {
        assert!(!net.has_passive_moves, "seed {seed}");
        tally.weighed += 1;
        tally.trapped += u64::from(weighed.traps > 0);
        answers.push(("state equation", Some(false)));
    }
    let cut = cut_off(&net, system, 7, !seed.is_multiple_of(3), &limits);
    answers.push(("cut-off", verdict(sample, "cut-off", seed, &cut.outcome)));
    let question = Question { system, initial, target };
    let auto = decide(question, Method::Auto, Pruning::default(), &Budget::default());
    answers.push(("auto", verdict(sample, "auto", seed, &auto.outcome)));

    let decided: Vec<(&str, bool)> = answers.iter().filter_map(|(n, v)| v.map(|v| (*n, v))).collect();
    assert!(decided.iter().all(|(_, v)| *v == decided[0].1), "seed {seed}: {decided:?}\n{}", text(sample));
    let Some((_, covered)) = decided.first().copied() else {
        tally.stopped += 1;
        return;
    };
    tally.stopped += u64::from(answers[0].1.is_none());
    tally.covered += u64::from(covered);
    tally.uncoverable += u64::from(!covered);

    // Brute force with a few threads never says more, and with the threads of a run not less.
    let enough = longest.into_iter().chain(fewer).min();
    for threads in 0..=FORCE {
        let Some(found) = brute(sample, threads) else { break };
        let forced = matches!(found, Found::Run(_));
        assert!(!forced || covered, "seed {seed}: brute force, {threads} threads\n{}", text(sample));
        if enough.is_some_and(|enough| enough <= threads) {
            assert!(forced, "seed {seed}: brute force finds nothing, {threads} threads\n{}", text(sample));
            tally.by_force += 1;
            break;
        }
        let few = bounded(&net, system, threads as u64, false, &limits);
        match (&found, &few.outcome) {
            (Found::Run(a), Outcome::Covered(b)) => {
                verdict(sample, "bounded", seed, &few.outcome);
                assert_eq!(a.steps.len(), b.steps.len(), "seed {seed}: shortest runs\n{}", text(sample));
            }
            (Found::Nothing { cut }, Outcome::Uncoverable) => {
                assert_eq!(*cut, few.cut, "seed {seed}: {threads} threads\n{}", text(sample));
            }
            (a, b) => panic!("seed {seed}: {threads} threads: {a:?} but {b:?}\n{}", text(sample)),
        }
        tally.bounded += 1;
    }
    // Whatever a few threads reach is among what may be reached.
    for threads in initial.least_threads() as usize..=4 {
        let Some(explored) = explore(system, initial, threads, CONFIGURATIONS) else { break };
        let kept: BTreeSet<(u32, u32)> = (0..whole.shared as u32)
            .flat_map(|s| (0..whole.local as u32).map(move |l| (s, l)))
            .filter(|(s, l)| reachable.contains(*s, *l))
            .map(|(s, l)| whole.name(s, l))
            .map(|(s, l)| (s.0, l.0))
            .collect();
        for pair in pairs(&explored) {
            assert!(kept.contains(&pair), "seed {seed}: {pair:?} is reached\n{}", text(sample));
        }
    }
    // At the cut-off everything is there, one thread before it is not.
    if let Some(threads) = cut.threads {
        tally.cut_offs += 1;
        let single = target.threads.values().sum::<u32>() <= 1;
        let at = |threads: u64| explore(system, initial, threads as usize, CONFIGURATIONS);
        if single
            && threads < FORCE as u64
            && let (Some(here), Some(more)) = (at(threads), at(threads + 1))
        {
            assert_eq!(pairs(&here), pairs(&more), "seed {seed}: cut-off {threads}\n{}", text(sample));
            assert_eq!(pairs(&here).len() as u64, cut.reachable, "seed {seed}\n{}", text(sample));
            let forced = here.configurations.iter().any(|c| c.covers(target));
            assert_eq!(forced, covered, "seed {seed}: cut-off {threads}\n{}", text(sample));
            tally.by_force += u64::from(!covered);
        }
        if let (true, true, Some(Found::Run(run))) =
            (covered, threads <= FORCE as u64, brute(sample, threads as usize))
        {
            assert!(run.threads.len() <= threads as usize);
        }
    }
}

#[test]
fn without_passive_moves_all_engines_agree() {
    let mut tally = Tally::default();
    for seed in 0..systems(2_000) {
        compare(seed, false, &mut tally);
    }
    println!("{tally:?}");
    // The samples are worth something: both answers are frequent, and nearly everything was decided.
    assert!(tally.covered * 5 > tally.systems && tally.uncoverable * 5 > tally.systems, "{tally:?}");
    assert!(tally.smaller * 10 > tally.systems, "{tally:?}");
    assert!(tally.stopped * 50 < tally.systems && tally.weighed * 20 > tally.systems, "{tally:?}");
    assert!(tally.cut_offs * 4 > tally.systems && tally.by_force * 3 > tally.systems, "{tally:?}");
}

#[test]
fn with_passive_moves_backward_search_agrees_with_brute_force() {
    let mut tally = Tally::default();
    for seed in 0..systems(2_000) {
        compare(1_000_000 + seed, true, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.covered * 5 > tally.systems && tally.uncoverable * 5 > tally.systems, "{tally:?}");
    assert!(tally.smaller * 50 > tally.systems, "{tally:?}");
    assert!(tally.stopped * 50 < tally.systems, "{tally:?}");
    assert!(tally.cut_offs * 4 > tally.systems && tally.by_force * 3 > tally.systems, "{tally:?}");
}
