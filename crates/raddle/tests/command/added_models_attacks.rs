//! Models that the user adds, against the engines: ways around happens-before edges, around symmetry and around the read
//! sets of the transition cache. None of them gives a false proof.

use raddle_trace::{Report, Verdict};

use crate::added_models::{check, verdict};

/// Kernel operations that few models use.
const MORE: &str = r#"
void __raddle_touch(const void *object, unsigned long size, int writes);
unsigned long long __raddle_choose(unsigned long long count);
int __raddle_spawn(void (*body)(void *tcb), void *tcb);
void *__raddle_tcb(int thread);
int __raddle_finished(int thread);
_Noreturn void __raddle_thread_exit(void);
int __raddle_holds(const void *object);
int __raddle_held(const void *object);
void *__raddle_alloc(unsigned long size, int kind);
void __raddle_free(void *pointer);
unsigned long __raddle_object_size(const void *pointer);
int __raddle_is_determinate(const void *pointer, unsigned long size);
int __raddle_writable(const void *pointer, unsigned long size);
void *memset(void *, int, unsigned long);
struct flag { int on; };
"#;

const SET: &str = "void set(struct flag *flag) {
    __raddle_begin(); __raddle_acquire(flag, 0); flag->on = 1; __raddle_release(flag, 0); __raddle_end();
}";

const GET: &str = "int get(struct flag *flag) {
    __raddle_begin(); __raddle_acquire(flag, 0); int on = flag->on; __raddle_end(); return on;
}";

#[track_caller]
fn checked(name: &str, model: &str, program: &str, options: &[&str]) -> Report {
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>
         #include <string.h>\nstruct flag { int on; };\nvoid set(struct flag *);\nint get(struct flag *);\n";
    check(&format!("attack_{name}"), &format!("{MORE}{model}"), &format!("{head}{program}"), options)
}

/// One thread writes and sets the flag, another one learns of it and writes: a race, unless what it learns comes with an
/// edge.
fn message(declarations: &str, learn: &str) -> String {
    format!(
        "{declarations}\nstruct flag flag;\nint data;
         static void *reader(void *unused) {{ int on = 0; {learn}; if (on) data = 2; return unused; }}
         int main(void) {{
             pthread_t thread;
             pthread_create(&thread, 0, reader, 0);
             data = 1;
             set(&flag);
             pthread_join(thread, 0);
             return 0;
         }}"
    )
}

#[test]
fn a_flag_that_acquires_and_releases_has_a_proof() {
    let report = checked("good", &format!("{SET}\n{GET}"), &message("", "on = get(&flag)"), &[]);
    assert_eq!(verdict(&report, "race"), Verdict::Proved);
}

