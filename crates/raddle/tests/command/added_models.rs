//! Models that the user adds: a good one has the proofs and the reductions of a mutex, and a false declaration never gives a proof.

use std::path::PathBuf;
use std::process::Command;

use raddle_trace::{Report, StatValue, Verdict};

use crate::tool::report;

/// The report of a check of a program with a model.
#[track_caller]
pub fn check(name: &str, model: &str, program: &str, options: &[&str]) -> Report {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("added_models");
    std::fs::create_dir_all(&folder).unwrap();
    let (model_file, program_file) =
        (folder.join(format!("{name}_model.c")), folder.join(format!("{name}.c")));
    std::fs::write(&model_file, [KERNEL, model].concat()).unwrap();
    std::fs::write(&program_file, program).unwrap();
    let added = model_file.display().to_string();
    let mut all = if options.contains(&"--engine") { Vec::new() } else { vec!["--engine", "explicit"] };
    if !model.is_empty() {
        all.extend(["--models", &added]);
    }
    all.extend(options);
    report(&program_file, &all)
}

#[track_caller]
pub fn verdict(report: &Report, property: &str) -> Verdict {
    let row = report.rows.iter().find(|row| row.property.word() == property);
    row.unwrap_or_else(|| panic!("no row {property}")).verdict()
}

const KERNEL: &str = r#"
void __raddle_begin(void);
void __raddle_end(void);
_Noreturn void __raddle_block(int why, const void *object, int owner);
int __raddle_self(void);
void __raddle_acquire(const void *object, int channel);
void __raddle_release(const void *object, int channel);
void __raddle_event(int event, const void *object);
enum { MUTEX = 1, LOCK = 1, UNLOCK = 3 };
#define DECLARES(words) __attribute__((annotate("raddle: " words)))
"#;

/// A counter under a lock, by three threads, twice each.
fn adders(declarations: &str, acquire: &str, release: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n{declarations}
         static int sum, last;
         static void *add(void *unused) {{
             for (int i = 0; i < 2; i++) {{ {acquire}; last = sum; sum = last + 1; {release}; }}
             return unused;
         }}
         int main(void) {{
             pthread_t threads[3];
             for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, add, 0);
             for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
             assert(sum == 6);
             return 0;
         }}"
    )
}

#[test]
fn a_lock_written_in_c_alone_has_the_reductions_of_a_mutex() {
    let model = include_str!("../../../../tests/models/own_ticket_lock_and_latch.c");
    let model = model
        .split_once("struct ticket_lock {")
        .map(|(_, rest)| format!("struct ticket_lock {{{rest}"))
        .unwrap();
    let model = format!(
        "enum {{ WAIT_MUTEX = 1, WAIT_OTHER = 9, LOCKS = 2 }};\nvoid __raddle_fault(int, const char *, const void *);\n{model}"
    );
    let mutex = adders(
        "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;",
        "pthread_mutex_lock(&lock)",
        "pthread_mutex_unlock(&lock)",
    );
    let ticket = adders(
        "struct ticket_lock { int owner; };\nvoid ticket_lock(struct ticket_lock *);\nvoid ticket_unlock(struct ticket_lock *);
         static struct ticket_lock lock;",
        "ticket_lock(&lock)",
        "ticket_unlock(&lock)",
    );
    let mut counts = Vec::new();
    for reduction in ["none", "superstep", "ample", "patterns", "sleep", "symmetry"] {
        let options = ["--reduction", reduction];
        let known = check(&format!("mutex_{reduction}"), "", &mutex, &options);
        let added = check(&format!("ticket_{reduction}"), &model, &ticket, &options);
        assert_eq!(added.verdict(), Verdict::Proved, "{reduction}");
        let count = |report: &Report, name: &str| match report.stats.get(name) {
            Some(StatValue::Integer(count)) => *count,
            other => panic!("{name} is {other:?}"),
        };
        let states = |report: &Report| (count(report, "states"), count(report, "transitions"));
        assert_eq!(states(&added), states(&known), "{reduction}");
        counts.push(states(&added));
    }
    // All but sleep sets store fewer states.
    assert!(counts.iter().filter(|c| c.0 < counts[0].0).count() >= 4, "{counts:?}");
}

