//! Boolean programs through the command line: verdicts, replay and formatting of the corpus, engines compared, options,
//! bad input.

use crate::tool::{Answer, folder, raddle};
use raddle_conformance::{BooleanProgram, boolean_programs};
use std::path::Path;

fn corpus() -> Vec<BooleanProgram> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/boolean");
    let programs = boolean_programs(&root.canonicalize().unwrap()).unwrap();
    assert!(programs.len() >= 100, "{}", programs.len());
    programs
}

/// The options of the header, with or without the bound on threads.
fn options(program: &BooleanProgram, bounded: bool) -> Vec<String> {
    let mut options = vec!["check".to_string(), program.path.display().to_string()];
    if program.initial_threads != 1 {
        options.extend(["--initial-threads".into(), program.initial_threads.to_string()]);
    }
    if program.error_label != "SLIC_ERROR" {
        options.extend(["--error-label".into(), program.error_label.clone()]);
    }
    if bounded {
        options.extend(["--max-threads".into(), program.max_threads.to_string()]);
    }
    options
}

fn check(folder: &Path, options: &[String], further: &[&str]) -> Answer {
    let options: Vec<&str> = options.iter().map(String::as_str).chain(further.iter().copied()).collect();
    raddle(folder, &options)
}

/// Programs that start threads, or have several at the start.
fn has_threads(program: &BooleanProgram) -> bool {
    program.max_threads > 1
}

#[test]
fn every_file_of_the_corpus() {
    let here = folder("bp-corpus");
    for program in corpus() {
        let cut = program.reference("cut").unwrap_or_default();
        let verdict = match (program.is_violated(), has_threads(&program), cut) {
            (true, _, _) => "violated",
            // Summaries have stacks of any height.
            (false, false, "" | "stack") | (false, true, "") => "proved",
            (false, _, _) => "bounded",
        };
        let result = format!("result: {verdict}");
        let options = options(&program, true);
        let trace = here.join("trace.json");
        let _ = std::fs::remove_file(&trace);
        let answer = check(&here, &options, &["--save-trace", "trace.json"]);
        assert!(
            answer.out.ends_with(&format!("{result}\n")),
            "{}: {}{}",
            program.name,
            answer.out,
            answer.err
        );
        assert_eq!(
            answer.out,
            check(&here, &options, &["--save-trace", "trace.json"]).out,
            "{}",
            program.name
        );
        assert_eq!(trace.is_file(), program.is_violated(), "{}", program.name);
        if trace.is_file() {
            raddle(&here, &["replay", "trace.json"]).says(1, &["\nreproduced: ", "result: violated"]);
            // The fault is where a mark is.
            let marks = &program.expectation.markers;
            let marked = marks.iter().any(|mark| answer.out.contains(&format!(".bp:{}:", mark.line)));
            assert!(marked || marks.is_empty(), "{}: {}", program.name, answer.out);
        }
    }
}

#[test]
fn without_a_bound_on_threads() {
    let here = folder("bp-unbounded");
    for program in corpus() {
        let answer = check(&here, &options(&program, false), &[]);
        let result = |word: &str| answer.out.ends_with(&format!("result: {word}\n"));
        let name = &program.name;
        match program.violated_unbounded {
            Some(true) => assert!(result("violated"), "{name}: {}", answer.out),
            Some(false) => assert!(result("proved"), "{name}: {}", answer.out),
            // What a bound shows, no bound shows too; what was cut may hide more.
            None if program.is_violated() => assert!(result("violated"), "{name}: {}", answer.out),
            None if program.reference("cut") == Some("threads") => assert_ne!(answer.code, 2, "{name}"),
            None => assert!(result("proved"), "{name}: {}", answer.out),
        }
        // The same as a thread transition system.
        if has_threads(&program) && answer.code < 2 {
            let method = ["--method", "backward", "--stats", "--timeout", "1"];
            let other = check(&here, &options(&program, false), &method);
            // Some are too large for that.
            if other.code != 3 {
                other.says(answer.code, &["decided-by: backward"]);
            }
        }
    }
}

