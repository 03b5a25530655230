//! The library models against native execution: every outcome that a native run of a generated program shows must be
//! an outcome of the model.
//!
//! The oracle of other comparisons shares the machine and the models with what it checks; here both are compared with
//! the C library itself. A program (see `raddle_conformance::native`) is compiled by the system's compiler and run many
//! times with random delays. For each outcome that occurred, the program is given to `raddle check` with an assertion
//! that fails exactly for this outcome: `violated` is agreement, `proved` is a false proof.
//!
//! A run that is blocked for ever is ended by an alarm and has no outcome. Programs that the explicit-state engine
//! cannot decide are counted; their share is bounded.

mod comparison;

use std::collections::BTreeSet;
use std::ops::Range;
use std::process::Command;

use comparison::{Comparison, Effort, compare_all, compiler};
use raddle_conformance::native::{
    EXCEPTIONS, SINCE_2_38, functions_of_assembly, native_program, table_of_functions,
};

/// The numbers of the programs that the long test compares and that together cover the table.
const PROGRAMS: Range<u64> = 0..225;

/// One program of nearly every family.
const SAMPLE: [u64; 14] = [25, 1, 27, 5, 6, 7, 8, 34, 36, 13, 16, 17, 19, 46];

#[test]
fn a_sample_of_native_outcomes_is_in_the_model() {
    let effort = Effort { runs: 10, outcomes: 2, seconds: 20, races: false };
    let _alone = ALONE.lock();
    judge(&compare_all(&SAMPLE, &effort));
}

/// `NATIVE_PROGRAMS=1000..1500` compares others, `NATIVE_RUNS=500` with more runs each.
#[test]
#[ignore = "minutes"]
fn native_outcomes_are_in_the_model() {
    let numbers: Vec<u64> = match std::env::var("NATIVE_PROGRAMS") {
        Ok(text) => {
            let (first, last) = text.split_once("..").expect("NATIVE_PROGRAMS is FIRST..LAST");
            (first.parse().expect("a number")..last.parse().expect("a number")).collect()
        }
        Err(_) => PROGRAMS.collect(),
    };
    let runs = std::env::var("NATIVE_RUNS").ok().and_then(|r| r.parse().ok()).unwrap_or(60);
    let effort = Effort { runs, outcomes: 24, seconds: 30, races: true };
    let _alone = ALONE.lock();
    judge(&compare_all(&numbers, &effort));
}

/// Both forms compile programs of the same numbers into the same files, and a program that runs cannot be written.
static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Prints the closing lines; fails when an outcome is not in the model, or when too little was decided.
fn judge(all: &[Comparison]) {
    let count = |of: fn(&Comparison) -> usize| all.iter().map(of).sum::<usize>();
    let (asked, reached) = (count(|c| c.asked()), count(|c| c.reached));
    let (absent, undecided) = (count(|c| c.absent.len()), count(|c| c.undecided.len()));
    for comparison in all {
        for (outcome, reason) in &comparison.undecided {
            println!(
                "undecided: program {} ({}), outcome {outcome}: {reason}",
                comparison.number, comparison.family
            );
        }
    }
    println!(
        "native: {} programs, {} runs ({} without an outcome), {} outcomes, {asked} asked: {reached} in the model, \
         {absent} not in the model, {undecided} undecided",
        all.len(),
        count(|c| c.runs),
        count(|c| c.without_outcome),
        count(|c| c.seen),
    );
    let problems: Vec<String> = all.iter().flat_map(|c| c.problems()).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(
        undecided * 20 <= asked,
        "{undecided} of {asked} outcomes are undecided: more than one in twenty"
    );
}

#[test]
#[ignore = "compiles every program"]
fn the_programs_call_every_function_of_the_table() {
    let cc = compiler();
    let mut called: BTreeSet<String> = BTreeSet::new();
    for number in PROGRAMS {
        let file = comparison::folder().join(format!("coverage-{number}.c"));
        std::fs::write(&file, native_program(number).for_model(None))
            .expect("the folder of tests is writable");
        let output = Command::new(&cc)
            .args(["-S", "-O0", "-fno-builtin", "-w", "-o", "-"])
            .arg(&file)
            .output()
            .expect("the compiler starts");
        assert!(output.status.success(), "program {number}: {}", String::from_utf8_lossy(&output.stderr));
        let assembly = String::from_utf8_lossy(&output.stdout);
        called.extend(functions_of_assembly(&assembly).into_iter().map(String::from));
        let _ = std::fs::remove_file(&file);
    }
    let missing: Vec<&str> = table_of_functions()
        .into_iter()
        .filter(|name| !called.contains(*name) && !SINCE_2_38.contains(name))
        .collect();
    assert!(missing.is_empty(), "no program calls {}", missing.join(", "));
    println!(
        "native: {} functions are called, {} are exceptions",
        table_of_functions().len(),
        EXCEPTIONS.len()
    );
}

#[test]
fn exceptions_are_in_the_table_and_programs_are_the_same_every_time() {
    let table = include_str!("../../../raddle-clang/models/functions.txt");
    let is_there = |name: &str| table.lines().any(|line| line.split(" | ").next() == Some(name));
    for (name, reason) in EXCEPTIONS {
        assert!(is_there(name), "{name} ({reason}) is not in the table: the exception can go");
    }
    for name in SINCE_2_38 {
        assert!(is_there(name), "{name} is not in the table");
    }
    for number in 0..50 {
        assert_eq!(native_program(number).text, native_program(number).text);
    }
}