/// What a lying model is used for: `set` after a write, `get` before a read.
const MESSAGE: &str = "#include <pthread.h>
    struct flag { int on; };\nvoid set(struct flag *);\nint get(struct flag *);
    static struct flag flag, other;\nstatic int data;
    static void *reader(void *unused) { if (get(&flag)) data++; return unused; }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, 0, reader, 0);
        data = 1;
        set(&flag);
        pthread_join(thread, 0);
        return 0;
    }";

#[test]
fn information_without_an_order_is_no_proof_of_race_freedom() {
    let model = |declares: &str, set: &str, get: &str| {
        format!(
            "struct flag {{ int on; }};\nstatic int elsewhere;
             void set(struct flag *flag) {{ __raddle_begin(); {set} __raddle_end(); }}
             {declares} int get(struct flag *flag) {{ int on; __raddle_begin(); {get} __raddle_end(); return on; }}"
        )
    };
    let (release, acquire) = ("__raddle_release(flag, 0);", "__raddle_acquire(flag, 0);");
    let honest = model(
        "DECLARES(\"ordered always\")",
        &format!("flag->on = 1; {release}"),
        &format!("on = flag->on; {acquire}"),
    );
    let report = check("honest", &honest, MESSAGE, &[]);
    assert_eq!(verdict(&report, "race"), Verdict::Proved);
    let declared = |report: &Report| report.assumptions.iter().any(|a| a.code() == "declared");
    assert!(declared(&report));
    let false_models: [(&str, &str, &str, &str, Verdict); 8] = [
        (
            "another_channel",
            "",
            "flag->on = 1; __raddle_release(flag, 0);",
            "on = flag->on; __raddle_acquire(flag, 1);",
            Verdict::Bounded,
        ),
        (
            "reads_unordered",
            "DECLARES(\"ordered always\")",
            "flag->on = 1;",
            "on = flag->on;",
            Verdict::Unknown,
        ),
        ("some_results", "DECLARES(\"ordered 0 1\")", "flag->on = 1;", "on = flag->on;", Verdict::Unknown),
        ("says_nothing", "", "flag->on = 1;", "on = flag->on;", Verdict::Bounded),
        (
            "writer_keeps_it",
            "",
            "flag->on = 1;",
            "on = flag->on; __raddle_acquire(flag, 0);",
            Verdict::Bounded,
        ),
        (
            "reader_takes_nothing",
            "",
            "flag->on = 1; __raddle_release(flag, 0);",
            "on = flag->on;",
            Verdict::Bounded,
        ),
        (
            "another_object",
            "",
            "flag->on = 1; __raddle_release(&elsewhere, 0);",
            "on = flag->on; __raddle_acquire(&elsewhere, 0);",
            Verdict::Bounded,
        ),
        (
            "by_a_third_place",
            "",
            "elsewhere = 1; __raddle_release(flag, 0);",
            "on = elsewhere; __raddle_acquire(flag, 0);",
            Verdict::Bounded,
        ),
    ];
    for (name, declares, set, get, expected) in false_models {
        let report = check(name, &model(declares, set, get), MESSAGE, &[]);
        assert_ne!(verdict(&report, "race"), Verdict::Proved, "{name}");
        // Where the information leads to nothing, there is no race, but that is not shown.
        let quiet = MESSAGE.replace("data++", "(void)0");
        let report = check(&format!("{name}_quiet"), &model(declares, set, get), &quiet, &[]);
        assert_eq!(verdict(&report, "race"), expected, "{name}");
    }
}

