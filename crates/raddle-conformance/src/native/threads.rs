//! Programs about threads as such: joining in every way, detaching, once routines, keys and their destructors.

use super::draft::Draft;
use crate::Random;

/// How a thread is waited for: after a call that may give up, one that does not.
fn waited_for(random: &mut Random, thread: usize) -> String {
    let end = format!("if (r) NOTE(pthread_join(thread_{thread}, &result)); NOTE((intptr_t)result);");
    let first = match random.below(6) {
        0 => format!("pthread_tryjoin_np(thread_{thread}, &result)"),
        1 => format!("pthread_timedjoin_np(thread_{thread}, &result, until(CLOCK_REALTIME))"),
        2 => {
            format!("pthread_clockjoin_np(thread_{thread}, &result, CLOCK_MONOTONIC, until(CLOCK_MONOTONIC))")
        }
        3 => format!("pthread_timedjoin_np(thread_{thread}, &result, 0)"),
        4 => format!("pthread_clockjoin_np(thread_{thread}, &result, CLOCK_REALTIME, 0)"),
        _ => {
            return format!(
                "{{ void *result = 0; NOTE(pthread_join(thread_{thread}, &result)); NOTE((intptr_t)result); }}"
            );
        }
    };
    format!("{{ void *result = 0; int r = {first}; NOTE(r); {end} }}")
}

fn left(random: &mut Random, thread: usize) -> String {
    match random.below(3) {
        0 => format!("pthread_exit((void *){});", 30 + thread),
        1 => format!("return (void *){};", 20 + thread),
        _ => format!("leave_with({});", 10 + thread),
    }
}

pub fn joins(random: &mut Random) -> Draft {
    let mut draft = Draft {
        globals: "static atomic_int steps;\nstatic sem_t done, given;\n\
                  static void leave_with(long result) { DELAY(); pthread_exit((void *)result); }\n\
                  static void *inner(void *argument) { *(int *)argument += steps++; return argument; }\n"
            .into(),
        setup: vec!["sem_init(&done, 0, 0); sem_init(&given, 0, 0);".into()],
        ..Draft::default()
    };
    let style = random.below(4);
    let threads = 2 + random.below(2);
    // At most four threads beside main: the interleavings of more are too many.
    let parent = random.below(threads + 1);
    for thread in 0..threads {
        let mut body = vec!["NOTE(steps++);".to_string()];
        // A thread of its own.
        if thread == parent {
            let wait = match random.below(3) {
                0 => "pthread_join(t, &result)",
                1 => "pthread_timedjoin_np(t, &result, 0)",
                _ => "pthread_clockjoin_np(t, &result, CLOCK_MONOTONIC, 0)",
            };
            body.push(format!(
                "{{ int number = 5; pthread_t t; void *result = 0; NOTE(pthread_create(&t, 0, inner, &number)); DELAY(); \
                 NOTE(pthread_equal(t, pthread_self())); NOTE({wait}); NOTE(result == &number); NOTE(number); }}"
            ));
        }
        if random.one_in(3) {
            body.push("NOTE(pthread_join(pthread_self(), 0));".into());
        }
        draft.bodies.push(body);
    }
    let mut joins = Vec::new();
    for thread in 0..threads {
        if style == thread {
            // Detached: main learns of its end by a semaphore; nothing is noted afterwards.
            let by_itself = random.one_in(2);
            if by_itself {
                draft.bodies[thread].push("NOTE(pthread_detach(pthread_self()));".into());
            }
            draft.bodies[thread].push("sem_post(&done);".into());
            if !by_itself {
                joins.push(format!("NOTE(pthread_detach(thread_{thread}));"));
            }
            joins.push("NOTE(sem_wait(&done));".into());
        } else {
            let end = left(random, thread);
            draft.bodies[thread].push(end);
            joins.push(waited_for(random, thread));
        }
    }
    if random.one_in(3) {
        draft.main.push("NOTE(pthread_kill(thread_0, 0));".into());
    }
    if threads == 2 && random.one_in(2) {
        draft.main.push(
            "{ pthread_attr_t a; pthread_t t; pthread_attr_init(&a); NOTE(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED)); \
             NOTE(pthread_create(&t, &a, detached_body, 0)); NOTE(pthread_attr_destroy(&a)); NOTE(sem_wait(&given)); }"
                .into(),
        );
        draft.globals +=
            "static void *detached_body(void *argument) { steps += 10; sem_post(&given); return 0; }\n";
    }
    draft.main.push("NOTE(steps++);".into());
    draft.joins = Some(joins);
    draft
}

