//! Thread transition systems through the command line: verdicts and replay of the corpus, options, bad input.

use crate::tool::{folder, raddle};
use std::path::{Path, PathBuf};

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/tts");
    let mut files: Vec<PathBuf> = ["safe", "unsafe"]
        .iter()
        .flat_map(|part| std::fs::read_dir(root.join(part)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

/// What a comment `# key: value` says.
fn said(text: &str, key: &str) -> Option<String> {
    let start = format!("# {key}: ");
    text.lines().find_map(|line| line.strip_prefix(&start)).map(|value| value.trim().to_string())
}

#[test]
fn every_file_of_the_corpus() {
    let here = folder("tts-corpus");
    let files = corpus();
    assert!(files.len() >= 50, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let expect = said(&text, "expect").unwrap();
        let in_its_folder = if expect == "violated" { "unsafe" } else { "safe" };
        assert!(file.parent().unwrap().ends_with(in_its_folder), "{}", file.display());
        let init = said(&text, "init").unwrap();
        let name = file.to_str().unwrap();
        let code = if expect == "violated" { 1 } else { 0 };
        let trace = here.join("trace.json");
        let _ = std::fs::remove_file(&trace);
        let options = ["check", name, "--init", &init, "--save-trace", "trace.json"];
        let answer = raddle(&here, &options);
        answer.says(code, &[&format!("result: {expect}")]);
        let again = raddle(&here, &options);
        assert_eq!(answer.out, again.out, "{name}");
        assert_eq!(trace.is_file(), expect == "violated", "{name}");
        if trace.is_file() {
            raddle(&here, &["replay", "trace.json"]).says(1, &["reproduced", "result: violated"]);
            // So few threads that it is bounded, or found all the same: never proved.
            let few = raddle(&here, &["check", name, "--init", &init, "--max-threads", "200"]);
            assert!(few.code == 1 || few.code == 2 || few.code == 3, "{}", few.out);
        }
        let broadcasts = text.contains("~>");
        for method in ["backward", "karp-miller"] {
            let other = raddle(&here, &["check", name, "--init", &init, "--method", method, "--quiet"]);
            let expect = if method == "karp-miller" && broadcasts { "unknown" } else { &expect };
            other.says(other.code, &[&format!("result: {expect}")]);
        }
    }
}

/// A lock; with line 5 it is broken.
const LOCK: &str = "# a lock\n2 3\n0 0 -> 1 1\n1 1 -> 0 2\n0 2 -> 0 0\n";

#[test]
fn the_report_shows_states_and_threads() {
    let here = folder("tts-report");
    std::fs::write(here.join("lock.tts"), format!("{LOCK}1 2 -> 1 1\n1|1,1\n")).unwrap();
    raddle(&here, &["check", "lock.tts", "--stats"]).says(
        1,
        &[
            "target violated: the target 1|1,1 is covered",
            "lock.tts:6:1",
            "local: 0 → 1",
            "shared: 0 → 1",
            "state 1|1,1",
            "1 2 -> 1 1",
            "decided-by: backward",
            "backward-elements:",
            "result: violated",
        ],
    );
    let json = raddle(&here, &["check", "lock.tts", "--format", "json"]);
    json.says(1, &["\"property\": \"target\"", "\"kind\": \"tts\"", "\"target\": \"1|1,1\""]);
    std::fs::write(here.join("report.json"), &json.out).unwrap();
    raddle(&here, &["replay", "report.json"]).says(1, &["reproduced: the target 1|1,1 is covered"]);
    raddle(&here, &["replay", "report.json", "--show"]).says(0, &["state 1|1,1"]);
    raddle(&here, &["check", "lock.tts", "--format", "sarif"]).says(1, &["lock.tts"]);
    // Broadcasts are told too.
    std::fs::write(here.join("all.tts"), "2 3\n0 0 -> 0 1\n0 1 ~> 1 2\n1|2,2\n").unwrap();
    raddle(&here, &["check", "all.tts"])
        .says(1, &["broadcast", "T0: passive move: 1 → 2", "T1: passive move: 1 → 2"]);
    // Nothing happens, and that is enough.
    raddle(&here, &["check", "lock.tts", "--target", "0|0,0"]).says(1, &["the target 0|0,0 is covered"]);
    raddle(&here, &["check", "lock.tts", "--target", "0|"]).says(1, &["the target 0| is covered"]);
}

#[test]
fn bounds_are_bounds() {
    let here = folder("tts-bounds");
    std::fs::write(here.join("lock.tts"), format!("{LOCK}1|1,1\n")).unwrap();
    let check = |options: &[&str]| raddle(&here, &[&["check", "lock.tts"], options].concat());
    check(&[]).says(0, &["proved", "any number of threads"]);
    check(&["--max-threads", "3"]).says(2, &["bounded", "at most 3 threads", "(--max-threads)"]);
    // Exactly two threads, and no spawns: nothing was cut.
    check(&["--max-threads", "3", "--init", "0|0,0"]).says(0, &["proved"]);
    check(&["--max-threads", "3", "--initial-threads", "2"]).says(0, &["proved"]);
    check(&["--initial-threads", "any"]).says(0, &["proved"]);
    check(&["--target", "0|2,2,2", "--max-threads", "2"]).says(2, &["bounded"]);
    check(&["--target", "0|2,2,2", "--max-threads", "3"]).says(1, &["violated"]);
    check(&["--target", "0|2,2,2", "--initial-threads", "2"]).says(0, &["proved"]);
    check(&["--method", "cut-off"]).says(0, &["by a cut-off of 2"]);
    check(&["--method", "state-equation"]).says(0, &["state equation"]);
    check(&["--method", "state-equation", "--target", "1|1"]).says(3, &["does not decide"]);
    check(&["--engine", "boolean"]).says(0, &["proved"]);
    // A spawner never has enough threads for a bounded proof.
    std::fs::write(here.join("spawn.tts"), "1 3\n0 0 +> 0 1\n0|2\n").unwrap();
    raddle(&here, &["check", "spawn.tts", "--init", "0|0", "--max-threads", "4"]).says(2, &["bounded"]);
    raddle(&here, &["check", "spawn.tts", "--init", "0|0"]).says(0, &["proved"]);
    raddle(&here, &["check", "lock.tts", "--timeout", "100", "--memory-limit", "200"]).says(0, &["proved"]);
}

#[test]
fn targets_come_from_texts_and_files() {
    let here = folder("tts-targets");
    std::fs::write(here.join("lock.tts"), LOCK).unwrap();
    std::fs::write(here.join("both.prop"), "# two of them\n\n 1|1,1 # in the middle\n").unwrap();
    std::fs::write(here.join("one.prop"), "1|1").unwrap();
    std::fs::write(here.join("none.prop"), "# nothing\n").unwrap();
    std::fs::write(here.join("odd.prop"), "\n 1|x\n").unwrap();
    let check = |target: &str| raddle(&here, &["check", "lock.tts", "--target", target]);
    check("both.prop").says(0, &["proved"]);
    check("one.prop").says(1, &["violated"]);
    check("1B1").says(1, &["violated"]);
    check("none.prop").says(65, &["no state in this file"]);
    check("odd.prop").says(65, &["odd.prop:2:4", "unexpected `x`"]);
    check("two.prop").says(64, &["no such file"]);
    raddle(&here, &["check", "lock.tts"]).says(64, &["no target given", "--target"]);
}

#[test]
fn what_does_not_apply_is_a_usage_error() {
    let here = folder("tts-usage");
    std::fs::write(here.join("lock.tts"), format!("{LOCK}1|1,1\n")).unwrap();
    std::fs::write(here.join("other.tts"), format!("{LOCK}1|1,1\n")).unwrap();
    std::fs::write(here.join("a.c"), "int main(void) { return 0; }\n").unwrap();
    for (options, part) in [
        (&["lock.tts", "--property", "race"][..], "`race` is not a property"),
        (&["lock.tts", "--property", "assert"], "`assert` is not a property"),
        (&["lock.tts", "--property", "target", "--property", "ltl=G p"], "`ltl` is not a property"),
        (&["lock.tts", "--invariant", "x > 0"], "`invariant` is not a property"),
        (&["lock.tts", "--prop", "p=x"], "--prop"),
        (&["lock.tts", "--engine", "explicit"], "`explicit` does not check"),
        (&["lock.tts", "--unwind", "3"], "--unwind"),
        (&["lock.tts", "--preemptions", "3"], "--preemptions"),
        (&["lock.tts", "--context-switches", "3"], "--context-switches"),
        (&["lock.tts", "--error-label", "L"], "--error-label"),
        (&["lock.tts", "--method", "magic"], "no such method"),
        (&["lock.tts", "--method", "backward", "--max-threads", "3"], "unboundedly many threads"),
        (&["lock.tts", "--init", "0|0", "--initial-threads", "1"], "mutually exclusive"),
        (&["lock.tts", "--init", "0|0,0,0", "--max-threads", "2"], "exceeds --max-threads 2"),
        (&["lock.tts", "--init", "9/0"], "shared state 9"),
        (&["lock.tts", "--init", "0|0;"], "column 4"),
        (&["lock.tts", "--target", "1|3"], "local state 3"),
        (&["lock.tts", "--target", "1/1"], "finitely many"),
        (&["lock.tts", "other.tts"], "one .bp or .tts at a time"),
        (&["a.c", "lock.tts"], "one .bp or .tts at a time"),
        (&["a.c", "--property", "target"], "thread transition systems"),
    ] {
        raddle(&here, &[&["check"], options].concat()).says(64, &[part]);
    }
    raddle(&here, &["check", "lock.tts", "--property", "target"]).says(0, &["proved"]);
}

#[test]
fn bad_files_are_told_with_their_place() {
    let here = folder("tts-files");
    for (name, content, place) in [
        ("empty.tts", &b""[..], "empty.tts:1:1"),
        ("arrow.tts", b"2 2\n0 0 => 1 1\n", "arrow.tts:2:5"),
        ("range.tts", b"2 2\n0 0 -> 1 1\n0 5 -> 1 1\n", "range.tts:3:3"),
        ("huge.tts", b"99999999999 2\n", "huge.tts:1:1"),
        ("binary.tts", b"2 2\n\xff\xfe\n", "binary.tts:2"),
        ("nul.tts", b"2 2\n\0\0\n", "nul.tts:2:1"),
    ] {
        std::fs::write(here.join(name), content).unwrap();
        raddle(&here, &["check", name, "--target", "0|0"]).says(65, &[place]);
    }
    raddle(&here, &["check", "missing.tts"]).says(65, &["missing.tts", "No such file"]);
    std::fs::create_dir(here.join("folder.tts")).unwrap();
    raddle(&here, &["check", "folder.tts"]).says(65, &["folder.tts", "not a regular file"]);
    // What the header claims costs nothing.
    std::fs::write(here.join("claim.tts"), "4000000000 4000000000\n0 0 -> 3999999999 3999999999\n").unwrap();
    let target = ["check", "claim.tts", "--target", "3999999999|3999999999", "--memory-limit", "64"];
    raddle(&here, &target).says(1, &["violated"]);
}

#[test]
fn replay_believes_nothing() {
    let here = folder("tts-replay");
    let broken = format!("{LOCK}1 2 -> 1 1\n1|1,1\n");
    std::fs::write(here.join("lock.tts"), &broken).unwrap();
    raddle(&here, &["check", "lock.tts", "--save-trace", "trace.json"]).says(1, &[]);
    let trace = std::fs::read_to_string(here.join("trace.json")).unwrap();
    let damaged = |from: &str, to: &str| {
        assert!(trace.contains(from), "{from}");
        std::fs::write(here.join("damaged.json"), trace.replacen(from, to, 1)).unwrap();
        raddle(&here, &["replay", "damaged.json"])
    };
    damaged("\"transition\": 3", "\"transition\": 99").says(65, &["damaged", "no such transition"]);
    damaged("\"transition\": 3", "\"transition\": 18446744073709551615").says(65, &["damaged"]);
    damaged("\"transition\": 3", "\"transition\": 0").says(65, &["damaged", "the shared state is 1, not 0"]);
    damaged("\"initial\": \"0/0\"", "\"initial\": \"0|0\"").says(65, &["does not begin"]);
    damaged("\"initial\": \"0/0\"", "\"initial\": \"zero\"").says(65, &["its initial state"]);
    damaged("\"target\": \"1|1,1\"", "\"target\": \"1|1,1,1\"").says(65, &["does not end"]);
    damaged("\"target\": \"1|1,1\"", "\"target\": \"\"").says(65, &["its target"]);
    // The system was repaired meanwhile: the run is no longer one.
    std::fs::write(here.join("lock.tts"), format!("{LOCK}1|1,1\n")).unwrap();
    raddle(&here, &["replay", "trace.json"]).says(3, &["the system differs", "not reproduced"]);
    // Another file, with the fault: a comment more changes nothing.
    std::fs::write(here.join("old.tts"), format!("# as it was\n{broken}")).unwrap();
    raddle(&here, &["replay", "trace.json", "old.tts"]).says(1, &["reproduced", "old.tts:7:1"]);
    std::fs::remove_file(here.join("lock.tts")).unwrap();
    raddle(&here, &["replay", "trace.json"]).says(65, &["lock.tts", "name the system's file"]);
    raddle(&here, &["replay", "trace.json", "--show"]).says(0, &["state 1|1,1"]);
}
