//! Random concurrent programs: every configuration of the engine gives the verdicts of brute force.
//!
//! `RADDLE_PROGRAMS` and `RADDLE_SEED` set how many the long run takes, and where it begins.

mod support;

use std::sync::Arc;

use raddle_conformance::Random;
use raddle_conformance::concurrent::{Concurrent, random_program, shrink};
use support::{Tally, compare};

fn disagreement(program: &Concurrent, seed: u64) -> Option<String> {
    compare(&Arc::new(program.program()), seed, true, &mut Tally::default()).err()
}

fn check(seeds: impl Iterator<Item = u64>, thorough: bool) -> Tally {
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for seed in seeds {
        let program = random_program(&mut Random::new(seed));
        if let Err(first) = compare(&Arc::new(program.program()), seed, thorough, &mut tally) {
            // The same kind of disagreement, in a smaller program.
            let kind = |text: &str| text.split(':').next().map(String::from);
            let small = shrink(&program, |p| disagreement(p, seed).is_some_and(|d| kind(&d) == kind(&first)));
            let what = disagreement(&small, seed).unwrap_or(first);
            let text = small.text();
            let own = text.split("function lock(").next().expect("the library comes last");
            let failure = format!("seed {seed}: {what}\n{small:?}\n{own}");
            eprintln!("{failure}");
            failures.push(failure);
            if failures.len() >= 5 {
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{tally:#?}\n{}", failures.join("\n\n"));
    tally
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn the_engine_agrees_with_brute_force() {
    let tally = check(0..200, false);
    // The programs are worth looking at.
    assert!(tally.programs > 100 && tally.safe > 10 && tally.races > 10, "{tally:#?}");
    assert!(tally.behind_locks > 1000 && tally.runs_with_patterns > 100, "{tally:#?}");
    for property in ["assert", "deadlock", "memsafety", "locks", "leak"] {
        assert!(tally.violated.contains_key(property), "{tally:#?}");
    }
}

#[test]
#[ignore = "minutes"]
fn the_engine_agrees_with_brute_force_on_many_programs() {
    let first = setting("RADDLE_SEED", 1000);
    let tally = check(first..first + setting("RADDLE_PROGRAMS", 10_000), true);
    println!("{tally:#?}");
}
