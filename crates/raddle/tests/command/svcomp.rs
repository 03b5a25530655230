//! `--svcomp` and `--witness`: the last line for each property, where ours and those of the competition differ, what is refused,
//! and the witnesses. `contrib/raddle.py` is checked by hand with BenchExec, the GraphML by its linter.

use crate::tool::{Answer, Folder, LOST_UPDATE};

const FILES: [(&str, &str); 5] = [
    ("unreach", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
    ("race", "CHECK( init(main()), LTL(G ! data-race) )\n"),
    (
        "memory",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
         CHECK( init(main()), LTL(G valid-memtrack) )\n",
    ),
    ("overflow", "CHECK( init(main()), LTL(G ! overflow) )\n"),
    ("termination", "CHECK( init(main()), LTL(F end) )\n"),
];

fn scene(name: &str) -> Folder {
    let folder = Folder::new(name);
    for (name, text) in FILES {
        folder.write(&format!("{name}.prp"), text);
    }
    folder
}

fn answer(folder: &Folder, program: &str, property: &str, more: &[&str]) -> Answer {
    folder.write("p.c", program);
    let property = format!("{property}.prp");
    folder.raddle(&[&["check", "--quiet", "p.c", "--svcomp", &property], more].concat())
}

#[track_caller]
fn expect(folder: &Folder, program: &str, property: &str, last: &str) {
    let answer = answer(folder, program, property, &["--seed", "1"]);
    assert_eq!(
        answer.out.lines().last(),
        Some(format!("svcomp: {last}").as_str()),
        "{}{}",
        answer.out,
        answer.err
    );
    // The contract's result line and exit code are there as always.
    let result = answer.out.lines().rev().nth(1).unwrap();
    let codes = ["result: proved", "result: violated", "result: bounded", "result: unknown"];
    assert_eq!(codes.iter().position(|word| *word == result), Some(answer.code as usize), "{}", answer.out);
}

const REACH: &str = "void reach_error(void);\n";

#[test]
fn calls_of_the_error_function() {
    let folder = scene("svcomp-reach");
    let main = "int main(void) { reach_error(); return 0; }\n";
    expect(&folder, &format!("{REACH}{main}"), "unreach", "FALSE(unreach-call)");
    let asserting = "#include <assert.h>\nvoid reach_error(void) { assert(0); }\n";
    expect(&folder, &format!("{asserting}{main}"), "unreach", "FALSE(unreach-call)");
    expect(&folder, "int main(void) { return 0; }\n", "unreach", "TRUE");
    let unreached = "int main(void) { int x = 1; if (x > 1) reach_error(); return 0; }\n";
    expect(&folder, &format!("{REACH}{unreached}"), "unreach", "TRUE");
    expect(&folder, &format!("{asserting}{unreached}"), "unreach", "TRUE");
}

/// A body that does not fail: the call is a violation of the competition that no row shows.
#[test]
fn silent_error_functions_are_never_true() {
    let folder = scene("svcomp-silent");
    for body in ["{}", "{ x = 1; }", "{ if (x) assert(0); }", "{ other(); assert(0); }", "{ while (1) ; }"] {
        let program = format!(
            "#include <assert.h>\n#include <stdlib.h>\nint x;\nvoid other(void) {{ if (x) exit(1); }}\n\
             void reach_error(void) {body}\nint main(void) {{ reach_error(); return 0; }}\n"
        );
        let answer = answer(&folder, &program, "unreach", &["--timeout", "20"]);
        let last = answer.out.lines().last().unwrap();
        let failed = answer.out.contains("assertion `0` failed");
        assert!(
            last == "svcomp: UNKNOWN" || failed && last == "svcomp: FALSE(unreach-call)",
            "{body}: {last}"
        );
    }
}

#[test]
fn violations_that_are_none_of_the_property() {
    let folder = scene("svcomp-other");
    let plain = "#include <assert.h>\nint x;\nint main(void) { assert(x == 1); return 0; }\n";
    expect(&folder, plain, "unreach", "UNKNOWN");
    let division = "int x;\nint main(void) { return 1 / x; }\n";
    expect(&folder, division, "overflow", "UNKNOWN");
    let indeterminate = "int main(void) { int x; if (x) return 1; return 0; }\n";
    expect(&folder, indeterminate, "memory", "UNKNOWN");
}

#[test]
fn every_property_has_its_answers() {
    let folder = scene("svcomp-answers");
    expect(&folder, LOST_UPDATE, "race", "FALSE(no-data-race)");
    expect(&folder, "int main(void) { return 0; }\n", "race", "TRUE");
    expect(
        &folder,
        "int x = 2147483647;\nint main(void) { x++; return 0; }\n",
        "overflow",
        "FALSE(no-overflow)",
    );
    let memory = |body: &str| {
        format!("#include <stdlib.h>\nint main(void) {{ int *p = malloc(4); {body} return 0; }}\n")
    };
    expect(&folder, &memory("free(p);"), "memory", "TRUE");
    expect(&folder, &memory("free(p); *p = 1;"), "memory", "FALSE(valid-deref)");
    expect(&folder, &memory("free(p); free(p);"), "memory", "FALSE(valid-free)");
    expect(&folder, &memory("p = 0;"), "memory", "FALSE(valid-memtrack)");
    expect(&folder, &memory("free(p);"), "termination", "TRUE");
    expect(
        &folder,
        "int x;\nint main(void) { while (!x) ; return 0; }\n",
        "termination",
        "FALSE(termination)",
    );
    // It ends only if the scheduler is fair, and the competition says nothing of schedulers.
    let waits = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
                 void *w(void *p) { x = 1; return p; }\n\
                 int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); while (!x) ; return 0; }\n";
    expect(&folder, waits, "termination", "UNKNOWN");
    // Bounded is not true.
    let few = answer(&folder, LOST_UPDATE, "unreach", &["--engine", "random", "--schedules", "1"]);
    assert!(few.out.ends_with("svcomp: UNKNOWN\n"), "{}", few.out);
}