#[test]
fn engines_agree() {
    let here = folder("bp-engines");
    for program in corpus() {
        let recursive = program.reference("stack").is_some();
        for engine in ["counters", "symbolic-counters", "hybrid", "hybrid-counters"] {
            let answer = check(&here, &options(&program, true), &["--engine", engine, "--stats"]);
            let by = format!("decided-by: {engine}");
            match (program.is_violated(), recursive || program.reference("cut").is_some()) {
                (true, _) => answer.says(1, &["result: violated", &by]),
                (false, true) => answer.says(2, &["result: bounded", &by]),
                (false, false) => answer.says(0, &["result: proved", &by]),
            };
        }
        if !has_threads(&program) {
            for engine in ["summaries", "sat-summaries", "universal-summaries", "structural", "nesting"] {
                let answer = check(&here, &options(&program, false), &["--engine", engine, "--stats"]);
                let by = format!("decided-by: {engine}");
                let result = if program.is_violated() { "result: violated" } else { "result: proved" };
                answer.says(i32::from(program.is_violated()), &[result, &by]);
            }
            let answer = check(&here, &options(&program, false), &["--engine", "unbounded"]);
            answer.says(
                if program.is_violated() {
                    1
                } else if recursive {
                    2
                } else {
                    0
                },
                &[],
            );
        }
    }
}

#[test]
fn formatting_is_idempotent_and_changes_nothing() {
    let here = folder("bp-fmt");
    for program in corpus() {
        let name = program.path.to_str().unwrap();
        let once = raddle(&here, &["fmt", name]);
        once.says(0, &[]);
        std::fs::write(here.join("once.bp"), &once.out).unwrap();
        assert_eq!(raddle(&here, &["fmt", "once.bp"]).out, once.out, "{name}");
        raddle(&here, &["fmt", "once.bp", "--check"]).says(0, &[]);
        let formatted = BooleanProgram { path: here.join("once.bp"), ..program.clone() };
        let (before, after) =
            (check(&here, &options(&program, true), &[]), check(&here, &options(&formatted, true), &[]));
        assert_eq!(before.code, after.code, "{name}");
    }
    std::fs::write(here.join("odd.bp"), "decl   x ;void main()begin x:=1;end").unwrap();
    let before = std::fs::read(here.join("odd.bp")).unwrap();
    raddle(&here, &["fmt", "odd.bp", "--check"]).says(1, &["odd.bp is not formatted"]);
    assert_eq!(std::fs::read(here.join("odd.bp")).unwrap(), before);
    raddle(&here, &["fmt", "odd.bp", "--output", "even.bp"]).says(0, &[]);
    raddle(&here, &["fmt", "even.bp", "--check"]).says(0, &[]);
    // In place.
    raddle(&here, &["fmt", "odd.bp", "--output", "odd.bp"]).says(0, &[]);
    raddle(&here, &["fmt", "odd.bp", "--check"]).says(0, &[]);
    raddle(&here, &["fmt", "odd.bp", "--check", "--output", "x.bp"]).says(64, &["cannot be used with"]);
    raddle(&here, &["fmt", "odd.bp", "--output", "no/such/folder.bp"]).says(64, &["cannot write"]);
    raddle(&here, &["fmt", "missing.bp"]).says(65, &["missing.bp", "No such file"]);
    std::fs::write(here.join("broken.bp"), "decl x;\nvoid main() begin\n  x = 1;\nend\n").unwrap();
    let broken = raddle(&here, &["fmt", "broken.bp"]);
    broken.says(65, &["broken.bp:3:"]);
    assert!(broken.out.is_empty());
}

/// Two threads, and the second one breaks what the first one has seen.
const SEEN: &str = "\
decl x, y;
void main() begin
    x, y := 0, 0;
    start_thread goto other;
    assume (y);
    call(1);
    return;
