//! Counted threads against brute force: the same thread states, as many states as there are up to exchange of threads,
//! the same verdicts, and counterexamples of the same length.

use crate::support::{corpus, flow, random_flow, replays, seeds, without_dead};
use raddle_boolean::counters::{Counters, CountersConfig};
use raddle_boolean::liveness::Liveness;
use raddle_boolean::{Answer, Cut};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{AtMost, Exploration, Setting, explore};
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::Budget;

fn compare(flow: &Flow, setting: &Setting, found: &Exploration, forget_dead: bool) -> Result<(), String> {
    let config = CountersConfig {
        initial_threads: setting.initial_threads,
        max_threads: setting.max_threads,
        at_most: setting.at_most,
        max_stack: setting.max_stack,
        states: 1_000_000,
        exhaustive: true,
        forget_dead,
    };
    let mut counters =
        Counters::new(flow, setting.error_label.as_deref(), &config).map_err(|e| e.to_string())?;
    counters.explore(&Budget::default()).map_err(|e| e.to_string())?;
    let expected = if forget_dead {
        let liveness = Liveness::new(flow);
        found.thread_states.iter().map(|state| without_dead(state, &liveness)).collect()
    } else {
        if counters.states() != found.symmetric_states {
            return Err(format!("{} states, not {}", counters.states(), found.symmetric_states));
        }
        found.thread_states.clone()
    };
    if counters.thread_states() != expected {
        return Err("thread states differ".to_owned());
    }
    if (counters.refused_start(), counters.stack_full()) != (found.refused_start, found.stack_full) {
        return Err("what is cut differs".to_owned());
    }
    match (counters.answer(), &found.counterexample) {
        (Answer::Violated(counterexample), Some(shortest)) => {
            replays(flow, setting, &counterexample)?;
            if counterexample.steps.len() != shortest.steps.len() {
                return Err(format!("{} steps, not {}", counterexample.steps.len(), shortest.steps.len()));
            }
            Ok(())
        }
        (Answer::Safe { cut }, None) => {
            let threads = cut.contains(&Cut::Threads) == found.refused_start;
            let stack = cut.contains(&Cut::Stack) == (found.stack_full || flow.is_recursive());
            if threads && stack { Ok(()) } else { Err(format!("cut {cut:?}")) }
        }
        (answer, expected) => Err(format!("{answer:?}, not {expected:?}")),
    }
}

/// Random programs, with one to four threads at most. How many were compared, how many of them fail, and in how many
/// there are fewer states than with named threads.
fn compare_random(shape: &BooleanShape, seeds: u64) -> (u64, u64, u64) {
    let (mut compared, mut violated, mut fewer) = (0, 0, 0);
    for seed in 0..seeds {
        let text = random_boolean_program(shape, seed);
        let flow = random_flow(&text, seed);
        for max_threads in 1..=4 {
            let initial_threads = 1 + (seed as usize / 7) % max_threads.min(3);
            let at_most = if seed % 3 == 0 { AtMost::Wait } else { AtMost::Skip };
            let setting = Setting { initial_threads, max_threads, at_most, ..Setting::sequential(3) };
            let Ok(found) = explore(&flow, &setting, 4_000) else { break };
            for forget_dead in [false, true] {
                compare(&flow, &setting, &found, forget_dead).unwrap_or_else(|message| {
                    panic!("seed {seed}, {max_threads} threads, forget {forget_dead}: {message}\n{text}")
                });
            }
            compared += 1;
            violated += u64::from(found.counterexample.is_some());
            fewer += u64::from(found.symmetric_states < found.states);
        }
    }
    (compared, violated, fewer)
}

#[test]
fn random_programs_agree_with_brute_force() {
    let seeds = seeds(400);
    let (compared, violated, fewer) = compare_random(&BooleanShape::concurrent(), seeds);
    eprintln!("{seeds} programs, {compared} comparisons, {violated} violated, {fewer} with fewer states");
    assert!(
        compared > seeds * 2 && violated * 5 > compared && fewer * 4 > compared,
        "{compared} {violated} {fewer}"
    );
}

#[test]
fn random_recursive_programs_agree_with_brute_force() {
    let seeds = seeds(200);
    let shape = BooleanShape { recursion: true, ..BooleanShape::concurrent() };
    let (compared, violated, _) = compare_random(&shape, seeds);
    eprintln!("{seeds} programs, {compared} comparisons, {violated} violated");
    assert!(compared > seeds * 2 && violated * 6 > compared, "{compared} {violated}");
}

#[test]
fn the_corpus_is_answered_as_its_headers_say() {
    for program in corpus() {
        let flow = flow(&program.text);
        let config = CountersConfig {
            initial_threads: program.initial_threads,
            max_threads: program.max_threads,
            max_stack: program.reference("stack").map_or(4, |text| text.parse().expect("a number")),
            exhaustive: true,
            ..CountersConfig::default()
        };
        let mut counters = Counters::new(&flow, Some(&program.error_label), &config).expect("small");
        counters.explore(&Budget::default()).expect("small");
        let named: usize = program.reference("states").expect("a number").parse().expect("a number");
        assert!(counters.states() <= named, "{}", program.name);
        match counters.answer() {
            Answer::Safe { .. } => assert!(!program.is_violated(), "{}", program.name),
            Answer::Violated(counterexample) => {
                let steps = counterexample.steps.len().to_string();
                assert_eq!(Some(steps.as_str()), program.reference("steps"), "{}", program.name);
                let setting = Setting {
                    initial_threads: program.initial_threads,
                    max_threads: program.max_threads,
                    at_most: AtMost::Skip,
                    max_stack: usize::MAX,
                    error_label: Some(program.error_label.clone()),
                };
                replays(&flow, &setting, &counterexample).unwrap_or_else(|e| panic!("{}: {e}", program.name));
            }
            Answer::Unknown(reason) => panic!("{}: {reason}", program.name),
        }
    }
}
