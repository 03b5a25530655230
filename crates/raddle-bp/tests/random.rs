//! Random programs: read, printed, read again; run by brute force; counterexamples replayed.
//!
//! What is found is counted, so that a maker of programs that all hold, all fail or all stop at once would be seen.

use raddle_bp::flow::{Flow, lower};
use raddle_bp::interpreter::{Setting, explore, replay};
use raddle_bp::program::{parse, print};
use raddle_conformance::{BooleanShape, random_boolean_program};

/// Reads a program, prints it, and reads that.
fn flow(text: &str) -> Flow {
    let tree = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let printed = print(&tree);
    let again = parse(&printed).unwrap_or_else(|e| panic!("printed: {e}\n{printed}"));
    assert_eq!(again, tree, "{text}\n{printed}");
    assert_eq!(print(&again), printed);
    lower(&tree).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[derive(Default, Debug)]
struct Found {
    violated: usize,
    complete_and_safe: usize,
    cut: usize,
    recursive: usize,
    long: usize,
    too_large: usize,
}

fn run(shape: &BooleanShape, setting: &Setting, seeds: u64) -> Found {
    let mut found = Found::default();
    for seed in 0..seeds {
        let text = random_boolean_program(shape, seed);
        let flow = flow(&text);
        found.recursive += usize::from(flow.is_recursive());
        let Ok(exploration) = explore(&flow, setting, 50_000) else {
            found.too_large += 1;
            continue;
        };
        found.cut += usize::from(!exploration.is_complete());
        match exploration.counterexample {
            None => found.complete_and_safe += usize::from(exploration.is_complete()),
            Some(counterexample) => {
                found.violated += 1;
                found.long += usize::from(counterexample.steps.len() > 6);
                let replayed = replay(&flow, setting, &counterexample.initial, &counterexample.steps);
                let replayed = replayed.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
                assert_eq!(replayed.violation, Some(counterexample.violation), "seed {seed}\n{text}");
            }
        }
    }
    found
}

#[test]
fn sequential_programs() {
    let found = run(&BooleanShape::sequential(), &Setting::sequential(3), 600);
    assert!(found.violated > 150 && found.complete_and_safe > 80, "{found:?}");
    assert!(found.recursive > 100 && found.cut > 60 && found.long > 30, "{found:?}");
    assert!(found.too_large < 60, "{found:?}");
}

#[test]
fn concurrent_programs() {
    let setting = Setting { max_threads: 2, ..Setting::sequential(3) };
    let found = run(&BooleanShape::concurrent(), &setting, 600);
    assert!(found.violated > 150 && found.complete_and_safe > 80, "{found:?}");
    assert!(found.cut > 60 && found.long > 30 && found.recursive == 0, "{found:?}");
    assert!(found.too_large < 60, "{found:?}");
}
