//! Counted threads in diagrams against brute force: the same thread states, as many states as there are up to exchange of
//! threads, the same verdicts, and counterexamples that replay.

use crate::support::{corpus, flow, random_flow, replays, seeds, without_dead};
use raddle_boolean::counters::CountersConfig;
use raddle_boolean::liveness::Liveness;
use raddle_boolean::symbolic_counters::SymbolicCounters;
use raddle_boolean::{Answer, Cut};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{AtMost, Exploration, Setting, explore};
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::Budget;

/// Compares; whether fewer states are reached with ample steps alone.
fn compare(flow: &Flow, setting: &Setting, found: &Exploration, forget_dead: bool) -> Result<bool, String> {
    let config = CountersConfig {
        initial_threads: setting.initial_threads,
        max_threads: setting.max_threads,
        at_most: setting.at_most,
        max_stack: setting.max_stack,
        exhaustive: true,
        forget_dead,
        ..CountersConfig::default()
    };
    let mut counters =
        SymbolicCounters::new(flow, setting.error_label.as_deref(), &config).map_err(|e| e.to_string())?;
    counters.explore(&Budget::default()).map_err(|e| e.to_string())?;
    let expected = if forget_dead {
        let liveness = Liveness::new(flow);
        found.thread_states.iter().map(|state| without_dead(state, &liveness)).collect()
    } else {
        if counters.states() != found.symmetric_states as u128 {
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
    agrees(flow, setting, found, &counters)?;
    // With ample steps alone: less is reached, and all answers are the same.
    let mut reduced =
        SymbolicCounters::new(flow, setting.error_label.as_deref(), &config).map_err(|e| e.to_string())?;
    reduced.reduce();
    reduced.explore(&Budget::default()).map_err(|e| e.to_string())?;
    if (reduced.refused_start(), reduced.stack_full()) != (found.refused_start, found.stack_full) {
        return Err("what is cut differs with ample steps".to_owned());
    }
    agrees(flow, setting, found, &reduced).map_err(|e| format!("ample: {e}"))?;
    match reduced.states() <= counters.states() {
        true => Ok(reduced.states() < counters.states()),
        false => Err("more states with ample steps".to_owned()),
    }
}

fn agrees(
    flow: &Flow,
    setting: &Setting,
    found: &Exploration,
    counters: &SymbolicCounters<'_>,
) -> Result<(), String> {
    match (counters.answer(), &found.counterexample) {
        (Answer::Violated(counterexample), Some(_)) => replays(flow, setting, &counterexample),
        (Answer::Safe { cut }, None) => {
            let threads = cut.contains(&Cut::Threads) == found.refused_start;
            let stack = cut.contains(&Cut::Stack) == (found.stack_full || flow.is_recursive());
            if threads && stack { Ok(()) } else { Err(format!("cut {cut:?}")) }
        }
        (answer, expected) => Err(format!("{answer:?}, not {expected:?}")),
    }
}

#[test]
fn random_programs_agree_with_brute_force() {
    let seeds = seeds(200);
    let (mut compared, mut violated, mut reduced) = (0, 0, 0);
    for seed in 0..seeds {
        let recursion = seed % 4 == 3;
        let text = random_boolean_program(&BooleanShape { recursion, ..BooleanShape::concurrent() }, seed);
        let flow = random_flow(&text, seed);
        for max_threads in 1..=4 {
            let initial_threads = 1 + (seed as usize / 7) % max_threads.min(3);
            let at_most = if seed % 3 == 0 { AtMost::Wait } else { AtMost::Skip };
            let setting = Setting { initial_threads, max_threads, at_most, ..Setting::sequential(3) };
            let Ok(found) = explore(&flow, &setting, 4_000) else { break };
            for forget_dead in [false, true] {
                let fewer = compare(&flow, &setting, &found, forget_dead).unwrap_or_else(|message| {
                    panic!("seed {seed}, {max_threads} threads, forget {forget_dead}: {message}\n{text}")
                });
                reduced += u64::from(fewer);
            }
            compared += 1;
            violated += u64::from(found.counterexample.is_some());
        }
    }
    eprintln!("{seeds} programs, {compared} comparisons, {violated} violated, {reduced} reduced");
    assert!(compared > seeds * 2 && violated * 5 > compared, "{compared} {violated}");
    assert!(reduced * 4 > compared, "{reduced} of {compared}");
}

#[test]
fn the_corpus_is_answered_as_its_headers_say() {
    for program in corpus() {
        let flow = flow(&program.text);
        let config = CountersConfig {
            initial_threads: program.initial_threads,
            max_threads: program.max_threads,
            max_stack: program.reference("stack").map_or(4, |text| text.parse().expect("a number")),
            ..CountersConfig::default()
        };
        let mut counters = SymbolicCounters::new(&flow, Some(&program.error_label), &config).expect("small");
        counters.explore(&Budget::default()).expect("small");
        match counters.answer() {
            Answer::Safe { .. } => assert!(!program.is_violated(), "{}", program.name),
            Answer::Violated(counterexample) => {
                let setting = Setting {
                    initial_threads: program.initial_threads,
                    max_threads: program.max_threads,
                    at_most: AtMost::Skip,
                    max_stack: usize::MAX,
                    error_label: Some(program.error_label.clone()),
                };
                assert!(program.is_violated(), "{}", program.name);
                replays(&flow, &setting, &counterexample).unwrap_or_else(|e| panic!("{}: {e}", program.name));
            }
            Answer::Unknown(reason) => panic!("{}: {reason}", program.name),
        }
    }
}
