//! The contract of the command line: exit codes, messages, files.

use std::path::PathBuf;
use std::process::{Command, Output};

fn raddle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle")).args(arguments).output().unwrap()
}

fn code(arguments: &[&str]) -> i32 {
    raddle(arguments).status.code().unwrap()
}

fn complaint(arguments: &[&str], expected_code: i32) -> String {
    let output = raddle(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(expected_code), "{text}");
    text
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn help_and_version_succeed() {
    for arguments in [&["--help"][..], &["--version"], &["check", "--help"], &["help", "replay"], &["models"]]
    {
        assert_eq!(code(arguments), 0, "{arguments:?}");
    }
}

#[test]
fn usage_errors_are_64() {
    let cases: &[&[&str]] = &[
        &[],
        &["frobnicate"],
        &["check"],
        &["check", "--frobnicate", "a.c"],
        &["check", "a.c", "--property", "races"],
        &["check", "a.c", "--property", "ltl="],
        &["check", "a.c", "--engine", "magic"],
        &["check", "a.c", "--engine", "cegar"],
        &["check", "a.c", "--engine", "explicit", "--unwind", "3"],
        &["check", "a.c", "--threads", "0"],
        &["check", "a.c", "--threads", "100000"],
        &["check", "a.c", "--timeout", "-1"],
        &["check", "a.c", "--timeout", "0"],
        &["check", "a.c", "--timeout", "NaN"],
        &["check", "a.c", "--timeout", "inf"],
        &["check", "a.c", "--unwind", "0"],
        &["check", "a.c", "--unwind", "99999999999999999999"],
        &["check", "a.c", "--preemptions", "-1"],
        &["check", "a.c", "--memory-limit", "0"],
        &["check", "a.c", "--memory-model", "imaginary"],
        &["check", "a.c", "--data-model", "LLP64"],
        &["check", "a.c", "--optimize", "9"],
        &["check", "a.c", "--format", "pdf"],
        &["check", "a.c", "--prop", "p"],
        &["check", "a.c", "--prop", "p=x", "--prop", "p=y"],
        &["check", "a.c", "--invariant", ""],
        &["check", "a.c", "--initial-threads", "some"],
        &["check", "a.c", "--property", "termination", "--preemptions", "2"],
        &["check", "a.c", "--property", "ltl=G p", "--context-switches", "2"],
        &["replay"],
        &["fmt"],
    ];
    for arguments in cases {
        let text = complaint(arguments, 64);
        assert!(!text.trim().is_empty(), "{arguments:?} says nothing");
    }
}

#[test]
fn every_option_of_the_contract_is_known() {
    let text = complaint(
        &[
            "check",
            "/nowhere/a.c",
            "--property",
            "assert",
            "--property",
            "ltl=G p",
            "--invariant",
            "x >= 0",
            "--prop",
            "p=x == 1",
            "--engine",
            "auto",
            "--unwind",
            "3",
            "--iterate",
            "--threads",
            "2",
            "--timeout",
            "1.5",
            "--memory-limit",
            "100",
            "--memory-model",
            "sc",
            "--data-model",
            "ILP32",
            "--optimize",
            "s",
            "-D",
            "N=2",
            "-DM",
            "-I",
            "include",
            "-Iother",
            "-std=c11",
            "--no-spurious-wakeups",
            "--malloc-may-fail",
            "--reuse-addresses",
            "--format",
            "json",
            "--quiet",
            "--stats",
            "--seed",
            "7",
        ],
        65,
    );
    assert!(text.contains("/nowhere/a.c"), "{text}");
    let threads = ["--initial-threads", "any", "--max-threads", "4", "--error-label", "L", "--init", "0|0"];
    for option in threads.chunks(2).chain([
        &["--target", "1|1"][..],
        &["--method", "auto"],
        &["--partial-order", "all"],
    ]) {
        let text = complaint(&[&["check", "/nowhere/a.c"][..], option].concat(), 64);
        assert!(text.contains(option[0]) && text.contains("does not apply to C"), "{text}");
    }
    let text = complaint(&["check", "/nowhere/a.bp", "--max-threads", "4", "--error-label", "L"], 65);
    assert!(text.contains("/nowhere/a.bp"), "{text}");
    let text = complaint(&["check", "/nowhere/a.tts", "--init", "0|0", "--target", "1|1"], 65);
    assert!(text.contains("/nowhere/a.tts"), "{text}");
    for option in [
        &["--abstraction", "f"][..],
        &["-DX"],
        &["--havoc", "f"],
        &["--malloc-may-fail"],
        &["--search", "bfs"],
        &["--store", "exact"],
        &["--reduction", "none"],
        &["--data-model", "LP64"],
        &["--optimize", "0"],
        &["--clang", "clang"],
    ] {
        let text = complaint(&[&["check", "/nowhere/a.bp"][..], option].concat(), 64);
        assert!(text.contains("does not apply to a Boolean program"), "{text}");
    }
}

#[test]
fn an_option_of_another_engine_is_a_usage_error() {
    for (engine, option) in [
        ("stateless", &["--search", "dfs"][..]),
        ("stateless", &["--store", "compact"]),
        ("random", &["--reduction", "none"]),
        ("pct", &["--sample-choices", "3"]),
        ("explicit", &["--schedules", "10"]),
        ("run", &["--schedules", "10"]),
        ("random", &["--pct-depth", "3"]),
    ] {
        let text = complaint(&[&["check", "/nowhere/a.c", "--engine", engine][..], option].concat(), 64);
        assert!(text.contains(option[0]) && text.contains(&format!("`{engine}`; it is for")), "{text}");
    }
    let text = complaint(&["check", "/nowhere/a.c", "--bitstate-mb", "8"], 64);
    assert!(text.contains("--store bitstate only"), "{text}");
}

#[test]
fn unreadable_output_is_told_before_the_run() {
    let folder = folder("unwritable");
    let inside_nothing = folder.join("missing/report.txt");
    let text = complaint(&["check", "a.c", "--output", inside_nothing.to_str().unwrap()], 64);
    assert!(text.contains("cannot write"), "{text}");
    let text = complaint(&["check", "a.c", "--output", folder.to_str().unwrap()], 64);
    assert!(text.contains("it is a directory"), "{text}");
}

#[test]
fn a_failed_run_leaves_no_file_and_keeps_the_old_one() {
    let folder = folder("kept");
    let report = folder.join("report.json");
    std::fs::write(&report, "old").unwrap();
    assert_eq!(code(&["check", "/nowhere/a.c", "--output", report.to_str().unwrap()]), 65);
    assert_eq!(std::fs::read_to_string(&report).unwrap(), "old");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn bad_traces_are_65_and_say_why() {
    let folder = folder("traces");
    let file = folder.join("trace.json");
    let name = file.to_str().unwrap();
    assert!(complaint(&["replay", name], 65).contains("cannot read"));
    for (content, expected) in [
        (&b""[..], "empty"),
        (b"{\"format\": \"raddle-trace\", \"format-ver", "cut off"),
        (b"int main(void) { return 0; }", "not JSON"),
        (b"{\"format\": \"raddle-trace\", \"format-version\": 99}", "version 99"),
        (b"{\"format\": \"raddle-trace\", \"format-version\": 1}", "damaged"),
        (b"\xff\xfe", "UTF-8"),
    ] {
        std::fs::write(&file, content).unwrap();
        let text = complaint(&["replay", name], 65);
        assert!(text.contains(expected), "{text}");
    }
}

/// The sample report of the report crate's tests: a JSON report is as good as a trace file.
#[test]
fn a_saved_trace_is_shown_without_the_program() {
    let report =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../raddle-report/tests/golden/lost_update.json");
    let name = report.to_str().unwrap();
    let output = raddle(&["replay", "--show", name]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("(read 0 before") && !text.contains('\x1b'), "{text}");
    assert!(complaint(&["replay", "--show", "--number", "2", name], 64).contains("1 trace(s)"));
}

/// The names in a message about engines are those of engines that exist.
#[test]
fn engines_are_named_truly() {
    let text = complaint(&["check", "a.c", "--engine", "magic"], 64);
    let names = text.split("known are ").nth(1).and_then(|rest| rest.lines().next()).expect("a list");
    for name in names.split(", ").map(str::trim) {
        let mut words = vec!["check", "/nowhere/a.c", "--engine", name];
        words.extend(["--towards", "a.c:1"].iter().filter(|_| name == "directed"));
        let text = complaint(&words, if is_for_c(name) { 65 } else { 64 });
        assert!(is_for_c(name) || text.contains("does not apply to C"), "{name}: {text}");
    }
    assert!(complaint(&["check", "a.c", "--engine", "boolean"], 64).contains(".bp and .tts"));
    let help = String::from_utf8(raddle(&["--help"]).stdout).unwrap();
    assert!(help.contains("lint") && help.contains("view"), "{help}");
}

fn is_for_c(engine: &str) -> bool {
    [
        "auto",
        "run",
        "random",
        "pct",
        "directed",
        "explicit",
        "stateless",
        "order",
        "lazy",
        "record",
        "widen",
        "types",
    ]
    .contains(&engine)
}