other:
    x, y := 1, 1;
end
void call(a) begin
    assert (a & !x);
end
";

#[test]
fn the_report_shows_variables_and_threads() {
    let here = folder("bp-report");
    std::fs::write(here.join("seen.bp"), SEEN).unwrap();
    raddle(&here, &["check", "seen.bp", "--stats"]).says(
        1,
        &[
            "assert violated: the assertion fails: assert (a & !x)",
            "seen.bp:12:5",
            "x: 0 → 1",
            "starts T1",
            "calls call",
            "call::a = 1",
            "assume (y);",
            "states:",
            "decided-by: unbounded",
            "result: violated",
        ],
    );
    let json = raddle(&here, &["check", "seen.bp", "--format", "json"]);
    json.says(1, &["\"property\": \"assert\"", "\"kind\": \"bp\"", "\"error-label\": \"SLIC_ERROR\""]);
    std::fs::write(here.join("report.json"), &json.out).unwrap();
    raddle(&here, &["replay", "report.json"]).says(1, &["reproduced: the assertion fails"]);
    raddle(&here, &["replay", "report.json", "--show"]).says(0, &["x: 0 → 1"]);
    raddle(&here, &["check", "seen.bp", "--format", "sarif"]).says(1, &["seen.bp"]);
    // A label is an error where it is named.
    let labelled =
        "decl x;\nvoid main() begin\n    x := *;\n    if (x) then\n        HERE: skip;\n    fi\nend\n";
    std::fs::write(here.join("label.bp"), labelled).unwrap();
    raddle(&here, &["check", "label.bp"]).says(0, &["result: proved"]);
    let named = raddle(&here, &["check", "label.bp", "--error-label", "HERE"]);
    named.says(1, &["the error label HERE is reached", "label.bp:5:"]);
    // The very first state.
    std::fs::write(here.join("first.bp"), "void main() begin\n    SLIC_ERROR: skip;\nend\n").unwrap();
    raddle(&here, &["check", "first.bp"]).says(1, &["the error label SLIC_ERROR is reached"]);
}

#[test]
fn bounds_are_bounds() {
    let here = folder("bp-bounds");
    // Three threads are needed.
    let three = "\
decl a, b, started;
void main() begin
    a, b := 0, 0;
    start_thread goto first;
    start_thread goto second;
    assume (a & b);
    assert (0);
first:
    a := 1;
    assume (0);
second:
    b := 1;
    assume (0);
end
";
    std::fs::write(here.join("three.bp"), three).unwrap();
    let check = |options: &[&str]| raddle(&here, &[&["check", "three.bp"], options].concat());
    check(&["--max-threads", "1"])
        .says(2, &["at most 1 thread; thread starts were skipped", "(--max-threads)"]);
    check(&["--max-threads", "2"]).says(2, &["at most 2 threads", "result: bounded"]);
    check(&["--max-threads", "3"]).says(1, &["violated"]);
    check(&["--max-threads", "2", "--engine", "hybrid"]).says(2, &["result: bounded"]);
    check(&["--max-threads", "1", "--engine", "summaries"]).says(2, &["result: bounded"]);
    check(&[]).says(1, &["violated"]);
    check(&["--initial-threads", "any"]).says(1, &["violated"]);
    // Recursion together with threads.
    let deep = "\
decl x;
void main() begin
    start_thread goto other;
other:
    f();
end
void f() begin
    if (*) then f(); fi
    x := 1;
    assert (x | !x);
end
";
    std::fs::write(here.join("deep.bp"), deep).unwrap();
    let deep = |options: &[&str]| raddle(&here, &[&["check", "deep.bp"], options].concat());
    deep(&[]).says(2, &["recursion together with threads", "result: bounded"]);
    deep(&["--initial-threads", "any"]).says(2, &["result: bounded"]);
    deep(&["--max-threads", "2"]).says(2, &["recursion together with threads", "result: bounded"]);
    deep(&["--max-threads", "2", "--engine", "hybrid"]).says(2, &["result: bounded"]);
    deep(&["--max-threads", "1", "--engine", "summaries"]).says(2, &["result: bounded"]);
    deep(&["--max-threads", "2", "--engine", "context-bounded"]).says(3, &["start_thread goto"]);
    // Nothing is cut where no thread is started.
    std::fs::write(
        here.join("own.bp"),
        "void main() begin\n    decl x;\n    x := 1;\n    assert (x);\nend\n",
    )
    .unwrap();
    for threads in ["1", "2", "3", "any"] {
        raddle(&here, &["check", "own.bp", "--initial-threads", threads]).says(0, &["result: proved"]);
    }
    raddle(&here, &["check", "own.bp", "--engine", "boolean"]).says(0, &["result: proved"]);
}

