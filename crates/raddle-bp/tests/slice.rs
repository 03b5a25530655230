//! Sliced programs against brute force on the whole program: the same errors, the same cuts, and no more states.
//!
//! `RADDLE_SEEDS=5000` for as many programs of each shape.

use raddle_bp::flow::{Flow, lower, slice};
use raddle_bp::interpreter::{Setting, explore, replay};
use raddle_bp::program::parse;
use raddle_conformance::{BooleanShape, random_boolean_program};

fn flow(text: &str) -> Flow {
    let tree = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    lower(&tree).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// How many programs were compared, how many of them are violated, and how many lost a variable.
fn compare(shape: &BooleanShape, usual: u64, max_threads: usize) -> (u64, u64, u64) {
    let seeds = std::env::var("RADDLE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (mut compared, mut violated, mut smaller) = (0, 0, 0);
    for seed in 0..seeds {
        let text = random_boolean_program(shape, seed);
        let whole = flow(&text);
        let sliced = slice(&whole);
        let setting = Setting { max_threads, ..Setting::sequential(3) };
        let Ok(expected) = explore(&whole, &setting, 20_000) else { continue };
        let found =
            explore(&sliced, &setting, 20_000).unwrap_or_else(|_| panic!("seed {seed}: larger\n{text}"));
        compared += 1;
        smaller += u64::from(variables(&sliced) < variables(&whole));
        assert!(found.states <= expected.states, "seed {seed}\n{text}");
        let cuts = |e: &raddle_bp::interpreter::Exploration| (e.refused_start, e.stack_full, e.threads);
        assert_eq!(cuts(&found), cuts(&expected), "seed {seed}\n{text}");
        let steps = |run: &raddle_bp::interpreter::Counterexample| run.steps.len();
        let (there, here) = (expected.counterexample.as_ref(), found.counterexample.as_ref());
        assert_eq!(here.map(steps), there.map(steps), "seed {seed}\n{text}");
        if let Some(run) = here {
            violated += 1;
            let replayed = replay(&sliced, &setting, &run.initial, &run.steps).expect("it was explored");
            assert_eq!(replayed.violation.as_ref(), Some(&run.violation), "seed {seed}\n{text}");
        }
    }
    (compared, violated, smaller)
}

fn variables(flow: &Flow) -> usize {
    flow.globals.len() + flow.procedures.iter().map(|procedure| procedure.locals.len()).sum::<usize>()
}

#[test]
fn sequential_programs_fail_alike() {
    let (compared, violated, smaller) = compare(&BooleanShape::sequential(), 300, 1);
    assert!(compared > 100 && violated * 8 > compared && smaller > 0, "{compared} {violated} {smaller}");
}

#[test]
fn programs_with_threads_fail_alike() {
    let (compared, violated, smaller) = compare(&BooleanShape::concurrent(), 150, 2);
    assert!(compared > 50 && violated * 8 > compared && smaller > 0, "{compared} {violated} {smaller}");
}
