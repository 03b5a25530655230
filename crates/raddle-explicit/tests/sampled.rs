//! Sampled choices: what is found is real, whatever part of the answers is followed; with all of them, nothing differs.

mod support;

use std::sync::Arc;

use raddle_explicit::{Config, Explored, Order, Sample, explore};
use raddle_ir::Program;
use raddle_machine::{Machine, Settings};
use raddle_trace::{Budget, Property, Silent};
use support::{replays, violated};

/// Programs of `counts/` in which something is chosen.
const PROGRAMS: &[&str] = &[
    "safe/explicit/input_for_ever",
    "safe/explicit/small_input_meets_a_thread",
    "safe/symmetry/equal_choices",
    "unsafe/explicit/input_reaches_the_limit_for_ever",
    "unsafe/explicit/one_input_and_one_order",
    "unsafe/explicit/signal_wakes_the_wrong_one_for_ever",
    "unsafe/symmetry/choices_that_add_up",
];

fn load(name: &str) -> Arc<Program> {
    let path = format!("{}/tests/counts/{name}.ir", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut program = raddle_ir::text::parse(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
    raddle_analysis::mark_visible(&mut program);
    Arc::new(program)
}

fn run(program: &Arc<Program>, sample: Option<Sample>, order: Order, workers: usize) -> Explored {
    let mut config = Config { sample, order, ..Config::new(Property::default_set()) };
    // Depth-first search has none.
    config.symmetry = false;
    if sample.is_some() {
        // Every choice is then too wide.
        config.choices = 1;
    }
    let budget = Budget { workers, ..Budget::default() };
    explore(program, &Settings::default(), &config, &budget, &mut Silent).expect("small")
}

#[test]
fn a_sample_finds_nothing_that_is_not_there() {
    let mut missed = 0;
    for name in PROGRAMS {
        let program = load(name);
        let machine = Machine::new(program.clone(), Settings::default()).expect("small");
        let whole = run(&program, None, Order::Breadth, 1);
        assert!(whole.sampled_choices.is_empty() && whole.wide_choices.is_empty(), "{name}");
        for answers in [1, 2, 3, 4, 100] {
            for seed in 0..3 {
                let sample = Some(Sample { answers, seed });
                let part = run(&program, sample, Order::Breadth, 1);
                assert!(!part.sampled_choices.is_empty() && part.wide_choices.is_empty(), "{name}");
                assert!(violated(&part).is_subset(&violated(&whole)), "{name} {answers} {seed}");
                missed += (violated(&part) != violated(&whole)) as u32;
                if let Some(bad) = part.discoveries.iter().find(|d| !replays(&machine, d)) {
                    panic!("{name} {answers} {seed}: does not replay: {bad:?}");
                }
                if answers == 100 {
                    assert_eq!((part.states, part.transitions), (whole.states, whole.transitions), "{name}");
                    assert_eq!(violated(&part), violated(&whole), "{name}");
                }
                for (order, workers) in [(Order::Breadth, 3), (Order::Depth, 1)] {
                    let other = run(&program, sample, order, workers);
                    assert_eq!(other.states, part.states, "{name} {answers} {seed} {order:?}");
                    assert_eq!(violated(&other), violated(&part), "{name} {answers} {seed} {order:?}");
                }
            }
        }
    }
    assert!(missed > 0, "some samples are too small");
}