#[test]
fn reductions_keep_verdicts() {
    let here = folder("bp-reductions");
    for program in corpus().iter().filter(|program| has_threads(program)) {
        for (engine, order) in
            [("hybrid", "all"), ("hybrid-counters", "ample+persistent"), ("symbolic-counters", "ample")]
        {
            let more = ["--engine", engine, "--partial-order", order];
            let answer = check(&here, &options(program, true), &more);
            let bounded = program.reference("stack").is_some() || program.reference("cut").is_some();
            let result = match (program.is_violated(), bounded) {
                (true, _) => "violated",
                (false, true) => "bounded",
                (false, false) => "proved",
            };
            assert!(
                answer.out.ends_with(&format!("result: {result}\n")),
                "{}, {engine}: {}",
                program.name,
                answer.out
            );
        }
    }
}

/// Stacks of any height with threads: an error that needs sixteen procedures on a stack, which the others cut at eight.
#[test]
fn recursion_with_threads_in_rounds() {
    let here = folder("bp-rounds");
    let text = "\
decl full, go, b0, b1, b2, b3;
void down() begin
    if (b0 & b1 & b2 & b3) then
        full := T;
        assume (go);
    else
        b0, b1, b2, b3 := !b0, (b1 ^ b0), (b2 ^ (b0 & b1)), (b3 ^ (b0 & b1 & b2));
        down();
    fi
end
void deep() begin
    down();
    assert (!go);
end
void main() begin
    full, go, b0, b1, b2, b3 := F, F, F, F, F, F;
    start_thread deep();
    assume (full);
    go := T;
end
";
    std::fs::write(here.join("deep.bp"), text).unwrap();
    let check =
        |options: &[&str]| raddle(&here, &[&["check", "deep.bp", "--max-threads", "2"], options].concat());
    check(&["--engine", "counters"]).says(2, &["at most 8 procedures", "result: bounded"]);
    let rounds = |switches: &str| {
        check(&["--engine", "context-bounded", "--context-switches", switches, "--save-trace", "t.json"])
    };
    rounds("0").says(2, &["with 1 round of 2 threads", "result: bounded"]);
    rounds("3").says(1, &["result: violated"]);
    raddle(&here, &["replay", "t.json"]).says(1, &["\nreproduced: "]);
    check(&["--engine", "context-bounded", "--context-switches", "31"]).says(3, &["at most 64 threads"]);
}