pub fn once(random: &mut Random) -> Draft {
    let c11 = random.one_in(2);
    let (kind, initial, call) = match c11 {
        true => ("once_flag", "ONCE_FLAG_INIT", "call_once(&gate, routine);"),
        false => ("pthread_once_t", "PTHREAD_ONCE_INIT", "NOTE(pthread_once(&gate, routine));"),
    };
    let cancelled = !c11 && random.one_in(2);
    let point = if cancelled { "pthread_testcancel(); DELAY(); pthread_testcancel();" } else { "DELAY();" };
    let mut draft = Draft {
        globals: format!(
            "static {kind} gate = {initial};\nstatic int made;\nstatic atomic_int runs, before;\n\
             static void routine(void) {{ runs++; DELAY(); {point} made += 7; }}\n"
        ),
        ..Draft::default()
    };
    for _ in 0..2 + random.below(2) {
        let mut body = Vec::new();
        if random.one_in(2) {
            body.push("NOTE(before++);".into());
        }
        body.push(format!("{call} NOTE(made);"));
        if random.one_in(2) {
            body.push(format!("{call} NOTE(runs);"));
        }
        draft.bodies.push(body);
    }
    if cancelled {
        draft.main.push("NOTE(pthread_cancel(thread_0));".into());
        let results = (0..draft.bodies.len()).map(|i| {
            format!("{{ void *result; NOTE(pthread_join(thread_{i}, &result)); NOTE(result == PTHREAD_CANCELED); }}")
        });
        draft.joins = Some(results.collect());
    }
    draft.teardown.push("NOTE(runs);".into());
    if !cancelled {
        draft.teardown.push("NOTE(made);".into());
    }
    draft
}

pub fn keys(random: &mut Random) -> Draft {
    let c11 = random.one_in(3);
    // The names of the functions, the same in both.
    let names: &[(&str, &str)] = match c11 {
        true => &[("KEY", "tss_t"), ("CREATE", "tss_create"), ("GET", "tss_get"), ("SET", "tss_set")],
        false => &[
            ("KEY", "pthread_key_t"),
            ("CREATE", "pthread_key_create"),
            ("GET", "pthread_getspecific"),
            ("SET", "pthread_setspecific"),
        ],
    };
    let named = |text: &str| {
        let mut text = text.to_string();
        for (name, value) in names {
            text = text.replace(name, value);
        }
        text
    };
    let delete = |key: &str| match c11 {
        true => format!("tss_delete({key});"),
        false => format!("NOTE(pthread_key_delete({key}));"),
    };
    let again = random.below(3);
    let mut draft = Draft {
        globals: named(&format!(
            "static KEY first, second, third;\nstatic atomic_int destroyed;\n\
             static void on_end(void *value) {{ struct notes *me = value; NOTE(200 + destroyed++); NOTE(GET(first) == 0); }}\n\
             static void on_end_again(void *value) {{ struct notes *me = value; NOTE(300); if (me->count < 12 + {again}) NOTE(SET(second, me)); }}\n"
        )),
        setup: vec![named(
            "NOTE(CREATE(&first, on_end)); NOTE(CREATE(&second, on_end_again)); NOTE(CREATE(&third, 0));",
        )],
        c11,
        ..Draft::default()
    };
    for _ in 0..2 + random.below(2) {
        let mut body = Vec::new();
        for _ in 0..1 + random.below(3) {
            body.push(match random.below(7) {
                0 | 1 => named("NOTE(SET(first, me)); DELAY(); NOTE(GET(first) == me);"),
                2 => named("NOTE(SET(second, me)); NOTE(GET(second) == me);"),
                3 => named("NOTE(GET(first) != 0); NOTE(SET(third, me)); NOTE(GET(third) == me);"),
                4 => named("NOTE(SET(first, 0)); NOTE(GET(first) == 0);"),
                5 => {
                    let delete = delete("mine");
                    named(&format!(
                        "{{ KEY mine; NOTE(CREATE(&mine, on_end)); NOTE(GET(mine) == 0); NOTE(SET(mine, me)); NOTE(GET(mine) == me); {delete} }}"
                    ))
                }
                _ if c11 => "thrd_exit(3);".into(),
                _ => "pthread_exit(0);".to_string(),
            });
        }
        draft.bodies.push(body);
    }
    draft.main.push(named("NOTE(GET(first) == 0); NOTE(SET(first, me));"));
    draft.teardown.push(named("NOTE(GET(first) == me); NOTE(destroyed);"));
    draft.teardown.push(delete("second"));
    draft
}