#[test]
fn a_section_that_is_no_plain_exchange_is_no_proof_of_race_freedom() {
    let by_get = message("", "on = get(&flag)");
    let ways = [
        (
            "choice_behind_a_read",
            format!(
                "{SET} int get(struct flag *flag) {{
                     __raddle_begin(); int on = flag->on; __raddle_choose(2); __raddle_end(); return on;
                 }}"
            ),
            by_get.clone(),
        ),
        (
            "read_without_a_section",
            format!("{SET} int get(struct flag *flag) {{ return *(volatile int *)&flag->on; }}"),
            by_get.clone(),
        ),
        (
            "atomic_read_without_a_section",
            format!("{SET} int get(struct flag *flag) {{ return __atomic_load_n(&flag->on, __ATOMIC_SEQ_CST); }}"),
            by_get.clone(),
        ),
        (
            "write_without_a_section",
            format!("{GET} void set(struct flag *flag) {{ *(volatile int *)&flag->on = 1; }}"),
            by_get.clone(),
        ),
        (
            "atomic_write_without_a_section",
            format!("{GET} void set(struct flag *flag) {{ __atomic_store_n(&flag->on, 1, __ATOMIC_SEQ_CST); }}"),
            by_get.clone(),
        ),
        (
            "write_by_the_library",
            format!("{GET} void set(struct flag *flag) {{ memset(flag, 1, sizeof *flag); }}"),
            by_get.clone(),
        ),
        (
            "silent_and_then_read",
            format!(
                "{SET} static void bump(struct flag *flag) {{
                     __raddle_begin(); flag->on = flag->on + 1; __raddle_release(flag, 0); __raddle_end();
                 }}
                 int get(struct flag *flag) {{ bump(flag); return *(volatile int *)&flag->on > 1; }}"
            ),
            by_get.clone(),
        ),
        (
            "thread_exit_inside",
            format!(
                "{SET} void leave(struct flag *flag) {{
                     __raddle_begin(); if (!flag->on) __raddle_block(9, flag, 0); __raddle_thread_exit();
                 }}"
            ),
            "void leave(struct flag *);\nstatic struct flag flag;\nstatic int data;
             static void *writer(void *unused) { data = 1; set(&flag); return unused; }
             static void *reader(void *unused) { leave(&flag); return unused; }
             int main(void) {
                 pthread_t first, second;
                 pthread_create(&first, 0, writer, 0);
                 pthread_create(&second, 0, reader, 0);
                 pthread_join(second, 0);
                 data = 2;
                 pthread_join(first, 0);
                 return 0;
             }"
            .to_string(),
        ),
        (
            "creation_before_the_acquisition",
            format!(
                "{SET} static void body(void *run) {{ ((void (*)(void))run)(); }}
                 void later(struct flag *flag, void *run) {{
                     __raddle_begin(); if (flag->on) __raddle_spawn(body, run); __raddle_acquire(flag, 0); __raddle_end();
                 }}"
            ),
            message(
                "void later(struct flag *, void *);\nextern int data;\nstatic void run(void) { data = 3; }",
                "later(&flag, (void *)run)",
            ),
        ),
        (
            "touch_before_the_acquisition",
            format!(
                "{SET} void await(struct flag *flag, int *data) {{
                     __raddle_begin(); if (!flag->on) __raddle_block(9, flag, 0);
                     __raddle_touch(data, sizeof *data, 1); __raddle_acquire(flag, 0); __raddle_end();
                 }}"
            ),
            message("void await(struct flag *, int *);", "await(&flag, &data)"),
        ),
        (
            "touch_behind_the_release",
            format!(
                "{GET} extern int data; void set(struct flag *flag) {{
                     __raddle_begin(); __raddle_acquire(flag, 0); flag->on = 1; __raddle_release(flag, 0);
                     __raddle_touch(&data, sizeof data, 1); __raddle_end();
                 }}"
            ),
            by_get.replace("data = 1;", ""),
        ),
        (
            "peek_at_a_mutex",
            "int get(struct flag *flag) {
                 __raddle_begin(); __raddle_acquire(flag, 0); int on = flag->on; __raddle_end(); return on;
             }"
            .to_string(),
            "static pthread_mutex_t mutex;\nstatic int data;
             static void *reader(void *unused) { if (get((struct flag *)&mutex)) data = 2; return unused; }
             int main(void) {
                 pthread_t thread;
                 pthread_create(&thread, 0, reader, 0);
                 data = 1;
                 pthread_mutex_lock(&mutex);
                 pthread_join(thread, 0);
                 return 0;
             }"
            .to_string(),
        ),
    ];
    for (name, model, program) in ways {
        let report = checked(name, &model, &program, &[]);
        assert_ne!(verdict(&report, "race"), Verdict::Proved, "{name}");
    }
}

