//! Output for other programs, from outside: `--fail-on`, `--baseline`, the formats, the schemas, and what is left on the disk
//! where something is wrong.

use crate::tool::{Answer, Folder, LOST_UPDATE};

const REPAIRED: &str = "\
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *w(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    w(0);
    pthread_join(t, 0);
    assert(x == 2);
}
";

fn scene(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("lost.c", LOST_UPDATE);
    folder.write("good.c", REPAIRED);
    // Nothing is found in one schedule, and nothing proved.
    folder.write("calls.c", "int unknown(void);\nint main(void) { return unknown(); }\n");
    folder
}

fn check(folder: &Folder, arguments: &[&str]) -> Answer {
    folder.raddle(&[&["check", "--quiet"], arguments].concat())
}

#[track_caller]
fn last_line(answer: &Answer) -> &str {
    answer.out.lines().last().unwrap_or_default()
}

#[test]
fn verdicts_below_the_level_exit_0_and_keep_their_result_line() {
    let folder = scene("fail-on");
    let violated: &[&str] = &["lost.c", "-p", "assert"];
    let bounded: &[&str] = &["good.c", "-p", "assert", "--engine", "random", "--schedules", "3"];
    let unknown: &[&str] = &["calls.c", "-p", "assert"];
    let proved: &[&str] = &["good.c", "-p", "assert"];
    for (run, word, codes) in [
        (violated, "violated", [1, 1, 1, 1]),
        (unknown, "unknown", [3, 0, 3, 3]),
        (bounded, "bounded", [2, 0, 0, 2]),
        (proved, "proved", [0, 0, 0, 0]),
    ] {
        let levels: [&[&str]; 4] =
            [&[], &["--fail-on", "violated"], &["--fail-on", "unknown"], &["--fail-on", "bounded"]];
        for (level, code) in levels.into_iter().zip(codes) {
            let answer = check(&folder, &[run, level].concat());
            assert_eq!(answer.code, code, "{run:?} {level:?}: {}{}", answer.out, answer.err);
            assert_eq!(last_line(&answer), format!("result: {word}"));
        }
    }
    // Errors keep their codes.
    assert_eq!(check(&folder, &["missing.c", "--fail-on", "violated"]).code, 65);
    assert_eq!(check(&folder, &["lost.c", "--fail-on", "proved"]).code, 64);
    assert_eq!(check(&folder, &["good.c", "--fail-on", "violated", "-o", "no/such/folder"]).code, 64);
}

#[test]
fn known_violations_do_not_count_under_fail_on() {
    let folder = scene("baseline");
    for (format, file) in [("json", "old.json"), ("sarif", "old.sarif")] {
        assert_eq!(check(&folder, &["lost.c", "--format", format, "--output", file]).code, 1);
        let known: &[&str] = &["--baseline", file];
        let counted = check(&folder, &[&["lost.c"], known].concat());
        assert_eq!((counted.code, last_line(&counted)), (1, "result: violated"));
        let level: &[&str] = &["--fail-on", "violated"];
        let answer = check(&folder, &[&["lost.c"], known, level].concat());
        assert_eq!((answer.code, last_line(&answer)), (0, "result: violated"), "{}", answer.out);
        assert!(answer.out.contains("violations are known") && answer.out.contains("violated  known: "));
        // The lines move, the violations stay known.
        folder.write("lost.c", format!("/* new */\n\n\n{LOST_UPDATE}"));
        assert_eq!(check(&folder, &[&["lost.c"], known, level].concat()).code, 0);
        // A new violation counts.
        let second = LOST_UPDATE.replace("int x;", "int x, y;").replace("x++;", "x++; y--;");
        folder.write("lost.c", second);
        let answer = check(&folder, &[&["lost.c", "-p", "race"], known, level].concat());
        assert_eq!((answer.code, last_line(&answer)), (1, "result: violated"), "{}", answer.out);
        folder.write("lost.c", LOST_UPDATE);
    }
    let marked = check(&folder, &["lost.c", "--baseline", "old.json", "--format", "sarif"]);
    assert!(marked.out.contains("\"baselineState\": \"unchanged\"") && !marked.out.contains("\"new\""));
}

