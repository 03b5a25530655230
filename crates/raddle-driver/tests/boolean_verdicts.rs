//! Verdicts on random Boolean programs against brute force, whichever engine is chosen; every trace is written, read and
//! replayed. Every other program has places that do nothing put in, which no engine sees. `RADDLE_SEEDS=5000` for as many
//! programs.

use raddle_bp::flow::{Flow, lower};
use raddle_bp::interpreter::{AtMost, Exploration, Setting, explore};
use raddle_bp::program::parse;
use raddle_conformance::{BooleanShape, random_boolean_program, with_skips};
use raddle_driver::{CheckRequest, InitialThreads};
use raddle_trace::{Silent, Trace, Verdict, read_json, write_json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const ENGINES: &[&str] = &["auto", "counters", "symbolic-counters", "hybrid", "hybrid-counters"];
/// For one thread, with stacks of any height.
const SEQUENTIAL: &[&str] = &["summaries", "sat-summaries", "universal-summaries", "structural", "nesting"];

fn seeds() -> u64 {
    std::env::var("RADDLE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

fn recursive(path: &Path) -> bool {
    lower(&parse(&std::fs::read_to_string(path).unwrap()).unwrap()).unwrap().is_recursive()
}

/// The verdict; a violation's trace must replay.
fn verdict(path: &Path, initial: InitialThreads, most: Option<u64>, engine: &str) -> Verdict {
    let mut request = CheckRequest::new(vec![path.to_path_buf()]);
    request.thread_systems.initial_threads = Some(initial);
    request.thread_systems.max_threads = most;
    request.engine = engine.into();
    // Stacks of recursion can be too many.
    if recursive(path) {
        request.budget.timeout = Some(Duration::from_millis(200));
    }
    let report = raddle_driver::check(&request, &mut Silent).unwrap().report;
    let verdict = report.verdict();
    assert_eq!(verdict == Verdict::Violated, !report.traces.is_empty());
    for trace in &report.traces {
        let again: Trace = read_json(&write_json(trace)).unwrap();
        assert_eq!(again, *trace);
        let replayed = raddle_driver::replay(&again, &[], &Default::default()).unwrap();
        assert!(replayed.reproduced, "{:?}", replayed.remarks);
        assert_eq!(replayed.trace.as_ref(), Some(trace));
    }
    // Whatever is not a proof says why.
    assert!(verdict == Verdict::Violated || report.rows[0].reason.is_some());
    assert!(verdict != Verdict::Bounded || !report.bounds.is_empty());
    verdict
}

fn brute_force(flow: &Flow, initial_threads: usize, max_threads: usize) -> Option<Exploration> {
    let max_stack = if flow.is_recursive() { 3 } else { flow.procedures.len() };
    let at_most = AtMost::Skip;
    let setting = Setting { initial_threads, max_threads, at_most, ..Setting::sequential(max_stack) };
    explore(flow, &setting, 6_000).ok()
}

/// How many comparisons gave which verdict, by exit code.
fn compare(name: &str, shape: &BooleanShape) -> [u64; 4] {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("verdicts-{name}-{}.bp", std::process::id()));
    let mut counts = [0; 4];
    for seed in 0..seeds() {
        let mut text = random_boolean_program(shape, seed);
        if seed % 2 == 1 {
            text = with_skips(&text, seed);
        }
        std::fs::write(&path, &text).unwrap();
        let flow = lower(&parse(&text).unwrap()).unwrap();
        let (starts, recursive) = (flow.starts_threads(), flow.is_recursive());
        let mut violated = false;
        for (initial, most) in [(1, 1), (1, 2), (2, 2), (1, 3)] {
            let Some(found) = brute_force(&flow, initial, most) else { break };
            let at = || format!("seed {seed}, {initial} of {most} threads, {found:?}\n{text}");
            let threads = InitialThreads::Exactly(initial as u64);
            let error = found.counterexample.is_some();
            let alone = initial == 1 && !starts;
            let sequential = if alone && most == 1 { SEQUENTIAL } else { &[] };
            for engine in ENGINES.iter().chain(sequential).copied() {
                let verdict = verdict(&path, threads, Some(most as u64), engine);
                counts[verdict.exit_code() as usize] += 1;
                // Brute force has lower stacks: where one was full, an engine may find more.
                match verdict {
                    Verdict::Violated => assert!(error || found.stack_full, "{}", at()),
                    Verdict::Proved => {
                        assert!(!error && !found.refused_start, "{}", at());
                        let any_height = engine == "auto" || SEQUENTIAL.contains(&engine);
                        assert!(!recursive || (alone && any_height), "{}", at());
                    }
                    Verdict::Bounded => assert!(!error && (found.refused_start || recursive), "{}", at()),
                    Verdict::Unknown => assert!(recursive, "{}", at()),
                }
            }
            // In rounds there may be no error where there is one, but none that is none.
            if most == 2 {
                let turns = verdict(&path, threads, Some(2), "context-bounded");
                assert!(turns != Verdict::Proved, "{}", at());
                assert!(turns != Verdict::Violated || error || found.stack_full, "{}", at());
            }
            if initial == 1 {
                violated |= error;
            }
        }
        // What a bound shows holds without one; what is proved without one is so with every bound.
        let one = verdict(&path, InitialThreads::Exactly(1), None, "auto");
        counts[one.exit_code() as usize] += 1;
        let any = verdict(&path, InitialThreads::Any, None, "auto");
        for found in [one, any] {
            let unknown = recursive && found == Verdict::Unknown;
            assert!(!violated || unknown || found == Verdict::Violated, "seed {seed}: {found}\n{text}");
        }
        let more = any == Verdict::Violated || (recursive && any == Verdict::Unknown);
        assert!(one != Verdict::Violated || more, "seed {seed}\n{text}");
        assert!(!recursive || any != Verdict::Proved, "seed {seed}\n{text}");
        assert!(!recursive || !starts || one != Verdict::Proved, "seed {seed}\n{text}");
    }
    let _ = std::fs::remove_file(&path);
    counts
}

#[test]
fn sequential_programs() {
    let counts = compare("sequential", &BooleanShape::sequential());
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
}

#[test]
fn programs_with_threads() {
    let counts = compare("threads", &BooleanShape::concurrent());
    assert!(counts[..3].iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
fn recursion_together_with_threads() {
    let shape = BooleanShape { recursion: true, ..BooleanShape::concurrent() };
    let counts = compare("both", &shape);
    assert!(counts[..3].iter().all(|count| *count > 0), "{counts:?}");
}