/// Whatever a lock pretends, what it lets through is found.
#[test]
fn a_lock_that_is_none_is_found_out() {
    let program = |extra: &str| {
        let declarations =
            "struct lock { int owner, calls; };\nvoid take(struct lock *);\nvoid give(struct lock *);
             static struct lock lock;";
        adders(declarations, &format!("{extra} take(&lock)"), "give(&lock)")
    };
    let take = |before: &str, owner: &str| {
        format!(
            "struct lock {{ int owner, calls; }};\nstatic int opened;
             DECLARES(\"retakes 0 like take\") void take(struct lock *lock) {{
                 __raddle_begin();
                 if ({before}) __raddle_block(MUTEX, lock, {owner});
                 lock->owner = __raddle_self();
                 lock->calls++;
                 __raddle_acquire(lock, 0);
                 __raddle_release(lock, 0);
                 __raddle_event(LOCK, lock);
                 __raddle_end();
             }}
             void give(struct lock *lock) {{
                 __raddle_begin();
                 __raddle_acquire(lock, 0);
                 lock->owner = 0;
                 opened = lock->calls == 3;
                 __raddle_release(lock, 0);
                 __raddle_event(UNLOCK, lock);
                 __raddle_end();
             }}"
        )
    };
    let good =
        check("lock_good", &take("lock->owner", "lock->owner"), &program(""), &["--property", "assert"]);
    assert_eq!(good.verdict(), Verdict::Proved);
    let false_models = [
        ("lock_lets_the_third_in", take("lock->owner && lock->calls != 3", "lock->owner")),
        ("lock_is_open_for_some", take("lock->owner && __raddle_self() != 3", "lock->owner")),
        ("lock_asks_elsewhere", take("lock->owner && !opened", "lock->owner")),
        ("lock_is_open_after_its_owner", take("lock->owner && lock->owner != 4", "lock->owner")),
    ];
    for (name, model) in false_models {
        for reduction in ["none", "patterns", "symmetry", "superstep,ample,patterns,sleep,symmetry"] {
            let report =
                check(name, &model, &program(""), &["--property", "assert", "--reduction", reduction]);
            assert_eq!(report.verdict(), Verdict::Violated, "{name} {reduction}");
        }
    }
}

#[test]
fn numbers_that_get_out_prevent_symmetry() {
    let program = |call: &str| {
        format!(
            "#include <assert.h>\n#include <pthread.h>\nint tell(void);\nvoid mark(int *);\n#include <stdatomic.h>
             static atomic_int order; static int place;
             static void *work(void *unused) {{ {call} return unused; }}
             int main(void) {{
                 pthread_t threads[3];
                 for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
                 for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
                 return 0;
             }}"
        )
    };
    // Only the thread with the number 4, and only if it comes last.
    let call = "int mine = order++; if (tell() && mine == 2) assert(0);";
    let marks = "int mine = order++; mark(&place); if (place == 4 && mine == 2) assert(0);";
    let models = [
        ("compares_with_a_constant", call, "int tell(void) { return __raddle_self() == 4; }"),
        ("computes_with_it", call, "int tell(void) { return __raddle_self() / 4; }"),
        ("orders_it", call, "int tell(void) { return __raddle_self() > 3; }"),
        (
            "keeps_it_in_its_own_place",
            call,
            "static int kept; int tell(void) { kept = __raddle_self(); return kept == 4; }",
        ),
        ("puts_it_where_the_program_reads", marks, "void mark(int *place) { *place = __raddle_self(); }"),
        (
            "calls_it_a_join",
            call,
            "DECLARES(\"joins\") int is_four(int n) { return n == 4; } int tell(void) { return is_four(__raddle_self()); }",
        ),
    ];
    for (name, call, model) in models {
        for reduction in ["none", "symmetry"] {
            let options = ["--property", "assert", "--reduction", reduction];
            let report = check(name, model, &program(call), &options);
            assert_eq!(report.verdict(), Verdict::Violated, "{name} {reduction}");
        }
    }
}

#[test]
fn declared_to_do_nothing_but_called_is_unknown() {
    let model = "DECLARES(\"acts after pthread_cancel\") void act(int *x) { *x = 1; }";
    let program = "#include <assert.h>\nvoid act(int *);\nstatic int x;\nint main(void) { act(&x); assert(x == 0); return 0; }";
    let report = check("acts", model, program, &["--property", "assert"]);
    assert_eq!(report.verdict(), Verdict::Unknown);
    let reason = report.rows[0].reason.clone().unwrap_or_default();
    assert!(reason.contains("`act`"), "{reason}");
}

