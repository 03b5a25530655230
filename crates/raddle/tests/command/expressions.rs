//! Expressions of the user on the command line: which source they belong to, what is refused, and what reports show.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn raddle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle")).args(arguments).output().unwrap()
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("expressions-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[track_caller]
fn says(output: &Output, code: i32, words: &[&str]) -> String {
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is missing:\n{text}");
    }
    text
}

const MAIN: &str = "void other(void);\nstatic int here;\nint main(void) { here = 1; other(); return 0; }\n";
const OTHER: &str = "#define LIMIT 1\nstatic int there;\nvoid other(void) { there = 2; }\n";

#[test]
fn an_expression_finds_its_source() {
    let folder = folder("sources");
    let (main, other) = (file(&folder, "main.c", MAIN), file(&folder, "other.c", OTHER));
    let sources = [&main[..], &other];
    for (expression, code) in
        [("here < 2", 0), ("there <= LIMIT", 1), ("there < 3", 0), ("sizeof here == 4", 0)]
    {
        let arguments =
            ["check", sources[0], sources[1], "--engine", "explicit", "-p", "assert", "--invariant"];
        says(&raddle(&[&arguments[..], &[expression]].concat()), code, &[expression]);
    }
    // Each with its own.
    let arguments = ["check", &main, &other, "--engine", "explicit", "-p", "assert"];
    let both = ["--invariant", "here < 2", "--invariant", "there < 2"];
    let text = says(&raddle(&[&arguments[..], &both].concat()), 1, &["there is 2", "other.c:3"]);
    assert!(!text.contains("raddle_watch") && !text.contains("raddle-expressions"), "{text}");
    // With none.
    let none = ["--invariant", "here < there"];
    says(
        &raddle(&[&arguments[..], &none].concat()),
        64,
        &["`here < there`", "use of undeclared identifier 'there'"],
    );
}

#[test]
fn a_source_that_does_not_compile_is_an_input_error() {
    let folder = folder("broken");
    let main = file(&folder, "main.c", "int main(void) { return x; }\n");
    let output = raddle(&["check", &main, "--engine", "explicit", "--invariant", "1"]);
    says(&output, 65, &["main.c", "undeclared identifier 'x'"]);
}

#[test]
fn preprocessed_text_takes_expressions_and_llvm_does_not() {
    let folder = folder("kinds");
    let text = "static int x;\nint main(void) { x = 2; return 0; }\n";
    let preprocessed = file(&folder, "program.i", text);
    let arguments = ["check", &preprocessed, "--engine", "explicit", "-p", "assert", "--invariant", "x < 2"];
    says(&raddle(&arguments), 1, &["x is 2", "program.i:2"]);
    let llvm = file(&folder, "program.ll", "define i32 @main() {\n  ret i32 0\n}\n");
    says(&raddle(&["check", &llvm, "--invariant", "1"]), 64, &["need a C source"]);
}

#[test]
fn formulas_are_checked_before_the_program_is() {
    for (formula, words) in [
        ("<> (p", &["column 6"][..]),
        ("[] (p -> <> q)", &["column 13", "no proposition `q`", "--prop \"q=EXPRESSION\""]),
    ] {
        let property = format!("ltl={formula}");
        says(&raddle(&["check", "no.c", "--property", &property, "--prop", "p=x"]), 64, words);
    }
    let bounded = ["check", "no.c", "--property", "termination", "--preemptions", "2"];
    says(&raddle(&bounded), 64, &["infinite runs"]);
    let other = folder("engine");
    let main = file(&other, "main.c", "int main(void) { return 0; }\n");
    let sampled = ["check", &main, "--property", "termination", "--engine", "pct"];
    says(&raddle(&sampled), 3, &["--engine explicit"]);
}

#[test]
fn every_format_shows_the_cycle() {
    let folder = folder("formats");
    let text = "static volatile int x;\nint main(void) {\n    x = 1;\n    while (x) {}\n    return 0;\n}\n";
    let main = file(&folder, "main.c", text);
    let trace = folder.join("trace.json").display().to_string();
    let arguments = ["check", &main, "--property", "termination", "--save-trace", &trace, "--format"];
    let output = raddle(&[&arguments[..], &["text"]].concat());
    let text = says(&output, 1, &["the following cycle repeats forever:", "non-terminating run", "main.c:4"]);
    let (stem, cycle) = text.split_once("the following cycle repeats").unwrap();
    assert!(stem.contains("x: 0 → 1") && cycle.contains("reads x = 1"), "{text}");
    says(&raddle(&[&arguments[..], &["json"]].concat()), 1, &["\"cycle\"", "\"non-termination\""]);
    says(&raddle(&[&arguments[..], &["sarif"]].concat()), 1, &["the following cycle repeats forever: "]);
    says(&raddle(&["replay", &trace]), 1, &["reproduced: non-terminating run"]);
    // The cycle does not close any more.
    let saved = std::fs::read_to_string(&trace).unwrap();
    let position = saved.find("\"cycle\"").unwrap();
    let (before, cycle) = saved.split_at(position);
    let (name, rest) = cycle.split_once("\"script\": ").unwrap();
    let edited =
        format!("{before}{name}\"script\": 0{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let edited = file(&folder, "edited.json", &edited);
    says(&raddle(&["replay", &edited]), 3, &["is not the one before it"]);
}
