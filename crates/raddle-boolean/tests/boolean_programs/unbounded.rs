//! Any number of threads against brute force with few, and against counted threads with more until nothing is missing.

use crate::support::{corpus, flow, random_flow, replays, seeds, without_dead};
use raddle_boolean::counters::{Counters, CountersConfig};
use raddle_boolean::liveness::Liveness;
use raddle_boolean::unbounded::{Unbounded, UnboundedConfig, check};
use raddle_boolean::{Answer, Cut, Reason};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{AtMost, Setting, ThreadState, explore};
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::Budget;
use std::collections::BTreeSet;

/// What a comparison came to.
#[derive(Default, Debug)]
struct Compared {
    programs: u64,
    violated: u64,
    /// With how many threads everything that any number can reach was reached, by that number.
    cut_offs: [u64; 30],
    /// Too large to be followed up to there.
    open: u64,
}

/// Few threads reach no more than any number does.
fn includes(
    flow: &Flow,
    initial: Option<usize>,
    all: &BTreeSet<ThreadState>,
    error: bool,
) -> Result<(), String> {
    let liveness = Liveness::new(flow);
    for threads in initial.unwrap_or(1)..=3 {
        let setting = Setting {
            initial_threads: initial.unwrap_or(threads),
            max_threads: threads,
            at_most: AtMost::Wait,
            ..Setting::sequential(3)
        };
        let Ok(found) = explore(flow, &setting, 3_000) else { return Ok(()) };
        let seen: BTreeSet<_> = found.thread_states.iter().map(|s| without_dead(s, &liveness)).collect();
        if let Some(missed) = seen.iter().find(|state| !all.contains(state)) {
            return Err(format!("misses {missed:?}, which {threads} threads reach"));
        }
        if found.counterexample.is_some() && !error {
            return Err(format!("misses an error of {threads} threads"));
        }
        if initial.is_some()
            && found.is_complete()
            && (seen != *all || found.counterexample.is_some() != error)
        {
            return Err(format!("{threads} threads are all, and reach less"));
        }
    }
    Ok(())
}

/// With how many threads everything is reached; none if that is too large to be seen.
fn cut_off(
    flow: &Flow,
    initial: Option<usize>,
    all: &BTreeSet<ThreadState>,
) -> Result<Option<usize>, String> {
    for threads in initial.unwrap_or(1)..30 {
        // If any number may start: with all of them running at first, none could be started.
        let mut seen = BTreeSet::new();
        for initial_threads in initial.map_or(1..=threads, |number| number..=number) {
            let config = CountersConfig {
                initial_threads,
                max_threads: threads,
                at_most: AtMost::Wait,
                max_stack: 3,
                states: 20_000,
                exhaustive: true,
                ..CountersConfig::default()
            };
            let mut counters = Counters::new(flow, Some("SLIC_ERROR"), &config).map_err(|e| e.to_string())?;
            if counters.explore(&Budget::default()).is_err() {
                return Ok(None);
            }
            seen.extend(counters.thread_states());
        }
        if seen == *all {
            return Ok(Some(threads));
        }
    }
    Err("reaches what 29 threads do not".to_owned())
}

fn compare(flow: &Flow, initial_threads: Option<usize>, sums: &mut Compared) -> Result<(), String> {
    let config = UnboundedConfig { initial_threads, max_stack: 3, states: 20_000, exhaustive: true };
    let mut unbounded = Unbounded::new(flow, Some("SLIC_ERROR"), &config).map_err(|e| e.to_string())?;
    if unbounded.explore(&Budget::default()).is_err() {
        sums.open += 1;
        return Ok(());
    }
    let all = unbounded.thread_states();
    includes(flow, initial_threads, &all, unbounded.error())?;
    sums.programs += 1;
    match cut_off(flow, initial_threads, &all)? {
        Some(threads) => sums.cut_offs[threads] += 1,
        None => sums.open += 1,
    }
    match unbounded.answer(&Budget::default()) {
        Ok(Answer::Violated(counterexample)) => {
            let setting = Setting {
                initial_threads: counterexample.initial.threads.len(),
                max_threads: usize::MAX,
                ..Setting::sequential(3)
            };
            replays(flow, &setting, &counterexample)?;
            sums.violated += 1;
        }
        Ok(Answer::Safe { cut }) => {
            if unbounded.error() || cut.contains(&Cut::Stack) != flow.is_recursive() {
                return Err(format!("cut {cut:?}"));
            }
        }
        // The run to the error needs more threads than can be followed here.
        Err(Reason::TooManyStates(_)) if unbounded.error() => sums.open += 1,
        other => return Err(format!("{other:?}")),
    }
    Ok(())
}