#[test]
fn a_join_that_does_not_wait_proves_nothing() {
    let model = "DECLARES(\"joins\") int my_join(unsigned long thread, void **result) { return 0; }
                 DECLARES(\"creates\") int my_create(unsigned long *id) { *id = 7; return 0; }";
    let program = "#include <assert.h>\n#include <pthread.h>\nint my_join(pthread_t, void **);\nstatic int x;
         static void *work(void *unused) { x = 1; return unused; }
         int main(void) {
             pthread_t threads[2];
             for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
             for (int i = 0; i < 2; i++) my_join(threads[i], 0);
             assert(x == 1);
             return 0;
         }";
    let report = check("joins", model, program, &["--property", "assert"]);
    assert_eq!(report.verdict(), Verdict::Violated);
}

#[test]
fn unknown_words_are_refused() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("added_models");
    std::fs::create_dir_all(&folder).unwrap();
    let (model, program) = (folder.join("words_model.c"), folder.join("words.c"));
    std::fs::write(&model, [KERNEL, "DECLARES(\"is always right\") void act(void) {}"].concat()).unwrap();
    std::fs::write(&program, "void act(void);\nint main(void) { act(); return 0; }").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let output = command.arg("check").arg(&program).arg("--models").arg(&model).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(65), "{text}");
    assert!(text.contains("`act`") && text.contains("`is always right`"), "{text}");
}

/// Ways around the acquisition, each with a race that only happens-before shows.
#[test]
fn information_by_other_ways_is_no_proof_of_race_freedom() {
    let program = |declarations: &str, tell: &str, learn: &str| {
        format!(
            "#include <pthread.h>\nstruct flag {{ int on; }};\nvoid set(struct flag *);\n{declarations}
             static struct flag flag, second;\nstatic int data;
             static void *reader(void *unused) {{ int on = 0; {learn}; if (on) data = 2; return unused; }}
             int main(void) {{
                 pthread_t thread;
                 pthread_create(&thread, 0, reader, 0);
                 data = 1;
                 {tell};
                 pthread_join(thread, 0);
                 return 0;
             }}"
        )
    };
    let set = "struct flag { int on; };
         void set(struct flag *flag) {
             __raddle_begin(); __raddle_acquire(flag, 0); flag->on = 1; __raddle_release(flag, 0); __raddle_end();
         }";
    let ways = [
        (
            "out_after_the_section",
            "void get(struct flag *flag, int *out) {
                 __raddle_begin(); int on = flag->on; __raddle_release(flag, 0); __raddle_end(); *out = on;
             }",
            program("void get(struct flag *, int *);", "set(&flag)", "get(&flag, &on)"),
        ),
        (
            "out_inside_the_section",
            "void get(struct flag *flag, struct flag *out) {
                 __raddle_begin(); out->on = flag->on; __raddle_release(flag, 0); __raddle_release(out, 0); __raddle_end();
             }",
            program("void get(struct flag *, struct flag *);", "set(&flag)", "get(&flag, &second); on = second.on"),
        ),
        ("read_by_the_program", "", program("", "set(&flag)", "on = flag.on")),
        (
            "asked_without_a_section",
            "int __raddle_is_determinate(const void *, unsigned long);
             int get(struct flag *flag) { return __raddle_is_determinate(flag, 4) && *(volatile int *)&flag->on; }",
            program("int get(struct flag *);", "set(&flag)", "on = get(&flag)"),
        ),
        (
            "released_before_it_was_acquired",
            "void copy(struct flag *from, struct flag *to) {
                 __raddle_begin(); __raddle_release(to, 0); __raddle_acquire(from, 0); to->on = from->on; __raddle_end();
             }
             int get(struct flag *flag) {
                 __raddle_begin(); int on = flag->on; __raddle_acquire(flag, 0); __raddle_end(); return on;
             }",
            program(
                "void copy(struct flag *, struct flag *);\nint get(struct flag *);",
                "set(&flag)",
                "copy(&flag, &second); on = get(&second)",
            ),
        ),
    ];
    for (name, model, program) in ways {
        let report = check(name, &format!("{set}\n{model}"), &program, &[]);
        assert_ne!(verdict(&report, "race"), Verdict::Proved, "{name}");
    }
}

