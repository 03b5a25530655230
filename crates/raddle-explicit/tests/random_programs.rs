//! Random concurrent programs: every configuration of the engine gives the verdicts of brute force.
//!
//! `RADDLE_PROGRAMS` and `RADDLE_SEED` set how many the long run takes, and where it begins.

mod support;

use std::sync::Arc;

use raddle_conformance::concurrent::{compare_all, random_program, random_program_about_memory, setting};
use support::{Tally, compare};

fn check(seeds: impl Iterator<Item = u64>, thorough: bool) -> Tally {
    compare_all(seeds, random_program, |p, seed, tally| {
        compare(&Arc::new(p.program()), seed, thorough, tally)
    })
}

#[test]
fn the_engine_agrees_with_brute_force() {
    let tally = check(0..80, false);
    // The programs are worth looking at.
    assert!(tally.programs > 60 && tally.safe > 10 && tally.races > 10, "{tally:#?}");
    assert!(tally.behind_locks > 1000 && tally.runs_with_patterns > 100, "{tally:#?}");
    for property in ["assert", "deadlock", "memsafety", "locks", "leak"] {
        assert!(tally.violated.contains_key(property), "{tally:#?}");
    }
}

#[test]
fn the_engine_agrees_with_brute_force_about_memory() {
    let tally = compare_all(0..80, random_program_about_memory, |p, seed, tally| {
        compare(&Arc::new(p.program()), seed, false, tally)
    });
    assert!(tally.programs > 40 && tally.races > 5, "{tally:#?}");
}

#[test]
#[ignore = "minutes"]
fn the_engine_agrees_with_brute_force_about_memory_on_many_programs() {
    let first = setting("RADDLE_SEED", 1000);
    let seeds = first..first + setting("RADDLE_PROGRAMS", 10_000);
    let tally = compare_all(seeds, random_program_about_memory, |p, seed, tally| {
        compare(&Arc::new(p.program()), seed, true, tally)
    });
    println!("{tally:#?}");
}

#[test]
#[ignore = "minutes"]
fn the_engine_agrees_with_brute_force_on_many_programs() {
    let first = setting("RADDLE_SEED", 1000);
    let tally = check(first..first + setting("RADDLE_PROGRAMS", 10_000), true);
    println!("{tally:#?}");
}