fn compare_random(shape: &BooleanShape, seeds: u64) -> Compared {
    let mut sums = Compared::default();
    for seed in 0..seeds {
        let text = random_boolean_program(shape, seed);
        let flow = random_flow(&text, seed);
        for initial in [Some(1 + seed as usize % 2), None] {
            compare(&flow, initial, &mut sums)
                .unwrap_or_else(|message| panic!("seed {seed}, initially {initial:?}: {message}\n{text}"));
        }
    }
    sums
}

#[test]
fn random_programs_agree_with_bounded_exploration() {
    let seeds = seeds(120);
    let sums = compare_random(&BooleanShape::concurrent(), seeds);
    eprintln!("{seeds} programs: {sums:?}");
    assert!(sums.programs > seeds && sums.violated * 5 > sums.programs, "{sums:?}");
    assert!(sums.open * 3 < sums.programs, "{sums:?}");
    assert!(sums.cut_offs[2..].iter().sum::<u64>() * 4 > sums.programs, "{sums:?}");
}

#[test]
fn random_recursive_programs_agree_with_bounded_exploration() {
    let seeds = seeds(40);
    let shape = BooleanShape { recursion: true, ..BooleanShape::concurrent() };
    let sums = compare_random(&shape, seeds);
    eprintln!("{seeds} programs: {sums:?}");
    assert!(sums.programs > seeds && sums.violated * 6 > sums.programs, "{sums:?}");
}

/// What holds with few threads may fail with more; what fails with some number that is not cut fails without a bound.
#[test]
fn errors_of_the_corpus_are_found_without_a_bound() {
    for program in corpus() {
        let flow = flow(&program.text);
        let cut = program.reference("cut").is_some_and(|cut| cut.contains("threads"));
        if !program.is_violated() || cut {
            continue;
        }
        let config =
            UnboundedConfig { initial_threads: Some(program.initial_threads), ..UnboundedConfig::default() };
        let label = Some(program.error_label.as_str());
        match check(&flow, label, &config, &Budget::default()) {
            Answer::Violated(counterexample) => {
                let setting = Setting {
                    initial_threads: program.initial_threads,
                    max_threads: usize::MAX,
                    at_most: AtMost::Wait,
                    max_stack: usize::MAX,
                    error_label: Some(program.error_label.clone()),
                };
                replays(&flow, &setting, &counterexample).unwrap_or_else(|e| panic!("{}: {e}", program.name));
            }
            other => panic!("{}: {other:?}", program.name),
        }
    }
}

#[test]
fn the_corpus_is_answered_without_a_bound() {
    let mut checked = 0;
    for program in corpus() {
        let Some(violated) = program.violated_unbounded else { continue };
        let flow = flow(&program.text);
        let config =
            UnboundedConfig { initial_threads: Some(program.initial_threads), ..UnboundedConfig::default() };
        match check(&flow, Some(&program.error_label), &config, &Budget::default()) {
            Answer::Safe { cut } => assert!(cut.is_empty() && !violated, "{}: {cut:?}", program.name),
            Answer::Violated(_) => assert!(violated, "{}", program.name),
            Answer::Unknown(reason) => panic!("{}: {reason}", program.name),
        }
        checked += 1;
    }
    assert!(checked >= 7, "{checked}");
}