#[test]
fn models_that_the_library_calls_are_judged_too() {
    let read = "extern struct flag flag; extern int data;
         static int peek(void) { __raddle_begin(); int on = flag.on; __raddle_end(); return on; }";
    let ways = [
        (
            "comparison_of_qsort",
            "int compare(const void *a, const void *b) { return peek() ? 1 : -1; }",
            message(
                "int compare(const void *, const void *);",
                "char two[2] = { 1, 2 }; qsort(two, 2, 1, compare); on = two[0] == 2",
            ),
        ),
        (
            "once",
            "void init(void) { if (peek()) data = 2; }",
            message("void init(void);\nstatic pthread_once_t once;", "pthread_once(&once, init)"),
        ),
        (
            "destructor_of_a_key",
            "void destroy(void *value) { if (peek()) data = 2; }",
            message("void destroy(void *);\nstatic pthread_key_t key;", "pthread_setspecific(key, &key)")
                .replace("pthread_t thread;", "pthread_t thread; pthread_key_create(&key, destroy);"),
        ),
        (
            "start_of_a_thread",
            "struct box { int on, data; };
             void *run(void *argument) {
                 struct box *box = argument;
                 __raddle_begin(); int on = box->on; __raddle_end();
                 if (on) box->data = 2;
                 return 0;
             }
             void fill(struct box *box) {
                 box->data = 1;
                 __raddle_begin(); __raddle_acquire(box, 0); box->on = 1; __raddle_release(box, 0); __raddle_end();
             }",
            "struct box { int on, data; };\nvoid *run(void *);\nvoid fill(struct box *);
             static struct box box;\nstruct flag flag;\nint data;
             int main(void) {
                 pthread_t thread;
                 pthread_create(&thread, 0, run, &box);
                 fill(&box);
                 pthread_join(thread, 0);
                 return 0;
             }"
            .to_string(),
        ),
    ];
    for (name, model, program) in ways {
        let report = checked(name, &format!("{SET}\n{read}\n{model}"), &program, &[]);
        assert_ne!(verdict(&report, "race"), Verdict::Proved, "{name}");
    }
}

#[test]
fn an_address_that_gets_out_is_no_proof_of_race_freedom() {
    let to_library = [
        ("memcmp", "static const struct flag zero;", "on = memcmp(&flag, &zero, sizeof flag) != 0"),
        ("strlen", "", "on = strlen((char *)&flag) != 0"),
        ("snprintf", "", "char text[8]; on = snprintf(text, 8, \"%s\", (char *)&flag) != 0"),
        (
            "setspecific",
            "static pthread_key_t key;",
            "pthread_setspecific(key, &flag); on = ((struct flag *)pthread_getspecific(key))->on",
        ),
    ];
    for (name, declarations, learn) in to_library {
        let mut program = message(declarations, learn);
        if name == "setspecific" {
            program = program.replace("pthread_t thread;", "pthread_t thread; pthread_key_create(&key, 0);");
        }
        let report = checked(name, SET, &program, &[]);
        assert_ne!(verdict(&report, "race"), Verdict::Proved, "{name}");
    }
    let argument =
        message("", "on = ((struct flag *)unused)->on").replace("0, reader, 0", "0, reader, &flag");
    let report = checked("argument_of_a_thread", SET, &argument, &[]);
    assert_ne!(verdict(&report, "race"), Verdict::Proved);
    let back = "static int seen;\nvoid back(struct flag *flag) { seen = flag->on; }";
    let callbacks = [
        (
            "callback",
            "void back(struct flag *); void with(struct flag *flag) { back(flag); }",
            "void with(struct flag *);",
            "with(&flag)",
        ),
        (
            "callback_by_pointer",
            "void with(struct flag *flag, void (*back)(struct flag *)) { back(flag); }",
            "void with(struct flag *, void (*)(struct flag *));",
            "with(&flag, back)",
        ),
        (
            "own_object",
            "static struct flag own; struct flag *with(void) { return &own; } void tell(void) { set(&own); }",
            "struct flag *with(void);\nvoid tell(void);",
            "back(with())",
        ),
    ];
    for (name, model, declarations, call) in callbacks {
        let program = message(&format!("{back}\n{declarations}"), &format!("{call}; on = seen"));
        let program = if name == "own_object" { program.replace("set(&flag)", "tell()") } else { program };
        let report = checked(name, &format!("{SET}\n{model}"), &program, &[]);
        assert_ne!(verdict(&report, "race"), Verdict::Proved, "{name}");
    }
}

