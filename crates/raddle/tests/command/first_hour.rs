//! What a person meets in the first hour: names that are missing, stand-ins for them, a search that ends after a finding,
//! names of heap objects, reasons.

use raddle_trace::{MissingKind, Verdict};

use crate::tool::{Folder, LOST_UPDATE};

const MISSING: &str = "\
#include <pthread.h>
extern int configure(const char *path, int *level);
extern void log_line(const char *format, ...);
extern struct statistics { int calls; long bytes; } statistics;
extern struct shape { int sides; } *new_shape(unsigned sides);
static void *work(void *p) {
    int level = 0;
    if (configure(\"a\", &level)) log_line(\"%d\", level);
    if (configure(\"b\", &level)) log_line(\"%d\", level);
    statistics.calls = 1;
    return new_shape(3);
}
int main(void) { return work(0) != 0; }
";

#[test]
fn all_that_is_missing_is_listed_once() {
    let folder = Folder::new("missing");
    folder.write("a.c", MISSING);
    let answer = folder.raddle(&["check", "a.c"]);
    assert_eq!(answer.code, 3, "{}", answer.err);
    let (_, list) = answer.out.split_once("without a definition (the most used first)\n").expect("a list");
    let lines: Vec<&str> = list.lines().take(5).map(str::trim).collect();
    assert_eq!(
        lines[..4],
        [
            "- configure(), used 2 times, first at a.c:8:9",
            "- log_line(), used 2 times, first at a.c:8:33",
            "- new_shape(), used once, at a.c:11:12",
            "- statistics, used once, at a.c:10:22",
        ]
    );
    assert!(list.contains("--stub-missing FILE"), "{list}");
    assert!(lines[4].starts_with("add the source files"), "{list}");
    assert_eq!(answer.out.matches("no definition of the function").count(), 1, "{}", answer.out);
    assert_eq!(answer.out.matches("the same reason as assert").count(), 5, "{}", answer.out);
    let report = folder.raddle(&["check", "a.c", "--format", "json"]).report();
    let kinds: Vec<MissingKind> = report.missing.iter().map(|missing| missing.kind).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == MissingKind::Function).count(), 3);
    assert_eq!(report.missing.len(), 4);
}

#[test]
fn stand_ins_are_written_and_used() {
    let folder = Folder::new("stand-ins");
    folder.write("a.c", MISSING);
    let answer = folder.raddle(&["check", "a.c", "--stub-missing", "stubs.c"]);
    assert_eq!(answer.code, 0, "{}\n{}", answer.out, answer.err);
    assert!(answer.err.contains("4 stand-ins written to stubs.c"), "{}", answer.err);
    assert!(
        answer.out.contains("`configure` is a stand-in: writes any int to *p2, returns any int"),
        "{}",
        answer.out
    );
    let text = std::fs::read_to_string(folder.path("stubs.c")).unwrap();
    assert!(text.contains("int configure(const char *p1, int *p2) {"), "{text}");
    assert!(text.contains("void log_line(const char *p1, ...) {"), "{text}");
    assert!(text.contains("struct shape *new_shape(unsigned int p1) {"), "{text}");
    // Once more, as an ordinary input: the same answer, and nothing is missing.
    let again = folder.raddle(&["check", "a.c", "stubs.c"]);
    assert_eq!((again.code, &again.out), (0, &answer.out), "{}", again.err);
}

#[test]
fn stand_ins_overwrite_nothing_and_leave_nothing_half_written() {
    let folder = Folder::new("stand-ins-refused");
    folder.write("a.c", MISSING);
    folder.write("mine.c", "/* mine */\n");
    folder.write("broken.c", "int main(void) { return }\n");
    folder.write("whole.c", "int main(void) { return 0; }\n");
    let cases: [(&[&str], i32, &str); 6] = [
        (&["a.c", "--stub-missing", "mine.c"], 64, "exists already"),
        (&["a.c", "--stub-missing", "stubs"], 64, "call it stubs.c"),
        (&["a.c", "--stub-missing", "none/stubs.c"], 64, "cannot write none/stubs.c"),
        (&["broken.c", "--stub-missing", "stubs.c"], 65, "expected expression"),
        (&["missing.c", "--stub-missing", "stubs.c"], 65, "missing.c"),
        (&["whole.c", "--stub-missing", "stubs.c"], 0, "nothing is missing; stubs.c is not written"),
    ];
    for (words, code, message) in cases {
        let arguments: Vec<&str> = ["check"].iter().chain(words).copied().collect();
        let answer = folder.raddle(&arguments);
        assert_eq!(answer.code, code, "{words:?}: {}", answer.err);
        assert!(answer.err.contains(message), "{words:?}: {}", answer.err);
    }
    assert_eq!(folder.files(), ["a.c", "broken.c", "mine.c", "whole.c"]);
    assert_eq!(std::fs::read_to_string(folder.path("mine.c")).unwrap(), "/* mine */\n");
    let system = "bool x;\nvoid main() begin x := 1; end\n";
    folder.write("p.bp", system);
    assert_eq!(folder.raddle(&["check", "p.bp", "--stub-missing", "s.c"]).code, 64);
}

#[test]
fn a_search_stops_at_the_first_violation_if_that_is_requested() {
    let folder = Folder::new("stop-at-first");
    folder.write("a.c", LOST_UPDATE);
    for engine in ["auto", "explicit", "stateless", "order", "lazy", "random", "pct"] {
        let words = ["check", "a.c", "--engine", engine, "--stop-at-first", "--format", "json"];
        let report = folder.raddle(&words).report();
        let count = |verdict| report.rows.iter().filter(|row| row.verdict() == verdict).count();
        assert!(count(Verdict::Violated) > 0, "{engine}");
        assert_eq!(count(Verdict::Proved), 0, "{engine}");
        let open: Vec<&str> = report.rows.iter().filter_map(|row| row.reason.as_deref()).collect();
        assert!(
            open.iter().any(|why| why.contains("stopped after a finding; --keep-going")),
            "{engine}: {open:?}"
        );
    }
    let report = folder.raddle(&["check", "a.c", "--keep-going", "--format", "json"]).report();
    assert!(report.rows.iter().all(|row| row.verdict() != Verdict::Unknown));
    assert_eq!(folder.raddle(&["check", "a.c", "--keep-going", "--stop-at-first"]).code, 64);
}

/// A state space without end beside a race that is found at once.
const ENDLESS: &str = "\
#include <assert.h>
#include <pthread.h>
unsigned long long a, b;
int x;
void *left(void *p) { x++; for (;;) { a++; if (a > 1000000000000ull) assert(0); } return p; }
void *right(void *p) { x++; for (;;) b += 3; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, left, 0);
    right(0);
}
";

#[test]
fn a_search_does_not_go_on_for_ever_after_a_finding() {
    let folder = Folder::new("stop-after");
    folder.write("a.c", ENDLESS);
    let limit = std::time::Duration::from_secs(300);
    let words =
        ["check", "a.c", "--engine", "explicit", "--threads", "1", "--format", "json", "--property", "race"];
    let mut command = folder.command(&words);
    command.args(["--property", "assert"]);
    let (answer, _) = folder.within(limit, &mut command);
    let report = answer.report();
    let words: Vec<Verdict> = report.rows.iter().map(|row| row.verdict()).collect();
    assert_eq!(words, [Verdict::Violated, Verdict::Unknown]);
    let why = report.rows[1].reason.clone().unwrap_or_default();
    assert!(why.contains("stopped after a finding"), "{why}");
}

const BANK: &str = "\
#include <pthread.h>
#include <stdlib.h>
typedef struct { pthread_mutex_t lock; long balance; } Account;
static Account *accounts[2];
static void move(Account *from, Account *to) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}
static void *there(void *p) { move(accounts[0], accounts[1]); return p; }
static void *back(void *p) { move(accounts[1], accounts[0]); return p; }
int main(void) {
    pthread_t one, other;
    for (int i = 0; i < 2; i++) {
        accounts[i] = malloc(sizeof *accounts[i]);
        pthread_mutex_init(&accounts[i]->lock, 0);
        accounts[i]->balance = 10;
    }
    pthread_create(&one, 0, there, 0);
    pthread_create(&other, 0, back, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
";

#[test]
fn locks_on_the_heap_have_the_names_of_the_program() {
    let folder = Folder::new("heap-names");
    folder.write("bank.c", BANK);
    let text = folder.raddle(&["check", "bank.c", "--property", "deadlock"]).out;
    assert!(text.contains("waits for mutex accounts[1]->lock, held by T2 back"), "{text}");
    assert!(text.contains("waits for mutex accounts[0]->lock, held by T1 there"), "{text}");
    assert!(!text.contains("heap object"), "{text}");
    assert!(
        text.contains("T1 there holds accounts[0]->lock and takes accounts[1]->lock at bank.c:7"),
        "{text}"
    );
    let unwrapped = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(unwrapped.contains("such as accounts[0]->lock before accounts[1]->lock"), "{text}");
}

#[test]
fn a_trace_says_why() {
    let folder = Folder::new("why");
    folder.write("a.c", LOST_UPDATE);
    let text = folder.raddle(&["check", "a.c", "--property", "assert"]).out;
    assert!(text.contains("which is lost"), "{text}");
    assert!(text.contains("is preempted inside a.c:4"), "{text}");
    let text = folder.raddle(&["check", "a.c", "--property", "race"]).out;
    assert!(text.contains("no unlock and lock of one mutex"), "{text}");
}

#[test]
fn an_answer_about_nothing_says_so() {
    let folder = Folder::new("nothing");
    folder.write("a.c", "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x); return 0; }\n");
    let check = |words: &[&str]| folder.raddle(&[&["check", "a.c"], words].concat());
    check(&["-p", "assert"]).says(0, &["assert      proved    no assertion fails"]);
    check(&["-p", "assert", "-DNDEBUG"]).says(0, &["assert      proved    the program has no assertion"]);
    // An expression that assigns is no condition.
    check(&["--invariant", "x = 1"]).says(64, &["`x = 1` changes memory", "`==` compares"]);
    check(&["--invariant", "x++ < 9"]).says(64, &["changes memory"]);
    check(&["--prop", "p=x = 5", "-p", "ltl=[] p"]).says(64, &["changes memory"]);
    check(&["--invariant", "({ int y = x; y < 2; })"]).says(0, &["result: proved"]);
    // Nothing is left of the executions.
    folder.write("b.c", "#include <raddle.h>\nint main(void) { int n = raddle_any_int(); raddle_assume(n > 3 && n < 2); raddle_assert(0); return 0; }\n");
    folder.raddle(&["check", "b.c"]).says(0, &["assumptions blocked every execution that was run"]);
    let answer = folder.raddle(&["check", "a.c", "-p", "assert", "--save-trace", "t.json"]);
    answer.says(0, &["t.json is not written: nothing is violated"]);
}

#[test]
fn havoc_is_for_what_is_called_and_has_no_body() {
    let folder = Folder::new("havoc-names");
    folder.write(
        "a.c",
        "#include <assert.h>\n#include <stdlib.h>\nint get(void);\nstatic int own(void) { return 1; }\n\
         int main(void) { assert(atoi(\"3\") == 3); assert(own() == 1); return get() == 2; }\n",
    );
    let check = |words: &[&str]| folder.raddle(&[&["check", "a.c", "-p", "assert"], words].concat());
    check(&["--havoc", "gte"]).says(64, &["nothing calls `gte`", "did you mean `get`?"]);
    check(&["--havoc", "own", "--havoc", "get"]).says(64, &["`own` has a body, in a.c"]);
    check(&["--havoc", "get"]).says(0, &["result: proved"]);
    // The user's word counts more than a model.
    check(&["--havoc", "get", "--havoc", "atoi"]).says(1, &["assertion `atoi(\"3\") == 3` failed"]);
}

#[test]
fn the_steps_of_a_race_are_marked_where_they_are() {
    let folder = Folder::new("race-steps");
    folder.write(
        "a.c",
        "#include <pthread.h>\n#include <semaphore.h>\nstatic pthread_mutex_t m;\nstatic sem_t s;\nstatic int x, y;\n\
         static void *work(void *unused) {\n    sem_wait(&s);\n    pthread_mutex_lock(&m);\n    y++;\n\
         pthread_mutex_unlock(&m);\n    x = 1;\n    return unused;\n}\n\
         int main(void) {\n    pthread_t t;\n    pthread_mutex_init(&m, 0);\n    sem_init(&s, 0, 1);\n\
         pthread_create(&t, 0, work, 0);\n    pthread_mutex_lock(&m);\n    y++;\n    pthread_mutex_unlock(&m);\n    x = 2;\n\
         pthread_join(t, 0);\n    pthread_mutex_destroy(&m);\n    return 0;\n}\n",
    );
    let report = folder.raddle(&["check", "a.c", "-p", "race", "--format", "json"]).report();
    let trace = report.trace_of(&report.rows[0]).expect("a race");
    let raddle_trace::FaultDetails::Race { first, second, .. } = &trace.fault.details else { panic!() };
    for access in [first, second] {
        let step = access.step.expect("its step is known");
        let place = trace.steps[step as usize].place.as_ref().expect("a place");
        assert_eq!(Some(place.line), access.place.as_ref().map(|place| place.line));
    }
}
