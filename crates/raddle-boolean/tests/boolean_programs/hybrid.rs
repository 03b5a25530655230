//! Plain exploration of threads against brute force: the same states, the same number of them, the same verdicts, and
//! counterexamples of the same length.

use crate::support::{all_states, corpus, flow, random_flow, replays, seeds, without_dead};
use raddle_boolean::hybrid::{Hybrid, HybridConfig};
use raddle_boolean::liveness::Liveness;
use raddle_boolean::{Answer, Cut};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{AtMost, Exploration, Setting, ThreadState, explore};
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::Budget;
use std::collections::BTreeSet;

/// How a program is explored.
#[derive(Clone, Copy, Debug)]
struct How {
    every_state: bool,
    forget_dead: bool,
}

fn compare(flow: &Flow, setting: &Setting, found: &Exploration, how: How) -> Result<(), String> {
    let config = HybridConfig {
        initial_threads: setting.initial_threads,
        max_threads: setting.max_threads,
        max_stack: setting.max_stack,
        nodes: 1 << 18,
        exhaustive: true,
        forget_dead: how.forget_dead,
        ..HybridConfig::default()
    };
    let mut hybrid = Hybrid::new(flow, setting.error_label.as_deref(), &config, &Budget::default())
        .map_err(|e| e.to_string())?;
    hybrid.explore().map_err(|e| e.to_string())?;
    if !how.forget_dead && hybrid.states() != found.states as f64 {
        return Err(format!("{} states, not {}", hybrid.states(), found.states));
    }
    if how.every_state {
        let liveness = if how.forget_dead { Liveness::new(flow) } else { Liveness::unknown(flow) };
        let seen = found.thread_states.iter().map(|state| without_dead(state, &liveness));
        let seen: BTreeSet<ThreadState> = seen.collect();
        for state in all_states(flow) {
            if hybrid.reaches(&state) != seen.contains(&without_dead(&state, &liveness)) {
                return Err(format!("{state:?} is reached: {}", hybrid.reaches(&state)));
            }
        }
    }
    if (hybrid.refused_start(), hybrid.stack_full()) != (found.refused_start, found.stack_full) {
        return Err("what is cut differs".to_owned());
    }
    match (hybrid.answer().map_err(|e| e.to_string())?, &found.counterexample) {
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

/// Random programs, with one to four threads at most. How many were compared, and how many of them fail.
fn compare_random(shape: &BooleanShape, seeds: u64) -> (u64, u64) {
    let (mut compared, mut violated) = (0, 0);
    for seed in 0..seeds {
        let text = random_boolean_program(shape, seed);
        let flow = random_flow(&text, seed);
        for max_threads in 1..=4 {
            let initial_threads = 1 + (seed as usize / 7) % max_threads.min(2);
            let setting = Setting { initial_threads, max_threads, ..Setting::sequential(3) };
            let Ok(found) = explore(&flow, &setting, 3_000) else { break };
            for forget_dead in [false, true] {
                let how = How { every_state: max_threads <= 2, forget_dead };
                compare(&flow, &setting, &found, how).unwrap_or_else(|message| {
                    panic!("seed {seed}, {max_threads} threads, {how:?}: {message}\n{text}")
                });
            }
            compared += 1;
            violated += u64::from(found.counterexample.is_some());
        }
    }
    (compared, violated)
}

#[test]
fn random_programs_agree_with_brute_force() {
    let seeds = seeds(250);
    let (compared, violated) = compare_random(&BooleanShape::concurrent(), seeds);
    eprintln!("{seeds} programs, {compared} comparisons, {violated} violated");
    assert!(compared > seeds * 3 / 2 && violated * 5 > compared, "{compared} {violated}");
}

#[test]
fn random_recursive_programs_agree_with_brute_force() {
    let seeds = seeds(150);
    let shape = BooleanShape { recursion: true, ..BooleanShape::concurrent() };
    let (compared, violated) = compare_random(&shape, seeds);
    eprintln!("{seeds} programs, {compared} comparisons, {violated} violated");
    assert!(compared > seeds && violated * 6 > compared, "{compared} {violated}");
}

#[test]
fn the_corpus_is_answered_as_its_headers_say() {
    for program in corpus() {
        let flow = flow(&program.text);
        let config = HybridConfig {
            initial_threads: program.initial_threads,
            max_threads: program.max_threads,
            max_stack: program.reference("stack").map_or(4, |text| text.parse().expect("a number")),
            nodes: 1 << 22,
            exhaustive: true,
            forget_dead: false,
            ..HybridConfig::default()
        };
        let mut hybrid =
            Hybrid::new(&flow, Some(&program.error_label), &config, &Budget::default()).expect("room");
        hybrid.explore().expect("room");
        assert_eq!(
            Some(hybrid.states().to_string().as_str()),
            program.reference("states"),
            "{}",
            program.name
        );
        match hybrid.answer().expect("room") {
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