/// A lock whose state is not in the lock alone, or whose number gets out by another way.
#[test]
fn locks_that_are_more_than_their_bytes() {
    let lock = |condition: &str, more: &str| {
        format!(
            "struct lock {{ int owner, depth; }};\n{more}
             void take(struct lock *lock) {{
                 __raddle_begin();
                 if (lock->owner{condition}) __raddle_block(MUTEX, lock, lock->owner);
                 lock->owner = __raddle_self();
                 __raddle_acquire(lock, 0); __raddle_release(lock, 0); __raddle_event(LOCK, lock);
                 __raddle_end();
             }}
             void give(struct lock *lock) {{
                 __raddle_begin();
                 __raddle_acquire(lock, 0); lock->owner = 0; __raddle_release(lock, 0); __raddle_event(UNLOCK, lock);
                 __raddle_end();
             }}"
        )
    };
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>
         struct lock { int owner, depth; };\nvoid take(struct lock *);\nvoid give(struct lock *);
         static struct lock lock;\nstatic atomic_int steps;\nstatic int a;";
    let two = "int main(void) {
             pthread_t threads[2];
             for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
             for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
             return 0;
         }";
    let cases = [
        (
            "thread_local",
            lock(" && !pass", "static _Thread_local int pass;\nvoid bypass(void) { pass = 1; }"),
            format!(
                "{head}\nvoid bypass(void);
                 static void *work(void *unused) {{ steps++; bypass(); steps++; take(&lock); assert(a == 0); return unused; }}
                 int main(void) {{
                     pthread_t thread;
                     pthread_create(&thread, 0, work, 0);
                     take(&lock); a = 1; steps++; a = 0; give(&lock);
                     pthread_join(thread, 0);
                     return 0;
                 }}"
            ),
        ),
        (
            "lock_of_the_model",
            lock(
                "",
                "static struct lock own;
                 static int try_it(struct lock *lock) {
                     __raddle_begin();
                     if (lock->owner == 0) lock->owner = __raddle_self();
                     int mine = lock->owner == __raddle_self();
                     __raddle_end();
                     return mine;
                 }
                 int elect(void) { return try_it(&own); }",
            ),
            format!(
                "{head}\nint elect(void);\nstatic int first, elected;
                 static void *work(void *unused) {{
                     elect(); take(&lock); if (!first++) elected = elect(); give(&lock); return unused;
                 }}
                 {}",
                two.replace("return 0;", "assert(elected); return 0;")
            ),
        ),
        (
            "back_to_the_number",
            lock(
                "",
                "int peek(struct lock *lock) {
                     __raddle_begin(); int *depth = &lock->depth; int owner = depth[-1]; __raddle_end(); return owner;
                 }",
            ),
            format!(
                "{head}\nint peek(struct lock *);
                 static void *work(void *unused) {{
                     int mine = steps++; take(&lock); if (peek(&lock) == 3 && mine == 0) assert(0); give(&lock); return unused;
                 }}
                 {two}"
            ),
        ),
        (
            "parity_of_the_number",
            lock("", "int odd(void) { return (unsigned char)(__raddle_self() << 7) != 0; }"),
            format!(
                "{head}\nint odd(void);
                 static void *work(void *unused) {{
                     int mine = steps++; take(&lock); if (odd() && mine == 0) assert(0); give(&lock); return unused;
                 }}
                 {two}"
            ),
        ),
    ];
    for (name, model, program) in cases {
        for reduction in ["none", "patterns", "symmetry", "superstep,ample,patterns,symmetry"] {
            let options = ["--property", "assert", "--reduction", reduction];
            let report = check(name, &model, &program, &options);
            assert_eq!(report.verdict(), Verdict::Violated, "{name} {reduction}");
        }
    }
}