#[test]
fn constant_numbers_of_threads_prevent_symmetry() {
    let program = |threads: u32, work: &str| {
        format!(
            "int query(void);\nvoid wait(struct flag *);\nstatic struct flag flag;\nstatic atomic_int bad, steps;
             static void *work(void *unused) {{ {work}; return unused; }}
             int main(void) {{
                 pthread_t threads[{threads}];
                 for (int i = 0; i < {threads}; i++) pthread_create(&threads[i], 0, work, 0);
                 for (int i = 0; i < {threads}; i++) pthread_join(threads[i], 0);
                 assert(!bad);
                 return 0;
             }}"
        )
    };
    let query = |answer: &str| {
        format!(
            "static int ended(int thread) {{ return __raddle_finished(thread); }}
             int query(void) {{ __raddle_begin(); int answer = {answer}; __raddle_end(); return answer; }}"
        )
    };
    let by_query = "if (query()) bad = 1";
    let own = "if (query() && steps) bad = 1; steps = 1";
    let block = "void wait(struct flag *flag) {
             __raddle_begin(); if (flag->on) __raddle_block(7, flag, 4); flag->on = 1; __raddle_end();
         }";
    let cases = [
        ("end_of_the_second", query("__raddle_finished(3)"), program(2, by_query), "assert"),
        ("end_of_the_first", query("__raddle_finished(2)"), program(2, by_query), "assert"),
        (
            "one_before_another",
            query("__raddle_finished(4) && !__raddle_finished(2)"),
            program(3, by_query),
            "assert",
        ),
        ("by_another_function", query("ended(4) && !ended(2)"), program(3, by_query), "assert"),
        (
            "its_own_block",
            query("__raddle_tcb(2) == __raddle_tcb(__raddle_self())"),
            program(3, own),
            "assert",
        ),
        ("last_block", query("__raddle_tcb(4) == __raddle_tcb(__raddle_self())"), program(3, own), "assert"),
        ("owner_of_a_wait", block.to_string(), program(3, "wait(&flag); for (;;) steps = 0"), "deadlock"),
        (
            "computed_owner_of_a_wait",
            block.replace("flag, 4)", "flag, flag->on + 3)"),
            program(3, "wait(&flag); for (;;) steps = 0"),
            "deadlock",
        ),
    ];
    for (name, model, program, property) in cases {
        for reduction in ["none", "symmetry", "superstep,ample,patterns,sleep,symmetry"] {
            let options = ["--property", property, "--reduction", reduction];
            let report = checked(name, &model, &program, &options);
            assert_eq!(report.verdict(), Verdict::Violated, "{name} {reduction}");
        }
    }
}

/// A thread that does not exist yet has no block.
#[test]
fn creation_depends_on_queries_of_the_new_thread() {
    let model = "int exists(int n) { __raddle_begin(); int found = __raddle_tcb(n) != 0; __raddle_end(); return found; }
         int ended(int n) { __raddle_begin(); int end = __raddle_finished(n); __raddle_end(); return end; }";
    let program = |learn: &str| {
        format!(
            "int exists(int);\nint ended(int);\nstatic atomic_int two;
             static void *nothing(void *unused) {{ return unused; }}
             static void *work(void *unused) {{ int first = {learn}(3), second = {learn}(3); two = first * 2 + second; return unused; }}
             int main(void) {{
                 pthread_t first, second;
                 pthread_create(&first, 0, work, 0);
                 pthread_create(&second, 0, nothing, 0);
                 pthread_join(second, 0);
                 pthread_join(first, 0);
                 assert(two != 1);
                 return 0;
             }}"
        )
    };
    for learn in ["exists", "ended"] {
        for reduction in
            ["none", "superstep", "ample", "patterns", "sleep", "superstep,ample,patterns,sleep,symmetry"]
        {
            let options = ["--property", "assert", "--reduction", reduction];
            let report = checked(learn, model, &program(learn), &options);
            assert_eq!(report.verdict(), Verdict::Violated, "{learn} {reduction}");
        }
        // The engine of dynamic partial order reduction does not find it, and does not prove it either.
        let report =
            checked(learn, model, &program(learn), &["--property", "assert", "--engine", "stateless"]);
        assert_ne!(report.verdict(), Verdict::Proved, "{learn}");
    }
}

