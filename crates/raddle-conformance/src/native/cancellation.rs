//! Programs of cancellation: cleanup handlers, cancellation points of every kind, waits that are cancelled.

use super::draft::Draft;
use crate::Random;

const HANDLERS: &str = "static sem_t tokens;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nstatic int shared;\nstatic atomic_int done;\n\
    static void first_handler(void *log) { struct notes *me = log; NOTE(101); NOTE(done++); }\n\
    static void second_handler(void *log) { struct notes *me = log; NOTE(102); }\n\
    static void unlocking(void *log) { struct notes *me = log; NOTE(shared++); NOTE(pthread_mutex_unlock(&m)); }\n\
    static void *brief(void *argument) { return argument; }\n\
    extern void _pthread_cleanup_push(struct _pthread_cleanup_buffer *, void (*)(void *), void *);\n\
    extern void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *, int);\n";

/// A call at which a request may be acted on.
fn point(random: &mut Random) -> String {
    let calls = [
        "pthread_testcancel();",
        "pthread_testcancel();",
        "{ struct timespec t = {0, 1000}; NOTE(nanosleep(&t, 0)); }",
        "{ struct timespec t = {0, 1000}; NOTE(clock_nanosleep(CLOCK_MONOTONIC, 0, &t, 0)); }",
        "NOTE(usleep(1));",
        "NOTE(sleep(0));",
        "NOTE(poll(0, 0, 0));",
        "{ struct timeval t = {0, 1}; NOTE(select(0, 0, 0, 0, &t)); }",
        "NOTE(sem_wait(&tokens));",
        "NOTE_ERRNO(sem_timedwait(&tokens, until(CLOCK_REALTIME)));",
        "NOTE(sem_trywait(&tokens) == 0);",
        "{ pthread_t t; NOTE(pthread_create(&t, 0, brief, 0)); NOTE(pthread_join(t, 0)); }",
        "NOTE(write(1, \"\", 0));",
        "{ struct timespec t = {0, 1000}; NOTE(thrd_sleep(&t, 0)); }",
        "NOTE(printf(\"a\\n\"));",
        "NOTE(sched_yield());",
        "NOTE(pthread_mutex_lock(&m)); shared++; NOTE(pthread_mutex_unlock(&m));",
    ];
    random.pick(&calls).to_string()
}

fn with_handler(random: &mut Random, inside: &str) -> String {
    let handler = random.pick(&["first_handler", "second_handler"]);
    let run = random.below(2);
    match random.below(3) {
        0 => format!(
            "{{ struct _pthread_cleanup_buffer b; _pthread_cleanup_push(&b, {handler}, me); {inside} DELAY(); _pthread_cleanup_pop(&b, {run}); }}"
        ),
        _ => format!("pthread_cleanup_push({handler}, me); {inside} DELAY(); pthread_cleanup_pop({run});"),
    }
}

pub fn cancelled_threads(random: &mut Random) -> Draft {
    let mut draft = Draft {
        globals: HANDLERS.into(),
        setup: vec!["NOTE(sem_init(&tokens, 0, 8));".into()],
        ..Draft::default()
    };
    // A request to a thread whose type is asynchronous is unsupported: only a thread that no other cancels has it.
    let both = random.one_in(2);
    for thread in 0..2 {
        let mut body = Vec::new();
        for k in 0..1 + random.below(3) {
            let inside = point(random);
            body.push(match random.below(6) {
                0..=2 => {
                    let inner = if random.one_in(3) { with_handler(random, &inside) } else { inside };
                    with_handler(random, &inner)
                }
                3 => format!(
                    "{{ int old = -1; NOTE(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old)); NOTE(old); {inside} \
                     NOTE(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old)); NOTE(old); }}"
                ),
                4 => format!(
                    "{{ int old = -1; NOTE(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old)); NOTE(old); \
                     NOTE(pthread_setcanceltype(5, 0)); NOTE(pthread_setcancelstate(7, 0)); {inside} }}"
                ),
                _ => inside,
            });
            body.push(format!("NOTE({});", 50 + k));
        }
        match random.below(5) {
            0 => {
                let exit = format!("pthread_exit((void *){});", 60 + thread);
                body.push(with_handler(random, &exit));
            }
            1 => body.push(with_handler(
                random,
                "NOTE(pthread_cancel(pthread_self())); NOTE(70); pthread_testcancel(); NOTE(71);",
            )),
            2 if thread == 1 && !both => body.push(with_handler(
                random,
                // Not by pthread_setcancelstate with a request pending: there glibc 2.36 leaves the thread's result
                // null, where POSIX has PTHREAD_CANCELED.
                "NOTE(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0)); NOTE(72); \
                 NOTE(pthread_cancel(pthread_self())); NOTE(73);",
            )),
            _ => {}
        }
        draft.bodies.push(body);
    }
    draft.main.push("NOTE(pthread_cancel(thread_0));".into());
    if both {
        draft.main.push("NOTE(pthread_cancel(thread_1));".into());
    }
    draft.joins = Some(results(2));
    draft.teardown.push("NOTE(shared); NOTE(done);".into());
    draft
}

/// The results of all threads.
fn results(threads: usize) -> Vec<String> {
    (0..threads)
        .map(|i| {
            format!(
                "{{ void *result = 0; NOTE(pthread_join(thread_{i}, &result)); NOTE(result == PTHREAD_CANCELED ? -1 : (intptr_t)result); }}"
            )
        })
        .collect()
}

/// Threads that wait for a condition or a semaphore, and are cancelled while another thread wakes them.
pub fn cancelled_waits(random: &mut Random) -> Draft {
    let mut draft = Draft {
        globals: HANDLERS.into(),
        setup: vec!["NOTE(sem_init(&tokens, 0, 0));".into()],
        ..Draft::default()
    };
    let wait = match random.below(4) {
        0 => "NOTE(sem_wait(&tokens));",
        1 => "NOTE(pthread_cond_timedwait(&c, &m, until(CLOCK_REALTIME)));",
        _ => "while (shared == 0) pthread_cond_wait(&c, &m);",
    };
    let on_condition = wait.contains("cond");
    let waiter = if on_condition {
        format!(
            "NOTE(pthread_mutex_lock(&m)); pthread_cleanup_push(unlocking, me); {wait} NOTE(80); pthread_cleanup_pop(1);"
        )
    } else {
        format!("pthread_cleanup_push(first_handler, me); {wait} NOTE(81); pthread_cleanup_pop(0);")
    };
    let waker = if on_condition {
        "NOTE(pthread_mutex_lock(&m)); NOTE(shared); shared += 10; NOTE(pthread_cond_broadcast(&c)); DELAY(); NOTE(pthread_mutex_unlock(&m));"
    } else {
        "NOTE(sem_post(&tokens));"
    };
    draft.bodies.push(vec![waiter.clone()]);
    draft.bodies.push(vec![waker.into()]);
    if random.one_in(2) {
        draft.bodies.push(vec![waiter]);
        draft.main.push("NOTE(sem_post(&tokens));".into());
    }
    draft.main.push("NOTE(pthread_cancel(thread_0));".into());
    draft.joins = Some(results(draft.bodies.len()));
    draft.teardown.push("{ int v; NOTE(sem_getvalue(&tokens, &v)); NOTE(v); NOTE(shared); }".into());
    draft
}
