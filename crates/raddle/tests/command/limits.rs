//! Limits of the explicit-state engine on the command line: memory, and inputs with too many values.

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_trace::{Report, Verdict};

use crate::tool::report;

fn source(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("limits");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The report of a check with the explicit-state engine.
#[track_caller]
fn check(source: &str, options: &[&str]) -> Report {
    check_with("explicit", source, options)
}

#[track_caller]
fn check_with(engine: &str, source: &str, options: &[&str]) -> Report {
    report(Path::new(source), &[&["--engine", engine], options].concat())
}

#[track_caller]
fn says(report: &Report, verdict: Verdict, words: &[&str]) {
    for row in &report.rows {
        let reason = row.reason.as_deref().unwrap_or_default();
        assert_eq!(row.verdict(), verdict, "{} {reason}", row.property);
        for word in words {
            assert!(reason.contains(word), "{}: `{word}` is missing: {reason}", row.property);
        }
    }
}

/// A number that two threads raise for ever: states without end, each with a kilobyte of its own.
const ENDLESS: &str = "#include <pthread.h>
#include <stdatomic.h>
static struct { atomic_int number; char room[1000]; } all;
static void *worker(void *unused) { for (;;) all.number++; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
}
";

#[test]
fn every_search_stops_at_the_memory_limit() {
    let source = source("endless.c", ENDLESS);
    for how in [
        &["assert", "--threads", "1"][..],
        &["assert", "--threads", "3"],
        &["assert", "--search", "dfs"],
        &["assert", "--store", "compact"],
        &["assert", "--store", "bitstate", "--bitstate-mb", "8"],
        &["assert", "--preemptions", "1000000"],
        &["ltl=[] p", "--prop", "p=all.number == all.number"],
    ] {
        let report = check(&source, &[&["--memory-limit", "16", "--property"], how].concat());
        let words = ["the memory limit of 16 MB was reached", "states explored"];
        says(&report, Verdict::Unknown, &words);
    }
}

#[test]
fn one_search_at_its_limit_leaves_the_next_its_own() {
    let source = source("both.c", ENDLESS);
    let options = ["--memory-limit", "16", "--property", "assert"];
    let formula = ["--property", "ltl=[] p", "--prop", "p=all.number == all.number"];
    let report = check(&source, &[&options[..], &formula].concat());
    says(&report, Verdict::Unknown, &["the memory limit of 16 MB was reached"]);
    // The assertion's row tells of more than a first look.
    assert!(!report.rows.iter().any(|r| r.reason.as_deref().unwrap_or_default().contains("(1 states")));
}

#[test]
fn an_array_of_bits_beyond_the_limit_is_a_usage_error() {
    let source = source("bits.c", "int main(void) { return 0; }\n");
    for options in [&["--bitstate-mb", "1000000"][..], &["--bitstate-mb", "50", "--memory-limit", "50"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .args(["check", &source, "--engine", "explicit", "--store", "bitstate"])
            .args(options)
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(64), "{complaint}");
        assert!(complaint.contains("does not fit into the memory limit of"), "{complaint}");
    }
    says(&check(&source, &["--store", "bitstate", "--bitstate-mb", "40"]), Verdict::Bounded, &[]);
}

/// Two threads, each with an input of 32 bits.
const WIDE: &str = "#include <assert.h>
#include <pthread.h>
#include <raddle.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *unused) {
    int any = raddle_any_int();
    pthread_mutex_lock(&mutex);
    x = any;
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int any = raddle_any_int();
    pthread_mutex_lock(&mutex);
    assert(x != WRONG || any != WRONG);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
";

#[test]
fn a_wide_input_is_unknown_and_named() {
    let source = source("wide.c", WIDE);
    let words = ["wide.c:16:", "`raddle_any_int` has 4294967296 values", "--sample-choices"];
    says(&check(&source, &["-DWRONG=1"]), Verdict::Unknown, &words);
    says(&check(&source, &["-DWRONG=1", "--property", "termination"]), Verdict::Unknown, &words);
}

#[test]
fn a_sampled_input_is_never_a_proof() {
    let source = source("sampled.c", WIDE);
    // Not among the values that are tried, or it would be pure chance.
    let options = ["-DWRONG=123456789", "--sample-choices", "12"];
    let words = ["`raddle_any_int` has 4294967296 values, of which at most 12 were explored"];
    let mut states = Vec::new();
    for how in [
        &["--threads", "1"][..],
        &["--threads", "3"],
        &["--search", "dfs"],
        &["--reduction", "none"],
        &["--store", "compact"],
        &["--preemptions", "9"],
        &["--property", "termination"],
        &["--property", "ltl=[] p", "--prop", "p=x == x"],
    ] {
        let report = check(&source, &[&options[..], how].concat());
        says(&report, Verdict::Bounded, &words);
        states.push(report.stats.get("states").cloned());
    }
    // The same answers in every worker and order.
    assert!(states[0] == states[1] && states[0] == states[2], "{states:?}");
}

#[test]
fn violations_found_by_sampling_are_real() {
    let source = source("real.c", WIDE);
    for wrong in ["-1", "0", "(-2147483647 - 1)", "2147483647"] {
        let define = format!("-DWRONG={wrong}");
        for how in [&["--threads", "1"][..], &["--threads", "3"], &["--search", "dfs"]] {
            let options = [&[&define[..], "--sample-choices", "5", "--property", "assert"], how].concat();
            // The trace was replayed before it was shown.
            says(&check(&source, &options), Verdict::Violated, &[]);
        }
    }
}

/// Three threads with so many interleavings that only few levels are finished.
const MANY: &str = "#include <pthread.h>
#include <stdatomic.h>
static atomic_ulong mixed;
static void *worker(void *name) {
    for (int i = 0; i < 60; i++) atomic_store(&mixed, atomic_load(&mixed) * 31 + (unsigned long)name);
    return 0;
}
int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, worker, (void *)(i + 1));
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    return 0;
}
";

/// A limit of time is `unknown`; a bound that was reached before it makes the row `bounded`, which names it.
#[test]
fn a_time_limit_names_the_last_bound_that_was_reached() {
    let source = source("many.c", MANY);
    let limited = |engine: &str, options: &[&str]| {
        let all = [&["--property", "assert", "--timeout", "4"][..], options].concat();
        check_with(engine, &source, &all)
    };
    let words = ["the time limit was reached", "states explored"];
    says(&limited("explicit", &[]), Verdict::Unknown, &words);
    for engine in ["explicit", "stateless"] {
        for options in [&["--iterate"][..], &["--preemptions", "9"]] {
            let report = limited(engine, options);
            let words = ["no violation with", "preemption", "not proved: the time limit was reached"];
            says(&report, Verdict::Bounded, &words);
            assert_ne!(report.bounds.preemptions, Some(9), "it was not reached");
        }
    }
    // The schedules that were asked for are such a bound; fewer are none.
    let sampled = |schedules| limited("random", &["--schedules", schedules]);
    says(&sampled("5"), Verdict::Bounded, &["no violation in 5 schedules"]);
    says(&sampled("100000000"), Verdict::Unknown, &["of 100000000 requested", "time limit"]);
}