#[test]
fn witnesses() {
    let folder = scene("svcomp-witness");
    let both: &[&str] = &["--witness", "w.graphml", "--witness", "w.yml"];
    let input = format!(
        "{REACH}int __VERIFIER_nondet_int(void);\n\
         int main(void) {{\n    int x = __VERIFIER_nondet_int();\n    if (x == -5)\n        reach_error();\n    return 0;\n}}\n"
    );
    let said =
        answer(&folder, &input, "unreach", &[both, &["--engine", "order", "--data-model", "ILP32"]].concat());
    assert!(said.out.ends_with("svcomp: FALSE(unreach-call)\n"), "{}{}", said.out, said.err);
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let (graph, yaml) = (read("w.graphml"), read("w.yml"));
    for part in [
        "<data key=\"witness-type\">violation_witness</data>",
        "<data key=\"architecture\">32bit</data>",
        "<data key=\"assumption\">\\result == -5;</data>",
        "<data key=\"assumption.resultfunction\">__VERIFIER_nondet_int</data>",
        "<data key=\"specification\">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>",
    ] {
        assert!(graph.contains(part), "{part}\n{graph}");
    }
    for part in ["format_version: \"2.0\"", "value: \"\\\\result == -5\"", "type: \"target\"", "line: 6\n"] {
        assert!(yaml.contains(part), "{part}\n{yaml}");
    }
    // Threads: each switch and creation is in the graph.
    let race = answer(&folder, LOST_UPDATE, "race", both);
    assert!(
        race.out.ends_with("svcomp: FALSE(no-data-race)\n") && race.err.contains("has no threads"),
        "{}",
        race.err
    );
    let graph = read("w.graphml");
    for part in
        ["createThread\">0<", "createThread\">1<", "threadId\">1<", "enterFunction\">w<", "violation\">true<"]
    {
        assert!(graph.contains(part), "{part}\n{graph}");
    }
    let proof = answer(&folder, "int main(void) { return 0; }\n", "race", both);
    assert!(proof.out.ends_with("svcomp: TRUE\n"));
    assert!(read("w.graphml").contains("correctness_witness") && read("w.yml").ends_with("content: []\n"));
    // No answer, no witness.
    let none =
        answer(&folder, "int f(void);\nint main(void) { return f(); }\n", "race", &["--witness", "n.yml"]);
    assert!(none.out.ends_with("svcomp: UNKNOWN\n") && !folder.path("n.yml").exists());
}

#[test]
fn what_is_refused() {
    let folder = scene("svcomp-bad");
    folder.write("p.c", "int main(void) { return 0; }\n");
    folder.write("b.bp", "void main() begin skip; end\n");
    folder.write("empty.prp", "");
    folder.write("text.prp", "G ! overflow\n");
    folder.write("bytes.prp", [0xff, 0xfe, 0x00]);
    folder.write("cleanup.prp", "CHECK( init(main()), LTL(G valid-memcleanup) )\n");
    std::fs::create_dir(folder.path("folder.prp")).unwrap();
    let before = folder.files();
    let good = "race.prp";
    let refused: [(&[&str], i32, &str); 13] = [
        (&["p.c", "--svcomp", "missing.prp"], 65, "missing.prp"),
        (&["p.c", "--svcomp", "folder.prp"], 65, "folder.prp"),
        (&["p.c", "--svcomp", "empty.prp"], 65, "no property file"),
        (&["p.c", "--svcomp", "text.prp"], 65, "no property file"),
        (&["p.c", "--svcomp", "bytes.prp"], 65, "UTF-8"),
        (&["p.c", "--svcomp", "cleanup.prp"], 64, "valid-memcleanup"),
        (&["p.c", "--svcomp", good, "--property", "race"], 64, "--property"),
        (&["p.c", "--svcomp", good, "--optimize", "2"], 64, "--optimize"),
        (&["p.c", "--svcomp", good, "--format", "json"], 64, "--output"),
        (&["b.bp", "--svcomp", good], 64, "Boolean program"),
        (&["p.c", "--witness", "w.yml"], 64, "--svcomp"),
        (&["p.c", "--svcomp", good, "--witness", "w.txt"], 64, ".graphml"),
        (&["p.c", "--svcomp", good, "--witness", "no/w.yml"], 64, "cannot write"),
    ];
    for (arguments, code, part) in refused {
        let answer = folder.raddle(&[&["check"], arguments].concat());
        answer.says(code, &[part]);
        assert!(answer.out.is_empty(), "{arguments:?}: {}", answer.out);
    }
    for same in [["--witness", "w.yml", "--output", "w.yml"], ["--witness", "w.yml", "--witness", "w.yml"]] {
        folder.raddle(&[&["check", "p.c", "--svcomp", good], &same[..]].concat()).says(64, &["w.yml"]);
    }
    assert_eq!(folder.files(), before);
    // A full disk under the witness: the answer is printed, the code says that something was lost.
    let _ = std::os::unix::fs::symlink("/dev/full", folder.path("full.yml"));
    folder.raddle(&["check", "p.c", "--svcomp", good, "--witness", "full.yml"]).says(64, &["symbolic link"]);
}
