//! The stateless engine on the command line: bounds on preemptions, what keeps it from an answer, how many executions.

use std::path::PathBuf;

use raddle_trace::{Report, Verdict};

use crate::tool::report;

/// The report of a check of this source.
#[track_caller]
fn check(name: &str, text: &str, options: &[&str]) -> Report {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("executions");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    report(&path, options)
}

const STATELESS: [&str; 2] = ["--engine", "stateless"];

#[track_caller]
fn within(name: &str, text: &str, property: &str, preemptions: &str) -> (Verdict, String) {
    let options = [&STATELESS[..], &["--property", property, "--preemptions", preemptions]].concat();
    let report = check(name, text, &options);
    (report.verdict(), report.rows[0].reason.clone().unwrap_or_default())
}

/// The first thread would fail if it went on; leaving it there is a preemption.
fn left_before(end: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nvoid __VERIFIER_assume(int);
         atomic_int x;
         void *f(void *a) {{ x = 1; {end}; return 0; }}
         void *g(void *a) {{ if (x == 1) {{ int most = 0x7fffffff; most++; }} return 0; }}
         int main(void) {{
             pthread_t t, u;
             pthread_create(&t, 0, f, 0);
             pthread_create(&u, 0, g, 0);
             pthread_join(t, 0);
             pthread_join(u, 0);
         }}"
    )
}

#[test]
fn leaving_a_thread_before_it_fails_is_a_preemption() {
    for (name, end) in [("assertion.c", "assert(0)"), ("null.c", "*(volatile int *)0 = 1")] {
        let text = left_before(end);
        assert_ne!(within(name, &text, "overflow", "0").0, Verdict::Violated, "{name}");
        assert_eq!(within(name, &text, "overflow", "1").0, Verdict::Violated, "{name}");
    }
}

#[test]
fn what_is_cut_within_a_bound_is_told() {
    let missing = "#include <pthread.h>\nextern int missing(int);\nint main(void) { return missing(3); }";
    let (verdict, reason) = within("missing.c", missing, "assert", "0");
    assert_eq!(verdict, Verdict::Unknown);
    assert!(reason.contains(": no definition of the function `missing`"), "{reason}");
    let assembly = "int main(void) { int x; __asm__ volatile(\"cpuid\" : \"=a\"(x)); return x; }";
    let (verdict, reason) = within("assembly.c", assembly, "assert", "0");
    assert_eq!(verdict, Verdict::Unknown);
    assert!(reason.contains(": not supported: "), "{reason}");
    let unreachable = "int main(void) { __builtin_unreachable(); }";
    let (verdict, reason) = within("unreachable.c", unreachable, "assert", "0");
    assert_eq!(verdict, Verdict::Unknown);
    assert!(reason.contains(": undefined behaviour: reached code marked unreachable"), "{reason}");
    let wide = "extern int __VERIFIER_nondet_int(void);\n#include <assert.h>
        int main(void) { assert(__VERIFIER_nondet_int() != 7); }";
    let (verdict, reason) = within("wide.c", wide, "assert", "2");
    assert_eq!(verdict, Verdict::Unknown);
    assert!(reason.contains("too many to enumerate"), "{reason}");
    let long = "volatile int x;\n#include <pthread.h>\nvoid *f(void *a) { return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (;;) x++; }";
    let (verdict, reason) = within("long.c", long, "assert", "0");
    assert_eq!(verdict, Verdict::Unknown);
    assert!(reason.contains("executions were cut at the event limit"), "{reason}");
}

#[test]
fn a_function_without_a_body_behind_a_rare_input_leaves_nothing_bounded() {
    let rare = "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern int missing(int);
        int main(void) {
            int v = __VERIFIER_nondet_uchar(), w = __VERIFIER_nondet_uchar();
            return v == 123 && w == 77 ? missing(3) : 0;
        }";
    let report = check("rare.c", rare, &["--property", "assert"]);
    assert_eq!(report.verdict(), Verdict::Unknown);
}

/// Threads with these bodies, created in this order.
fn threads(before: &str, bodies: &[&str]) -> String {
    let functions: String = bodies
        .iter()
        .enumerate()
        .map(|(i, b)| format!("void *f{i}(void *a) {{ {b} return 0; }}\n"))
        .collect();
    let creations: String = (0..bodies.len()).map(|i| format!("pthread_create(&t, 0, f{i}, 0);\n")).collect();
    format!(
        "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdatomic.h>\n{before}\n{functions}
         int main(void) {{ pthread_t t; {creations} return 0; }}"
    )
}