/// What is too much for explicit counters goes to where data are symbolic, and then to where counters are.
#[test]
fn auto_falls_back() {
    let here = folder("bp-falls-back");
    let text = "\
decl x, y, z;
void main() begin
    decl a, b, c, d;
    x, y, z := F, F, F;
    while (*) do
        a, b, c, d := *, *, *, *;
        x := a ^ b;
        y := x ^ c ^ d;
        z := z & x & y;
    od
    assert (!z);
end
";
    std::fs::write(here.join("many.bp"), text).unwrap();
    let options = ["check", "many.bp", "--initial-threads", "5", "--stats"];
    raddle(&here, &options).says(0, &["result: proved", "decided-by: hybrid-counters"]);
    // 2^25 initial values of shared variables, and 2^13 of local ones.
    let names = |letter: &str, count: usize| (0..count).map(|n| format!("{letter}{n}")).collect::<Vec<_>>();
    for (globals, locals) in [(names("g", 24), names("l", 1)), (names("g", 2), names("l", 13))] {
        let text = format!(
            "decl m, {};\nvoid main() begin\n    decl {};\n    start_thread goto other;\nother:\n    \
             atomic_begin; assume (!m); m := T; atomic_end;\n    \
             g0 := g1 ^ {all};\n    assert ((g0 = (g1 ^ {all})) | ({every}));\n    m := F;\nend\n",
            globals.join(", "),
            locals.join(", "),
            all = locals.join(" ^ "),
            every = globals.join(" & "),
        );
        std::fs::write(here.join("wide.bp"), text).unwrap();
        let options = ["check", "wide.bp", "--max-threads", "2", "--stats", "--timeout", "60"];
        raddle(&here, &options).says(0, &["result: proved", "decided-by: hybrid-counters"]);
    }
    // Many threads, few variables: more than the first attempt may do.
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/programs/boolean/unsafe/bluetooth/converted_3.bp");
    let options =
        ["check", file.to_str().unwrap(), "--initial-threads", "7", "--max-threads", "7", "--stats"];
    let many = raddle(&here, &options);
    many.says(1, &["result: violated", "decided-by: symbolic-counters", "diagrams:"]);
    // Figures are of the engine that answers.
    assert!(!many.out.contains("locations:"), "{}", many.out);
}

#[test]
fn what_is_too_large_is_unknown() {
    let here = folder("bp-large");
    let names: Vec<String> = (0..70).map(|n| format!("v{n}")).collect();
    let many = format!(
        "decl {};\nvoid main() begin\n    start_thread goto other;\nother:\n    v0 := 1;\n    assert ({});\nend\n",
        names.join(", "),
        names.join(" | ")
    );
    std::fs::write(here.join("many.bp"), many).unwrap();
    raddle(&here, &["check", "many.bp"]).says(3, &["more than 64 shared variables", "--max-threads N"]);
    // Counters refuse it, and the other engine takes it.
    let two = raddle(&here, &["check", "many.bp", "--max-threads", "2", "--stats"]);
    two.says(0, &["result: proved", "decided-by: hybrid"]);
    raddle(&here, &["check", "many.bp", "--max-threads", "2", "--engine", "counters"])
        .says(3, &["more than 64 shared variables", "--engine hybrid"]);
    raddle(&here, &["check", "many.bp", "--max-threads", "1000000"]).says(3, &["64 threads"]);
    let wide = "void main() begin\n    decl a, b, c, d, e, f;\n    a := b & c & d & e & f;\n    assert (!a | b & c & d & e & f);\nend\n";
    std::fs::write(here.join("wide.bp"), wide).unwrap();
    for engine in ["counters", "unbounded"] {
        let options =
            ["check", "wide.bp", "--initial-threads", "100000", "--timeout", "0.5", "--engine", engine];
        raddle(&here, &options).says(3, &["result: unknown", "time"]);
    }
}