#[test]
fn a_bad_baseline_is_an_input_error_before_any_work() {
    let folder = scene("bad-baseline");
    folder.write("empty", "");
    folder.write("text", "result: violated\n");
    folder.write("bytes", [0xff, 0xfe, 0x00]);
    folder.write("deep", "[".repeat(100_000));
    folder.write("other.sarif", "{\"version\": \"2.0.0\", \"runs\": []}");
    folder.write("other.json", "{\"format\": \"raddle-report\", \"format-version\": 99}");
    folder.write("kept.json", "before");
    std::fs::create_dir(folder.path("folder")).unwrap();
    let before = folder.files();
    for name in
        ["empty", "text", "bytes", "deep", "other.sarif", "other.json", "folder", "missing", "/dev/null"]
    {
        let answer = check(
            &folder,
            &[
                "lost.c",
                "--baseline",
                name,
                "--fail-on",
                "violated",
                "--format",
                "json",
                "--output",
                "kept.json",
            ],
        );
        assert_eq!(answer.code, 65, "{name}: {}", answer.err);
        assert!(answer.out.is_empty() && !answer.err.contains("panicked"), "{name}: {}", answer.err);
        assert!(answer.err.contains("baseline"), "{name}: {}", answer.err);
    }
    assert_eq!(folder.files(), before);
    assert_eq!(std::fs::read_to_string(folder.path("kept.json")).unwrap(), "before");
    // The baseline is not overwritten by the report that is compared with it.
    folder.write("old.json", "{}");
    let answer = check(&folder, &["lost.c", "--baseline", "old.json", "--format", "json", "-o", "old.json"]);
    assert_eq!(answer.code, 64, "{}", answer.err);
}

#[test]
fn real_reports_and_traces_are_valid() {
    let folder = scene("schema");
    folder.write(
        "deadlock.c",
        "#include <pthread.h>\npthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
         void *w(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); return p; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&a); \
         pthread_mutex_lock(&b); return 0; }\n",
    );
    folder
        .write("free.c", "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); return *p; }\n");
    folder.write("loop.c", "int x;\nint main(void) { while (!x) ; return 0; }\n");
    folder.write("b.bp", "decl x;\nvoid main() begin\n  x := 1;\n  assert(!x);\nend\n");
    folder.write("t.tts", "2 2\n0 0 -> 1 1\n");
    let validator = |document: &str| {
        let schema = folder.raddle(&["schema", document]);
        assert_eq!(schema.code, 0);
        jsonschema::validator_for(&serde_json::from_str(&schema.out).unwrap()).unwrap()
    };
    let (report_is, trace_is) = (validator("report"), validator("trace"));
    let valid = |validator: &jsonschema::Validator, text: &str| {
        let document: serde_json::Value = serde_json::from_str(text).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(wrong.is_empty(), "{wrong:#?}\n{text}");
    };
    let runs: [&[&str]; 9] = [
        &["lost.c"],
        &["good.c"],
        &["calls.c"],
        &["deadlock.c", "-p", "deadlock", "-p", "leak"],
        &["free.c"],
        &["loop.c", "-p", "termination"],
        &["b.bp"],
        &["t.tts", "--target", "1|1"],
        &["good.c", "--invariant", "x <= 1", "--engine", "explicit"],
    ];
    for run in runs {
        let answer = check(&folder, &[run, &["--format", "json", "--save-trace", "t.json"]].concat());
        assert!((0..=3).contains(&answer.code), "{run:?}: {}", answer.err);
        valid(&report_is, &answer.out);
        if answer.code == 1 {
            valid(&trace_is, &std::fs::read_to_string(folder.path("t.json")).unwrap());
        }
    }
    assert_eq!(folder.raddle(&["schema", "sarif"]).code, 64);
}

#[test]
fn suites_and_comments() {
    let folder = scene("formats");
    let suite = check(&folder, &["lost.c", "--format", "junit", "--output", "r.xml"]);
    assert_eq!((suite.code, suite.out.as_str()), (1, "result: violated\n"));
    let text = std::fs::read_to_string(folder.path("r.xml")).unwrap();
    assert!(text.contains("<testsuite name=\"lost.c\"") && text.contains("<failure message=\"violated: "));
    let comment = check(&folder, &["lost.c", "--format", "markdown"]);
    assert!(comment.out.starts_with("### raddle: violated: <code>lost.c</code>\n") && comment.code == 1);
    // An unwritable place costs no work and leaves nothing.
    let before = folder.files();
    for format in ["junit", "markdown", "sarif", "json"] {
        let answer = check(&folder, &["lost.c", "--format", format, "--output", "no/r"]);
        assert_eq!((answer.code, answer.out.as_str()), (64, ""));
        let full = check(&folder, &["lost.c", "--format", format, "--output", "/dev/full"]);
        assert_eq!(full.code, 74, "{}", full.err);
    }
    assert_eq!(folder.files(), before);
}