#[test]
fn the_order_in_which_threads_are_created_does_not_change_the_number_of_executions() {
    let retried = "if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m);";
    let twice =
        "pthread_mutex_lock(&m); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);";
    let recursive = "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;";
    let spin = "while (!x);";
    let set = "x = 1; y = 1;";
    for (name, before, bodies) in [
        ("recursive", recursive, [twice, retried, retried]),
        ("spin", "atomic_int x, y;", [spin, set, "while (!y); x = 2;"]),
        (
            "exchange",
            "atomic_int x, y;",
            ["int e = 0; atomic_compare_exchange_strong(&x, &e, 1);", "x = 2;", "y = x;"],
        ),
    ] {
        let mut counts = Vec::new();
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let text = threads(before, &order.map(|i| bodies[i]));
            let file = format!("{name}-{order:?}.c");
            let report = check(&file, &text, &[&STATELESS[..], &["--property", "assert"]].concat());
            assert_eq!(report.verdict(), Verdict::Proved, "{file}");
            let count = |what: &str| report.stats.get(what).map(|value| value.to_string());
            assert_eq!(count("executions-explored-twice").as_deref(), Some("0"), "{file}");
            counts.push(count("executions"));
        }
        assert!(counts.iter().all(|c| c.is_some() && *c == counts[0]), "{name}: {counts:?}");
    }
}

#[test]
fn leaving_a_waiting_loop_counts_as_a_preemption() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>
        atomic_int x;
        void *f(void *a) { x = 1; assert(0); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (!x); pthread_join(t, 0); }";
    assert_eq!(within("left_loop.c", text, "assert", "0").0, Verdict::Bounded);
    assert_eq!(within("left_loop.c", text, "assert", "1").0, Verdict::Violated);
    let by_auto = check("left_loop_auto.c", text, &["--property", "assert", "--preemptions", "0"]);
    assert_eq!(by_auto.verdict(), Verdict::Bounded);
}

#[test]
fn each_place_has_a_trace() {
    let text = "#include <assert.h>\n#include <pthread.h>\nint a, b;
        void *f(void *x) { a = 1; b = 1; return 0; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, f, 0);
            int seen = a;
            assert(seen == 0);
            assert(b == 0);
            pthread_join(t, 0);
        }";
    let all = ["--property", "race", "--property", "assert"];
    for engine in [&STATELESS, &["--engine", "auto"]] {
        let report = check("places.c", text, &[&engine[..], &all].concat());
        let mut lines: Vec<Vec<u32>> = Vec::new();
        for row in &report.rows {
            assert_eq!(row.verdict(), Verdict::Violated);
            let traces = report.trace_of(row).into_iter().chain(report.more_traces_of(row));
            let mut of_row: Vec<u32> = traces
                .map(|trace| {
                    assert_eq!(trace.property, row.property);
                    trace.fault.place.as_ref().unwrap().line
                })
                .collect();
            of_row.sort_unstable();
            lines.push(of_row);
        }
        // Of each pair of accesses the later one is named, whichever that is.
        assert_eq!(lines[1], [9, 10], "{engine:?}");
        assert!(lines[0].len() >= 2, "{engine:?}: {lines:?}");
    }
}

#[test]
fn fewest_preemptions_count_waiting_loops() {
    // One preemption of f is enough; without any, f and e take turns in their loops, which are two.
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>
        atomic_int y, go, gone, end;
        void *f(void *a) { y = 1; y = 0; while (!go); gone = 1; while (!end); y = 1; return 0; }
        void *e(void *a) { go = 1; while (!gone); end = 1; return 0; }
        void *g(void *a) { assert(y != 1); return 0; }
        int main(void) {
            pthread_t t, u, v;
            pthread_create(&t, 0, f, 0);
            pthread_create(&u, 0, e, 0);
            pthread_create(&v, 0, g, 0);
            pthread_join(t, 0);
            pthread_join(u, 0);
            pthread_join(v, 0);
        }";
    for (preemptions, expected) in
        [("0", Verdict::Bounded), ("1", Verdict::Violated), ("2", Verdict::Violated)]
    {
        assert_eq!(within("in_turns.c", text, "assert", preemptions).0, expected, "{preemptions}");
    }
    // A loop that yields last is left for nothing behind its yield.
    let yields = text.replace("while (!go);", "do { sched_yield(); } while (!go);");
    let yields = yields.replace("while (!gone);", "do { sched_yield(); } while (!gone);");
    let yields = yields.replace("while (!end);", "do { sched_yield(); } while (!end);");
    let yields = format!("#include <sched.h>\n{yields}");
    assert_eq!(within("in_turns_that_yield.c", &yields, "assert", "0").0, Verdict::Violated);
}

#[test]
fn names_of_blocks_count_within_a_bound() {
    let text = "#include <assert.h>\n#include <stdlib.h>\nextern _Bool __VERIFIER_nondet_bool(void);
        #include <pthread.h>\n#include <stdatomic.h>
        atomic_int x;
        int *p, *q;
        int *make(void) { return malloc(sizeof(int)); }
        void *f(void *a) { x = 1; return 0; }
        int main(void) {
            pthread_t t;
            p = make(), q = make();
            pthread_create(&t, 0, f, 0);
            if (__VERIFIER_nondet_bool()) { int *r = p; p = q; q = r; }
            assert(p < q);
            x = 2;
        }";
    assert_eq!(within("swapped.c", text, "assert", "0").0, Verdict::Violated);
}