#[test]
fn what_does_not_apply_is_a_usage_error() {
    let here = folder("bp-usage");
    std::fs::write(here.join("seen.bp"), SEEN).unwrap();
    std::fs::write(here.join("a.c"), "int main(void) { return 0; }\n").unwrap();
    std::fs::write(here.join("a.tts"), "1 1\n0|0\n").unwrap();
    for (options, part) in [
        (&["seen.bp", "--property", "race"][..], "`race` is not a property"),
        (&["seen.bp", "--property", "target"], "`target` is not a property"),
        (&["seen.bp", "--property", "assert", "--property", "deadlock"], "`deadlock` is not a property"),
        (&["seen.bp", "--invariant", "x"], "`invariant` is not a property"),
        (&["seen.bp", "--prop", "p=x"], "--prop"),
        (&["seen.bp", "--engine", "explicit"], "`explicit` does not check"),
        (&["seen.bp", "--engine", "summaries"], "one thread"),
        (&["seen.bp", "--engine", "counters"], "--max-threads"),
        (&["seen.bp", "--engine", "hybrid", "--initial-threads", "any"], "--max-threads"),
        (&["seen.bp", "--engine", "unbounded", "--max-threads", "2"], "unboundedly many threads"),
        (
            &["seen.bp", "--initial-threads", "any", "--max-threads", "2"],
            "conflicts with --initial-threads any",
        ),
        (&["seen.bp", "--initial-threads", "3", "--max-threads", "2"], "--initial-threads is 3"),
        (&["seen.bp", "--initial-threads", "0"], "--initial-threads"),
        (&["seen.bp", "--unwind", "3"], "--unwind"),
        (&["seen.bp", "--context-switches", "3"], "--context-switches"),
        (&["seen.bp", "--engine", "hybrid", "--context-switches", "3"], "--context-switches"),
        (&["seen.bp", "--partial-order", "ample"], "does not support partial order reduction"),
        (
            &["seen.bp", "--engine", "hybrid", "--max-threads", "2", "--partial-order", "few"],
            "no reduction `few`",
        ),
        (
            &["seen.bp", "--engine", "symbolic-counters", "--max-threads", "2", "--partial-order", "all"],
            "only the ample reduction",
        ),
        (&["a.tts", "--partial-order", "ample"], "--partial-order"),
        (&["seen.bp", "--error-label", "NOWHERE"], "no such label"),
        (&["seen.bp", "--init", "0|0"], "--init"),
        (&["seen.bp", "--target", "0|0"], "--target"),
        (&["seen.bp", "--method", "backward", "--max-threads", "2"], "--method"),
        (&["seen.bp", "--method", "backward", "--engine", "hybrid"], "--method"),
        (&["seen.bp", "a.c"], "one .bp or .tts at a time"),
        (&["a.c", "--engine", "counters"], "does not apply to C"),
        (&["a.tts", "--engine", "counters"], "does not check thread transition systems"),
    ] {
        raddle(&here, &[&["check"], options].concat()).says(64, &[part]);
    }
}

#[test]
fn bad_files_are_told_with_their_place() {
    let here = folder("bp-files");
    for (name, content, place) in [
        ("empty.bp", &b""[..], "empty.bp:1:1"),
        ("unknown.bp", b"void main() begin\n    x := 1;\nend\n", "unknown.bp:2:5"),
        ("label.bp", b"void main() begin\n    goto L;\nend\n", "label.bp:2:10"),
        ("open.bp", b"void main() begin\n    skip;\n", "open.bp:3:1"),
        ("twice.bp", b"decl x;\ndecl x;\nvoid main() begin\nend\n", "twice.bp:2:6"),
        ("binary.bp", b"decl x;\n\xff\xfe\n", "binary.bp:2"),
        ("nul.bp", b"decl x;\n\0\n", "nul.bp:2:1"),
    ] {
        std::fs::write(here.join(name), content).unwrap();
        raddle(&here, &["check", name]).says(65, &[place]);
    }
    raddle(&here, &["check", "missing.bp"]).says(65, &["missing.bp", "No such file"]);
    std::fs::create_dir(here.join("folder.bp")).unwrap();
    raddle(&here, &["check", "folder.bp"]).says(65, &["folder.bp", "not a regular file"]);
    let nested = format!("void main() begin assert ({}1{}); end", "(".repeat(100_000), ")".repeat(100_000));
    std::fs::write(here.join("nested.bp"), nested).unwrap();
    raddle(&here, &["check", "nested.bp"]).says(65, &["nested.bp:1:"]);
    raddle(&here, &["fmt", "nested.bp"]).says(65, &["nested.bp:1:"]);
}