#[test]
fn queries_outside_of_sections_are_unsupported() {
    let cases = [
        ("block", "return __raddle_tcb(3) != 0;", "work"),
        ("end", "return __raddle_finished(3);", "work"),
        ("holds", "return __raddle_holds(&flag);", "event"),
        ("held", "return __raddle_held(&flag);", "event"),
        ("size", "return __raddle_object_size(&flag) != 4;", "event"),
        ("determinate", "return !__raddle_is_determinate(&flag, 4);", "event"),
        ("writable", "return !__raddle_writable(&flag, 4);", "event"),
    ];
    for (name, body, then) in cases {
        let model = format!(
            "extern struct flag flag;\nint query(void) {{ {body} }}
             void event(void) {{ __raddle_begin(); __raddle_event(LOCK, &flag); __raddle_end(); }}"
        );
        let then = match then {
            "work" => "pthread_t other; pthread_create(&other, 0, nothing, 0); pthread_join(other, 0);",
            _ => "event();",
        };
        let program = format!(
            "int query(void);\nvoid event(void);\nstruct flag flag;\nstatic atomic_int begun;
             static void *nothing(void *unused) {{ return unused; }}
             static void *work(void *unused) {{ begun = 1; assert(!query()); return unused; }}
             int main(void) {{
                 pthread_t thread;
                 pthread_create(&thread, 0, work, 0);
                 while (!begun) {{}}
                 {then}
                 pthread_join(thread, 0);
                 return 0;
             }}"
        );
        let report = checked(&format!("outside_{name}"), &model, &program, &["--property", "assert"]);
        assert_eq!(report.verdict(), Verdict::Unknown, "{name}");
    }
    // What a thread queries of itself does not change.
    let model = "int query(void) { return __raddle_tcb(__raddle_self()) == 0 || __raddle_finished(__raddle_self()); }";
    let program = "int query(void);\nint main(void) { assert(!query()); return 0; }";
    let report = checked("outside_own", model, program, &["--property", "assert"]);
    assert_eq!(report.verdict(), Verdict::Proved);
}

/// Whether an object is gone is part of what a step reads.
#[test]
fn objects_that_are_gone_are_in_read_sets() {
    let model = "struct lock { int owner; };\nstatic char *state;
         void make(void) { state = __raddle_alloc(4, 2); }
         void open(void) { __raddle_begin(); __raddle_free(state); __raddle_end(); }
         void take(struct lock *lock) {
             __raddle_begin();
             if (lock->owner && __raddle_writable(state, 1)) __raddle_block(MUTEX, lock, lock->owner);
             lock->owner = __raddle_self();
             __raddle_acquire(lock, 0); __raddle_release(lock, 0); __raddle_event(LOCK, lock);
             __raddle_end();
         }
         void give(struct lock *lock) {
             __raddle_begin();
             __raddle_acquire(lock, 0); lock->owner = 0; __raddle_release(lock, 0); __raddle_event(UNLOCK, lock);
             __raddle_end();
         }";
    let program = |opens: &str| {
        format!(
            "struct lock {{ int owner; }};\nvoid take(struct lock *);\nvoid give(struct lock *);\nvoid make(void);\nvoid open(void);
             static struct lock lock;\nstatic atomic_int steps;\nstatic int a;
             static void *work(void *unused) {{ steps++; take(&lock); assert(a == 0); give(&lock); return unused; }}
             static void *third(void *unused) {{ {opens}; return unused; }}
             int main(void) {{
                 pthread_t first, second;
                 make();
                 pthread_create(&first, 0, work, 0);
                 pthread_create(&second, 0, third, 0);
                 take(&lock); a = 1; steps++; a = 0; give(&lock);
                 pthread_join(first, 0);
                 pthread_join(second, 0);
                 return 0;
             }}"
        )
    };
    for reduction in
        ["none", "superstep", "ample", "patterns", "symmetry", "superstep,ample,patterns,symmetry"]
    {
        let options = ["--property", "assert", "--reduction", reduction];
        let report = checked("gone", model, &program("open()"), &options);
        assert_eq!(report.verdict(), Verdict::Violated, "{reduction}");
        let report = checked("stays", model, &program("steps++"), &options);
        assert_eq!(report.verdict(), Verdict::Proved, "{reduction}");
    }
}