#[test]
fn a_section_with_many_inputs_honours_the_time_limit() {
    let text = "extern unsigned char __VERIFIER_nondet_uchar(void);\n#include <pthread.h>
        void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);
        int x;
        void *f(void *a) {
            __VERIFIER_atomic_begin();
            x = __VERIFIER_nondet_uchar() + __VERIFIER_nondet_uchar() + __VERIFIER_nondet_uchar();
            __VERIFIER_atomic_end();
            return 0;
        }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }";
    let began = std::time::Instant::now();
    let report =
        check("inputs.c", text, &[&STATELESS[..], &["--property", "assert", "--timeout", "1"]].concat());
    assert_eq!(report.verdict(), Verdict::Unknown);
    assert!(began.elapsed().as_secs() < 30, "{:?}", began.elapsed());
}

/// Threads that change nothing of each other, and a deadlock of main and the worker that lasts until somebody else ends it.
#[test]
fn a_deadlock_that_a_third_thread_ends_is_not_disproved() {
    let text = |ends: &str| {
        format!(
            "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>
             pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
             sem_t s;
             pthread_t worker;
             atomic_int own[14];
             void *end(void *a) {{ sem_wait(&s); {ends}; return 0; }}
             void *other(void *a) {{ atomic_int *mine = a; *mine = 1; *mine = 2; return 0; }}
             void *work(void *a) {{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }}
             int main(void) {{
                 pthread_t t;
                 sem_init(&s, 0, 0);
                 pthread_create(&t, 0, end, 0);
                 for (int i = 0; i < 14; i++) pthread_create(&t, 0, other, &own[i]);
                 pthread_mutex_lock(&m);
                 pthread_create(&worker, 0, work, 0);
                 pthread_create(&t, 0, end, 0);
                 sem_post(&s);
                 sem_post(&s);
                 pthread_join(worker, 0);
             }}"
        )
    };
    let ways = [
        ("detached.c", "pthread_detach(worker)"),
        ("unlocked.c", "pthread_mutex_unlock(&m)"),
        ("written.c", "m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER"),
    ];
    for (name, ends) in ways {
        let report = check(name, &text(ends), &[&STATELESS[..], &["--property", "deadlock"]].concat());
        assert!(matches!(report.verdict(), Verdict::Bounded | Verdict::Violated), "{name}");
    }
}

/// Whether there is a thread with a guessed number depends on the order, and touches nothing.
#[test]
fn a_thread_that_may_not_be_there_yet_leaves_nothing_proved() {
    let text = |asks: &str| {
        format!(
            "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <signal.h>
             sem_t s;
             void *last(void *a) {{ return 0; }}
             void *ask(void *a) {{ int error = {asks}; assert(error != 1234); return 0; }}
             void *post(void *a) {{ sem_post(&s); return 0; }}
             int main(void) {{
                 pthread_t t;
                 sem_init(&s, 0, 0);
                 pthread_create(&t, 0, ask, 0);
                 pthread_create(&t, 0, post, 0);
                 sem_wait(&s);
                 pthread_create(&t, 0, last, 0);
             }}"
        )
    };
    let ways = [
        ("join.c", "pthread_join((pthread_t)4, 0)"),
        ("tryjoin.c", "pthread_tryjoin_np((pthread_t)4, 0)"),
        ("detach.c", "pthread_detach((pthread_t)4)"),
        ("kill.c", "pthread_kill((pthread_t)4, 0)"),
    ];
    for (name, asks) in ways {
        let report = check(name, &text(asks), &[&STATELESS[..], &["--property", "assert"]].concat());
        assert_eq!(report.verdict(), Verdict::Bounded, "{name}");
    }
}

/// Whoever finds a block gone could have come before its end.
#[test]
fn an_access_that_finds_a_block_gone_has_another_order() {
    for (name, uses) in [("free.c", "free(p)"), ("read.c", "char v = *p"), ("write.c", "*p = 1")] {
        let before =
            "#include <stdlib.h>\nchar *p; __attribute__((constructor)) void make(void) { p = malloc(2); }";
        let text = threads(before, &["free(p);", &format!("{uses};")]);
        let report = check(name, &text, &[&STATELESS[..], &["--property", "assert"]].concat());
        let count =
            |what: &str| report.stats.get(what).map_or(0, |value| value.to_string().parse().unwrap_or(0));
        assert_eq!(count("executions") + count("blocked-executions"), 2, "{name}");
    }
}