#[test]
fn replay_believes_nothing() {
    let here = folder("bp-replay");
    std::fs::write(here.join("seen.bp"), SEEN).unwrap();
    let saved = ["check", "seen.bp", "--max-threads", "2", "--save-trace", "trace.json"];
    raddle(&here, &saved).says(1, &[]);
    let trace = std::fs::read_to_string(here.join("trace.json")).unwrap();
    let damaged = |from: &str, to: &str| {
        assert!(trace.contains(from), "{from} is not in {trace}");
        std::fs::write(here.join("damaged.json"), trace.replacen(from, to, 1)).unwrap();
        raddle(&here, &["replay", "damaged.json"])
    };
    damaged("\"max-threads\": 2", "\"max-threads\": 1").says(65, &["damaged"]);
    damaged("\"max-threads\": 2", "\"max-threads\": 0").says(65, &["damaged", "no thread at the start"]);
    damaged("\"globals\": [", "\"globals\": [ true,").says(65, &["damaged", "not an initial state"]);
    damaged("\"threads\": [\n      []", "\"threads\": [\n      [true]").says(65, &["damaged"]);
    damaged("\"threads\": [\n      []", "\"threads\": [\n      [], []").says(65, &["damaged"]);
    damaged("\"kind\": \"bp\"", "\"kind\": \"tts\"").says(65, &[]);
    damaged("the assertion fails", "something else").says(1, &["\nreproduced: "]);
    damaged("\"code\": \"assertion\"", "\"code\": \"leak\"").says(3, &["another fault", "not reproduced"]);
    // The program was repaired meanwhile.
    std::fs::write(here.join("seen.bp"), SEEN.replace("a & !x", "a | !x")).unwrap();
    raddle(&here, &["replay", "trace.json"]).says(3, &["the program differs", "not reproduced"]);
    // Another file, with the fault: a comment more changes nothing.
    std::fs::write(here.join("old.bp"), format!("// as it was\n{SEEN}")).unwrap();
    let old = raddle(&here, &["replay", "trace.json", "old.bp"]);
    old.says(1, &["reproduced", "old.bp:13:5"]);
    assert!(!old.err.contains("differs"), "{}", old.err);
    std::fs::remove_file(here.join("seen.bp")).unwrap();
    raddle(&here, &["replay", "trace.json"]).says(65, &["seen.bp", "name the program's file"]);
    raddle(&here, &["replay", "trace.json", "--show"]).says(0, &["x: 0 → 1", "assume (y);"]);
}

/// Nine threads of which no assignment can influence the assertion: they are sliced away, instead of being explored.
#[test]
fn what_cannot_matter_is_not_explored() {
    let here = folder("bp-slice");
    let starts = "    start_thread w();\n".repeat(8);
    let text = format!(
        "decl g0, g1, g2, g3, g4, g5, g6, g7, used;\nvoid main() begin\n    used := F;\n{starts}    assert (!used);\nend\n\
         void w() begin\n    decl l0, l1, l2;\n    l0, l1, l2 := g0, g1, *;\n    g0, g1, g2, g3 := *, l0, l1, l2;\n    \
         g4 := g5 & l2;\n    g5, g6, g7 := *, g4, g6;\n    assert (T);\nend\n"
    );
    std::fs::write(here.join("nine.bp"), text.clone()).unwrap();
    let answer = raddle(&here, &["check", "nine.bp", "--max-threads", "9", "--timeout", "20"]);
    assert!(answer.out.ends_with("result: proved\n"), "{}{}", answer.out, answer.err);
    // What matters is found all the same, and replayed.
    std::fs::write(here.join("broken.bp"), text.replace("g4 := g5 & l2;", "used := g5 & l2;")).unwrap();
    let answer = raddle(&here, &["check", "broken.bp", "--max-threads", "9", "--timeout", "60"]);
    assert!(answer.out.ends_with("result: violated\n"), "{}{}", answer.out, answer.err);
}
