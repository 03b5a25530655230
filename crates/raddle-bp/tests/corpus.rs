//! Every Boolean program of the corpus through the reference interpreter: the verdict that its header expects, the line
//! that it marks, exact numbers of states and steps, and a counterexample that can be replayed.
//!
//! `RADDLE_BLESS=1 cargo test -p raddle-bp --test corpus` writes the numbers that were found into the headers.

use raddle_bp::flow::lower;
use raddle_bp::interpreter::{AtMost, Setting, Violation, explore, replay};
use raddle_bp::program::{parse, print};
use raddle_conformance::{BooleanProgram, boolean_programs};
use std::path::Path;

const MAXIMUM_STATES: usize = 2_000_000;

fn corpus() -> Vec<BooleanProgram> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/boolean");
    boolean_programs(&root).expect("the corpus")
}

#[test]
fn every_program_is_printed_and_read_again() {
    let corpus = corpus();
    assert!(corpus.len() >= 90, "only {} programs", corpus.len());
    for program in corpus {
        let tree = parse(&program.text).unwrap_or_else(|e| panic!("{}: {e}", program.name));
        let printed = print(&tree);
        let again = parse(&printed).unwrap_or_else(|e| panic!("{}, printed: {e}\n{printed}", program.name));
        assert_eq!(again, tree, "{}", program.name);
        assert_eq!(print(&again), printed, "{}", program.name);
        let flow = lower(&tree).unwrap_or_else(|e| panic!("{}: {e}", program.name));
        let flow_again = lower(&again).unwrap_or_else(|e| panic!("{}, printed: {e}", program.name));
        assert_eq!(flow.globals, flow_again.globals);
        for (one, other) in flow.procedures.iter().zip(&flow_again.procedures) {
            let steps = |p: &raddle_bp::flow::Procedure| -> Vec<_> {
                p.nodes.iter().map(|n| (n.operation.clone(), n.next.clone(), n.labels.clone())).collect()
            };
            assert_eq!(steps(one), steps(other), "{}", program.name);
        }
    }
}

#[test]
fn every_program_does_what_its_header_says() {
    let mut wrong = Vec::new();
    for program in corpus() {
        if let Err(message) = check(&program) {
            wrong.push(format!("{}: {message}", program.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(program: &BooleanProgram) -> Result<(), String> {
    let flow = lower(&parse(&program.text).map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
    let stack = program.reference("stack").map(|text| text.parse().expect("a number"));
    let setting = Setting {
        initial_threads: program.initial_threads,
        max_threads: program.max_threads,
        at_most: AtMost::Skip,
        max_stack: stack.unwrap_or(flow.procedures.len()),
        error_label: Some(program.error_label.clone()),
    };
    let found = explore(&flow, &setting, MAXIMUM_STATES).map_err(|e| format!("{e:?}"))?;
    if found.counterexample.is_some() != program.is_violated() {
        return Err(format!("expected {:?}, found {:?}", program.expectation.rows, found.counterexample));
    }
    if let Some(counterexample) = &found.counterexample {
        let replayed = replay(&flow, &setting, &counterexample.initial, &counterexample.steps)
            .map_err(|e| format!("replay: {e}"))?;
        if replayed.violation.as_ref() != Some(&counterexample.violation) {
            return Err(format!("replayed to {:?}", replayed.violation));
        }
        let (Violation::AssertionFailed { place, .. } | Violation::LabelReached { place, .. }) =
            counterexample.violation;
        if !program.expectation.lines("assert").contains(&place.line) {
            return Err(format!("the error at {place} is on no marked line"));
        }
    }
    let mut words = stack.map(|stack: usize| format!("stack={stack} ")).unwrap_or_default();
    match (found.stack_full, found.refused_start) {
        (true, true) => words += "cut=stack,threads ",
        (true, false) => words += "cut=stack ",
        (false, true) => words += "cut=threads ",
        (false, false) => {}
    }
    words += &format!("states={}", found.states);
    if let Some(counterexample) = &found.counterexample {
        words += &format!(" steps={}", counterexample.steps.len());
    }
    let line = format!("// reference: {words}");
    if program.text.lines().any(|l| l == line) {
        return Ok(());
    }
    if std::env::var_os("RADDLE_BLESS").is_some() {
        let mut lines: Vec<&str> = program.text.lines().filter(|l| !l.starts_with("// reference:")).collect();
        let header = lines.iter().take_while(|l| is_header(l)).count();
        lines.insert(header, &line);
        return std::fs::write(&program.path, lines.join("\n") + "\n").map_err(|e| e.to_string());
    }
    Err(format!("found `{line}`"))
}

fn is_header(line: &str) -> bool {
    ["what", "expect", "unbounded", "options", "why"]
        .iter()
        .any(|key| line.starts_with(&format!("// {key}:")))
}
