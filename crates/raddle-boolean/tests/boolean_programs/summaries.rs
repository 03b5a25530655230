//! Summaries against brute force: on the corpus, and on random programs with recursion.

use crate::support::{all_states, corpus, flow, random_flow, replays, seeds};
use raddle_boolean::summaries::{Summaries, SummariesConfig, check};
use raddle_boolean::{Answer, Cut};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{Exploration, Setting, explore};
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::Budget;

fn config() -> SummariesConfig {
    SummariesConfig { nodes: 1 << 16, exhaustive: true, ..SummariesConfig::default() }
}

/// Compares with what brute force found, which reached less if its stack was full. Returns whether the sets are equal.
fn compare(flow: &Flow, setting: &Setting, found: &Exploration) -> Result<bool, String> {
    let config = config();
    let mut summaries = Summaries::new(flow, setting.error_label.as_deref(), &config, &Budget::default())
        .map_err(|e| e.to_string())?;
    summaries.explore(&config).map_err(|e| e.to_string())?;
    let mut equal = true;
    for state in all_states(flow) {
        match (summaries.reaches(&state), found.thread_states.contains(&state)) {
            (true, true) | (false, false) => {}
            (true, false) if found.stack_full => equal = false,
            (true, false) => return Err(format!("reaches {state:?}, which cannot be reached")),
            (false, true) => return Err(format!("misses {state:?}")),
        }
    }
    match summaries.answer(&config).map_err(|e| e.to_string())? {
        Answer::Safe { cut } => {
            if found.counterexample.is_some() {
                return Err("misses an error".to_owned());
            }
            if cut.contains(&Cut::Threads) != summaries.refused_start() {
                return Err(format!("cut {cut:?}"));
            }
        }
        Answer::Violated(counterexample) => {
            if found.counterexample.is_none() && !found.stack_full {
                return Err("there is no error".to_owned());
            }
            let unbounded = Setting { max_stack: usize::MAX, ..setting.clone() };
            replays(flow, &unbounded, &counterexample)?;
        }
        Answer::Unknown(reason) => return Err(reason.to_string()),
    }
    if !found.stack_full && found.refused_start != summaries.refused_start() {
        return Err("refused starts differ".to_owned());
    }
    Ok(equal)
}

#[test]
fn random_programs_agree_with_brute_force() {
    let seeds = seeds(300);
    let (mut equal, mut violated, mut recursive, mut deep) = (0, 0, 0, 0);
    for seed in 0..seeds {
        let text = random_boolean_program(&BooleanShape::sequential(), seed);
        let flow = random_flow(&text, seed);
        // The stack grows until it changes nothing, or too much.
        let mut setting = Setting::sequential(3);
        let Ok(mut found) = explore(&flow, &setting, 50_000) else { continue };
        while found.stack_full && setting.max_stack < 5 {
            let higher = Setting { max_stack: setting.max_stack + 1, ..setting.clone() };
            match explore(&flow, &higher, 50_000) {
                Ok(more) => (found, setting) = (more, higher),
                Err(_) => break,
            }
        }
        match compare(&flow, &setting, &found) {
            Ok(same) => equal += u64::from(same),
            Err(message) => panic!("seed {seed}: {message}\n{text}"),
        }
        violated += u64::from(found.counterexample.is_some());
        recursive += u64::from(flow.is_recursive());
        deep += u64::from(found.stack_full);
    }
    eprintln!(
        "{seeds} programs: {equal} equal, {violated} violated, {recursive} recursive, {deep} deeper than tried"
    );
    assert!(equal * 10 > seeds * 9, "only {equal} of {seeds} reach exactly what brute force does");
    assert!(violated * 5 > seeds && violated * 5 < seeds * 4, "{violated} of {seeds}");
    assert!(recursive * 4 > seeds && deep * 5 > seeds, "{recursive}, {deep} of {seeds}");
}

#[test]
fn the_corpus_is_answered_as_its_headers_say() {
    let mut checked = 0;
    for program in corpus() {
        if program.max_threads > 1 {
            continue;
        }
        let flow = flow(&program.text);
        let config = SummariesConfig { nodes: 1 << 18, ..SummariesConfig::default() };
        match check(&flow, Some(&program.error_label), &config, &Budget::default()) {
            Answer::Safe { cut } => assert!(cut.is_empty() && !program.is_violated(), "{}", program.name),
            Answer::Violated(_) => assert!(program.is_violated(), "{}", program.name),
            Answer::Unknown(reason) => panic!("{}: {reason}", program.name),
        }
        checked += 1;
    }
    assert!(checked > 50, "{checked}");
}
