//! `raddle lint` from outside: the twins of `tests/lint` with their marks, the examples, exit codes, formats, suppressions,
//! baselines, bad input, confirmation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use raddle_trace::LintRule;
use serde_json::Value;

use crate::tool::{Folder, raddle};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The C files of a folder of the repository.
fn sources(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

/// Lines and rules of the findings of one file that are not suppressed.
fn found(file: &Path) -> BTreeSet<(u64, String)> {
    let name = file.display().to_string();
    let answer = raddle(&root(), &["lint", "--format", "json", &name]);
    let report: Value =
        serde_json::from_str(&answer.out).unwrap_or_else(|e| panic!("{name}: {e}: {}", answer.err));
    let findings = report["findings"].as_array().unwrap();
    let open = findings.iter().filter(|f| f.get("suppression").is_none());
    open.map(|f| {
        let line = f["places"][0]["place"]["line"].as_u64().unwrap();
        (line, f["rule"].as_str().unwrap().to_string())
    })
    .collect()
}

fn marks(file: &Path) -> BTreeSet<(u64, String)> {
    let text = std::fs::read_to_string(file).unwrap();
    let marked = text.lines().enumerate().filter_map(|(at, line)| Some((at, line.split_once("//~ LINT")?.1)));
    marked
        .flat_map(|(at, rules)| rules.split_whitespace().map(move |r| (at as u64 + 1, r.to_string())))
        .collect()
}

/// Every bad twin has exactly its marks, every good one no finding.
#[test]
fn twins() {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for file in sources("tests/lint") {
        let (marks, found) = (marks(&file), found(&file));
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        assert_eq!(name.ends_with("_bad"), !marks.is_empty(), "{name}: marks");
        seen.extend(marks.iter().map(|(_, rule)| rule.clone()));
        if marks != found {
            wrong.push(format!("{name}: expected {marks:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for rule in LintRule::ALL.iter().filter(|rule| **rule != LintRule::Suppression) {
        assert!(seen.contains(rule.name()), "{rule} has no program in tests/lint");
    }
}

/// What the examples have; the fixed ones have nothing.
#[test]
fn examples() {
    let known: &[(&str, u64, &str)] = &[
        ("bank_transfer", 28, "lock-order-cycle"),
        ("dining_philosophers", 20, "lock-order-cycle"),
        ("double_checked_locking", 33, "double-checked-locking"),
        ("loop_variable", 28, "race-majority-guard"),
        ("lost_update", 16, "race-majority-guard"),
        ("lost_wakeup", 21, "wait-outside-loop"),
        ("peterson", 23, "race-majority-guard"),
        ("peterson", 39, "race-majority-guard"),
    ];
    for file in sources("examples") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let expected: BTreeSet<(u64, String)> =
            known.iter().filter(|k| k.0 == name).map(|k| (k.1, k.2.to_string())).collect();
        assert_eq!(found(&file), expected, "{name}");
    }
}

const RACE: &str = "\
#include <pthread.h>
static int count;
static void *work(void *p) {
    count++;
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

#[test]
fn exit_codes_and_levels() {
    let folder = Folder::new("lint-codes");
    folder.write("race.c", RACE);
    folder.write("clean.c", "int main(void) { return 0; }\n");
    let clean = folder.raddle(&["lint", "clean.c"]);
    clean.says(0, &["lint: 0 errors, 0 warnings, 0 notes, 0 confirmed\n"]);
    assert!(clean.out.ends_with("0 confirmed\n"));
    let last = "lint: 0 errors, 1 warnings, 0 notes, 0 confirmed\n";
    folder
        .raddle(&["lint", "race.c"])
        .says(1, &["race.c:4:10: warning: race-majority-guard: `count`", "    4 |     count++;", last]);
    folder.raddle(&["lint", "race.c", "--fail-on", "error"]).says(0, &[last]);
    folder.raddle(&["lint", "race.c", "--fail-on", "note"]).says(1, &[last]);
    folder.raddle(&["lint", "race.c", "--no-rule", "race-majority-guard"]).says(0, &["0 warnings"]);
    folder.raddle(&["lint", "race.c", "--rule", "stale-value"]).says(0, &["0 warnings"]);
    let quiet = folder.raddle(&["lint", "--quiet", "race.c"]);
    assert_eq!(quiet.says(1, &[]).out.lines().count(), 2, "{}", quiet.out);
    folder.raddle(&["lint", "race.c", "--color", "always"]).says(1, &["\x1b["]);
    let help = folder.raddle(&["lint", "--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.contains("lock-order-cycle") && help.out.contains("raddle: allow(RULE) because"));
}

#[test]
fn bad_input() {
    let folder = Folder::new("lint-bad");
    folder.write("race.c", RACE);
    folder.write("broken.c", "int f( {\n");
    folder.write("empty/readme.txt", "");
    folder.raddle(&["lint", "missing.c"]).says(65, &["missing.c"]);
    folder.raddle(&["lint", "broken.c"]).says(65, &["broken.c"]);
    folder.raddle(&["lint", "empty"]).says(65, &["contains no .c file"]);
    folder.raddle(&["lint", "empty/readme.txt"]).says(65, &["not a C"]);
    folder.raddle(&["lint"]).says(64, &[]);
    folder.raddle(&["lint", "race.c", "--rule", "races"]).says(64, &["no such rule", "race-majority-guard"]);
    folder.raddle(&["lint", "race.c", "--output", "race.c"]).says(64, &["would be overwritten"]);
    folder.raddle(&["lint", "race.c", "--confirm=x"]).says(64, &["number of seconds"]);
    // Another file goes on.
    let both = folder.raddle(&["lint", "race.c", "broken.c", "--fail-on", "error"]);
    both.says(3, &["skipped broken.c", "lint: 0 errors, 1 warnings"]);
    folder.raddle(&["lint", "race.c", "broken.c"]).says(1, &["skipped broken.c"]);
    // Several programs in one folder.
    folder.write("two/a.c", RACE);
    folder.write("two/b.c", RACE);
    folder.raddle(&["lint", "two"]).says(1, &["two/a.c:4", "two/b.c:4", "2 warnings"]);
}

#[test]
fn suppressions_need_a_reason() {
    let folder = Folder::new("lint-allow");
    let with = |comment: &str| RACE.replace("    count++;", &format!("    {comment}\n    count++;"));
    folder.write("good.c", with("// raddle: allow(race-majority-guard) because a test counts on it"));
    folder.write(
        "same.c",
        RACE.replace("count++;", "count++; // raddle: allow(race-majority-guard) because of that"),
    );
    folder.write("other.c", with("// raddle: allow(stale-value) because of something else"));
    folder.write("bare.c", with("// raddle: allow(race-majority-guard)"));
    folder.write("wrong.c", with("// raddle: allow(races) because they are"));
    folder.raddle(&["lint", "good.c"]).says(0, &["1 suppressed by comments", "0 warnings"]);
    folder.raddle(&["lint", "same.c"]).says(0, &["1 suppressed by comments"]);
    folder.raddle(&["lint", "other.c"]).says(1, &["1 warnings"]);
    folder
        .raddle(&["lint", "bare.c"])
        .says(1, &["suppression: the suppression of race-majority-guard gives no reason", "2 warnings"]);
    folder.raddle(&["lint", "wrong.c"]).says(1, &["`races` is not a rule", "2 warnings"]);
    let sarif = folder.raddle(&["lint", "good.c", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&sarif.says(0, &[]).out).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["suppressions"][0]["justification"], "a test counts on it");
}

/// A finding stays known when lines move, and does not when its line changes.
#[test]
fn baselines() {
    let folder = Folder::new("lint-baseline");
    folder.write("race.c", RACE);
    let written = folder.raddle(&["lint", "race.c", "--format", "sarif", "--output", "old.sarif"]);
    written.says(1, &["lint: 0 errors, 1 warnings"]);
    let log: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("old.sarif")).unwrap()).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "race-majority-guard");
    assert_eq!(result["relatedLocations"].as_array().unwrap().len(), 1);
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap().len(), LintRule::ALL.len());
    folder.write("race.c", format!("/* two\n lines */\n{RACE}"));
    folder.raddle(&["lint", "race.c", "--baseline", "old.sarif"]).says(0, &["1 of 1 findings known"]);
    folder.write("race.c", RACE.replace("count++", "count += 2"));
    folder.raddle(&["lint", "race.c", "--baseline", "old.sarif"]).says(1, &["0 of 1 findings known"]);
    folder.write("x.json", "{}");
    folder.raddle(&["lint", "race.c", "--baseline", "x.json"]).says(65, &["not SARIF"]);
    folder.raddle(&["lint", "race.c", "--baseline", "none"]).says(65, &["cannot be read"]);
}

#[test]
fn findings_are_confirmed_by_executions() {
    let folder = Folder::new("lint-confirm");
    folder.write("race.c", RACE);
    let answer = folder.raddle(&["lint", "race.c", "--confirm=60"]);
    answer.says(1, &["[confirmed]", "race violated", "0 notes, 1 confirmed"]);
    // Without `main`, by a harness.
    folder.write(
        "library.c",
        "#include <pthread.h>\n\
         static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
         void f(void) {\n    pthread_mutex_lock(&a);\n    pthread_mutex_lock(&b);\n    pthread_mutex_unlock(&b);\n    pthread_mutex_unlock(&a);\n}\n\
         void g(void) {\n    pthread_mutex_lock(&b);\n    pthread_mutex_lock(&a);\n    pthread_mutex_unlock(&a);\n    pthread_mutex_unlock(&b);\n}\n",
    );
    let answer = folder.raddle(&["lint", "library.c", "--confirm=60"]);
    answer.says(
        1,
        &[
            "library.c:5:5: warning: lock-order-cycle",
            "[confirmed under assumptions]",
            "two threads call f and g",
        ],
    );
    assert_eq!(folder.files(), ["library.c", "race.c"], "nothing else is left");
    let json: Value =
        serde_json::from_str(&folder.raddle(&["lint", "race.c", "--confirm=60", "--format", "json"]).out)
            .unwrap();
    assert_eq!(json["format"], "raddle-lint");
    assert_eq!(json["findings"][0]["confirmation"]["kind"], "confirmed");
    assert_eq!(json["traces"].as_array().unwrap().len(), 1);
}

/// Races and deadlocks that long runs show only if threads are steered towards them.
fn is_confirmed(name: &str) {
    let file = root().join("tests/confirm").join(name);
    let text = std::fs::read_to_string(&file).unwrap();
    let wanted = text.lines().find_map(|line| line.strip_prefix("// lint: ")).expect("a header");
    let words: Vec<&str> = wanted.split_whitespace().collect();
    let folder = Folder::new(&format!("confirm-{name}"));
    let answer = folder.raddle(&["lint", file.to_str().unwrap(), "--confirm=60", "--format", "json"]);
    let json: Value = serde_json::from_str(&answer.out).unwrap();
    let confirmed =
        json["findings"].as_array().unwrap().iter().filter(|f| f["confirmation"]["kind"] == "confirmed");
    assert_eq!(confirmed.count(), 1, "{name}: {}", answer.out);
    let fault = json["traces"][0]["fault"].to_string();
    for line in &words[1..] {
        let named = [",", "}"].iter().any(|end| fault.contains(&format!("\"line\":{line}{end}")));
        assert!(named, "{name}: line {line} is not in {fault}");
    }
}

#[test]
fn rare_findings_are_confirmed() {
    is_confirmed("last_error.c");
    is_confirmed("ring_of_three.c");
}

#[test]
#[ignore = "a minute; make test-long"]
fn all_rare_findings_are_confirmed() {
    for entry in std::fs::read_dir(root().join("tests/confirm")).unwrap() {
        is_confirmed(entry.unwrap().file_name().to_str().unwrap());
    }
}

/// A proof that covers no thread, since `main` ends without arguments, drops no finding.
#[test]
fn a_proof_of_nothing() {
    let folder = Folder::new("lint-arguments");
    folder.write(
        "race.c",
        RACE.replace(
            "main(void) {",
            "main(int argc, char **argv) {\n    if (argc < 2 || !argv[1][0]) return 1;",
        ),
    );
    let answer = folder.raddle(&["lint", "race.c", "--confirm=20"]);
    answer.says(1, &["race-majority-guard: `count`", "[possible]"]);
}

/// Atomicities and guards, and what is said where there are none.
#[test]
fn inferred_types() {
    let good = root().join("tests/lint/not_atomic_good.c").display().to_string();
    let answer = raddle(&root(), &["lint", "--show", "types", &good]);
    let rows: Vec<Vec<&str>> = answer.out.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in
        [["move", "atomic"], ["step", "both-mover"], ["client", "compound"], ["count", "m"], ["lines", "m"]]
    {
        assert!(rows.contains(&row.to_vec()), "{row:?}: {}", answer.out);
    }
    let answer = raddle(&root(), &["lint", "--show", "types", "--format", "json", &good]);
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    let functions = report["types"]["functions"].as_array().unwrap();
    let ticket = functions.iter().find(|f| f["function"] == "ticket").unwrap();
    assert_eq!((ticket["atomicity"].as_str(), ticket["place"]["line"].as_u64()), (Some("atomic"), Some(32)));
    let folder = Folder::new("lint-types");
    folder.write("bare.c", "#include <raddle.h>\nint x;\nRADDLE_ATOMIC int f(void) { return x; }\n");
    let answer = raddle(&folder.0, &["lint", "--show", "types", "bare.c"]);
    assert_eq!(answer.code, 3);
    assert!(answer.out.contains("skipped `f` (bare.c:3:"), "{}", answer.out);
    assert!(answer.out.contains("there is no `main`") && answer.out.contains("types are not inferred"));
    folder.write(
        "jump.c",
        "#include <raddle.h>\n#include <setjmp.h>\njmp_buf j;\nRADDLE_ATOMIC static int f(void) { return setjmp(j); }\n\
         static int g(void) { return 0; }\nint main(void) { return f() + g(); }\n",
    );
    let answer = raddle(&folder.0, &["lint", "jump.c"]);
    assert_eq!(answer.code, 3);
    assert!(answer.out.contains("jump.c:4:") && answer.out.contains("`setjmp`"), "{}", answer.out);
    // With the lock held, taking it again is a both-mover.
    folder.write(
        "held.c",
        "#include <pthread.h>\nstatic pthread_mutex_t r;\nstatic int x;\n\
         static void inner(void) { pthread_mutex_lock(&r); x++; pthread_mutex_unlock(&r); }\n\
         static void outer(void) { pthread_mutex_lock(&r); inner(); inner(); pthread_mutex_unlock(&r); }\n\
         static void *run(void *p) { outer(); return p; }\n\
         static void *rest(void *p) { inner(); return p; }\n\
         int main(void) { pthread_mutexattr_t k; pthread_t a, b; pthread_mutexattr_init(&k);\n\
         pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&r, &k);\n\
         pthread_create(&a, 0, run, 0); pthread_create(&b, 0, rest, 0);\n\
         pthread_join(a, 0); pthread_join(b, 0); return 0; }\n",
    );
    let answer = raddle(&folder.0, &["lint", "--show", "types", "held.c"]);
    assert!(answer.out.contains("r ? both-mover : atomic"), "{}", answer.out);
}

/// Annotations of `raddle.h` and of clang, and the places of what violates them.
#[test]
fn annotations() {
    let folder = Folder::new("lint-annotations");
    let main = "int main(void) { pthread_t a, b; pthread_create(&a, 0, run, 0); pthread_create(&b, 0, run, 0);\n\
                pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
    let lint = |name: &str, text: &str| {
        folder.write(name, &format!("#include <pthread.h>\n#include <raddle.h>\n{text}{main}"));
        raddle(&folder.0, &["lint", "--rule", "annotation-violated", name])
    };
    let locked = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o;\n";
    let run =
        "static void *run(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n";
    let of = |name: &str, declaration: &str| lint(name, &format!("{locked}{declaration}\n{run}"));
    assert_eq!(of("good.c", "static int x RADDLE_GUARDED_BY(m);").code, 0);
    let other = of("other.c", "static int x RADDLE_GUARDED_BY(o);");
    assert_eq!(other.code, 1);
    assert!(other.out.contains("`o` is no variable that the program uses; locks are `m`"), "{}", other.out);
    let plain = of("plain.c", "static int y, x RADDLE_GUARDED_BY(y);\nvoid f(void) { y++; }");
    assert!(plain.out.contains("`y` is no lock"), "{}", plain.out);
    // Clang's attribute, which its own text never has; in a header's macro, too.
    let clang =
        of("clang.c", "static pthread_spinlock_t s;\nstatic int x __attribute__((__guarded_by__(s)));");
    assert!(clang.code == 1 && clang.out.contains("`s` is no variable"), "{}", clang.out);
    let macros = "#define GUARDED(l) __attribute__((guarded_by(l)))\nstatic int x GUARDED(m);";
    assert_eq!(of("macro.c", macros).code, 0);
    // The name of the attribute as a name of the program.
    let name = of("name.c", "static int guarded_by(int n) { return n; }\nstatic int x;");
    assert_eq!((name.code, name.out.contains("skipped")), (0, false), "{}{}", name.out, name.err);
    // A shared hold is not enough to write.
    let shared = lint(
        "shared.c",
        "static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;\nstatic int x RADDLE_GUARDED_BY(r);\n\
         static void *run(void *p) { pthread_rwlock_rdlock(&r); if (x) x = 1; pthread_rwlock_unlock(&r); return p; }\n",
    );
    assert!(shared.code == 1 && shared.out.contains("is written without it"), "{}", shared.out);
    assert!(
        !shared.out.contains("is read without it") && shared.out.contains("shared.c:4:1"),
        "{}",
        shared.out
    );
    // Not checked: said, with the place of what is in the way.
    folder.write(
        "bare.c",
        "#include <raddle.h>\nint m;\nint x RADDLE_GUARDED_BY(m);\nint f(void) { return x; }\n",
    );
    let bare = raddle(&folder.0, &["lint", "bare.c"]);
    assert!(bare.code == 3 && bare.out.contains("skipped 1 annotations: not checked"), "{}", bare.out);
}

/// The suggested annotations apply as a patch, the annotated programs violate none of them, and nothing more is suggested.
#[test]
fn suggestions() {
    let folder = Folder::new("lint-suggest");
    let mut patched = 0;
    let required = "#include <pthread.h>\nstatic pthread_mutex_t m;\nstatic int x[2], y;\nstatic void add(int i)\n{\n    x[i]++;\n}\n\
        static void *run(void *p)\n{\n    pthread_mutex_lock(&m);\n    add(0);\n    add(1);\n    pthread_mutex_unlock(&m);\n\
        return p;\n}\nint main(void)\n{\n    pthread_t a, b;\n    y = 1;\n    pthread_create(&a, 0, run, 0);\n\
        pthread_create(&b, 0, run, 0);\n    return 0;\n}\n";
    let good = |file: &PathBuf| file.file_stem().unwrap().to_string_lossy().ends_with("_good");
    let mut programs: Vec<(String, String)> = vec![("required.c".into(), required.into())];
    for file in sources("tests/lint").iter().filter(|file| good(file)) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        programs.push((name, std::fs::read_to_string(file).unwrap()));
    }
    for (name, text) in programs {
        folder.write(&name, &text);
        let suggested = raddle(&folder.0, &["lint", "--suggest", &name]);
        if suggested.out.is_empty() {
            continue;
        }
        patched += 1;
        if name == "required.c" {
            for line in
                ["+RADDLE_REQUIRES(m)", "+#include <raddle.h>", "+static int x[2] RADDLE_GUARDED_BY(m), y;"]
            {
                assert!(suggested.out.lines().any(|l| l == line), "{line}: {}", suggested.out);
            }
        }
        folder.write("suggested.patch", &suggested.out);
        let patch = std::process::Command::new("patch")
            .args(["-p1", "--fuzz=0", "-i", "suggested.patch"])
            .current_dir(&folder.0)
            .output()
            .expect("`patch` is installed");
        assert!(patch.status.success(), "{name}: {}", String::from_utf8_lossy(&patch.stdout));
        let rules = ["--rule", "annotation-violated", "--rule", "not-atomic"];
        let again = raddle(&folder.0, &[&["lint"], &rules[..], &[name.as_str()]].concat());
        assert_eq!(again.code, 0, "{name}: {}{}", again.out, again.err);
        let more = raddle(&folder.0, &["lint", "--suggest", &name]);
        assert_eq!(more.out, "", "{name}");
    }
    assert!(patched >= 10, "{patched} programs were annotated");
    folder.write("jump.c", "#include <setjmp.h>\njmp_buf j;\nint main(void) { return setjmp(j); }\n");
    let none = raddle(&folder.0, &["lint", "--suggest", "jump.c"]);
    assert!(
        none.code == 3 && none.out.is_empty() && none.err.contains("jump.c:3:"),
        "{}{}",
        none.out,
        none.err
    );
}
