//! Programs that wait: condition variables (also those of C11), barriers, semaphores with and without names.
//!
//! Untimed waits end: what ends them happens on every schedule. Timed ones may end by their time at any moment.

use super::draft::Draft;
use crate::Random;

const ROBUST: &str = "{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); \
                      NOTE(pthread_mutex_init(&m, &a)); pthread_mutexattr_destroy(&a); }";

fn timed_wait(random: &mut Random, monotonic: bool) -> &'static str {
    match random.below(3) {
        0 if monotonic => "pthread_cond_timedwait(&c, &m, until(CLOCK_MONOTONIC))",
        0 => "pthread_cond_timedwait(&c, &m, until(CLOCK_REALTIME))",
        1 => "pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, until(CLOCK_MONOTONIC))",
        _ => "pthread_cond_clockwait(&c, &m, CLOCK_REALTIME, until(CLOCK_REALTIME))",
    }
}

pub fn conditions(random: &mut Random) -> Draft {
    let monotonic = random.one_in(3);
    let robust = random.one_in(4);
    let mut draft = Draft {
        globals: "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n\
                  static int flag, waiting, turns;\n"
            .into(),
        ..Draft::default()
    };
    if robust {
        draft.setup.push(ROBUST.into());
    }
    if monotonic {
        draft.setup.push(
            "{ pthread_condattr_t a; NOTE(pthread_condattr_init(&a)); NOTE(pthread_condattr_setclock(&a, CLOCK_MONOTONIC)); \
             NOTE(pthread_cond_init(&c, &a)); NOTE(pthread_condattr_destroy(&a)); }"
                .into(),
        );
    }
    let waiters = 1 + random.below(2);
    for _ in 0..waiters {
        let timed = timed_wait(random, monotonic);
        let wait = match random.below(6) {
            // Without a loop: a wake-up and a time-out are distinguished by what is noted.
            0 | 1 => format!("int r = {timed}; NOTE(r);"),
            2 => format!("int r = 0; while (!flag && r == 0) r = {timed}; NOTE(r);"),
            3 => format!("int r = 0; if (!flag) r = {timed}; NOTE(r); NOTE(turns++);"),
            // Ends, since the last thread sets the flag and wakes all.
            _ => "int r = 0; while (!flag && r == 0) r = pthread_cond_wait(&c, &m); NOTE(r);".to_string(),
        };
        let body = if robust {
            format!(
                "{{ int q = pthread_mutex_lock(&m); NOTE(q); if (q == EOWNERDEAD) NOTE(pthread_mutex_consistent(&m)); \
                 if (q == 0 || q == EOWNERDEAD) {{ waiting++; {wait} NOTE(flag); NOTE(waiting); \
                 if (r == EOWNERDEAD) NOTE(pthread_mutex_consistent(&m)); NOTE(pthread_mutex_unlock(&m)); }} }}"
            )
        } else {
            format!(
                "NOTE(pthread_mutex_lock(&m)); waiting++; DELAY(); {{ {wait} }} NOTE(flag); NOTE(waiting); waiting--; NOTE(pthread_mutex_unlock(&m));"
            )
        };
        draft.bodies.push(vec![body]);
    }
    // Signals under the mutex or after it; the flag only when there is a waiter, or always.
    let mut body = Vec::new();
    for _ in 0..random.below(2) {
        let condition = random.pick(&["if (waiting)", ""]);
        let wake = random.pick(&["pthread_cond_signal", "pthread_cond_broadcast"]);
        let set = random.pick(&["flag = 1;", "turns++;"]);
        body.push(match random.below(3) {
            0 => format!("NOTE({wake}(&c));"),
            _ if robust => format!("NOTE({wake}(&c));"),
            1 => format!("NOTE(pthread_mutex_lock(&m)); {condition} {{ {set} NOTE({wake}(&c)); }} NOTE(waiting); NOTE(pthread_mutex_unlock(&m));"),
            _ => format!("NOTE(pthread_mutex_lock(&m)); {condition} {{ {set} }} NOTE(waiting); NOTE(pthread_mutex_unlock(&m)); DELAY(); NOTE({wake}(&c));"),
        });
    }
    if robust {
        // Ends with the mutex held, after it has woken all.
        body.push("{ int q = pthread_mutex_lock(&m); NOTE(q); if (q == 0) { flag = 1; NOTE(pthread_cond_broadcast(&c)); } }".into());
    } else {
        body.push("NOTE(pthread_mutex_lock(&m)); flag = 2; NOTE(pthread_cond_broadcast(&c)); DELAY(); NOTE(pthread_mutex_unlock(&m));".into());
        draft.teardown.push("NOTE(pthread_cond_destroy(&c)); NOTE(pthread_mutex_destroy(&m));".into());
    }
    draft.bodies.push(body);
    draft
}

pub fn c11_conditions(random: &mut Random) -> Draft {
    let mut draft = Draft {
        globals: "static mtx_t m;\nstatic cnd_t c;\nstatic int flag, waiting;\n".into(),
        setup: vec!["NOTE(mtx_init(&m, mtx_timed)); NOTE(cnd_init(&c));".into()],
        teardown: vec!["cnd_destroy(&c); mtx_destroy(&m);".into()],
        c11: true,
        ..Draft::default()
    };
    for _ in 0..1 + random.below(2) {
        let wait = match random.below(3) {
            0 => "int r = cnd_timedwait(&c, &m, until(CLOCK_REALTIME)); NOTE(r);",
            1 => {
                "int r = 0; while (!flag && r == thrd_success) r = cnd_timedwait(&c, &m, until(CLOCK_REALTIME)); NOTE(r);"
            }
            _ => "int r = 0; while (!flag) r = cnd_wait(&c, &m); NOTE(r);",
        };
        draft.bodies.push(vec![format!(
            "NOTE(mtx_lock(&m)); waiting++; {{ {wait} }} NOTE(flag); NOTE(waiting); NOTE(mtx_unlock(&m));"
        )]);
    }
    let first = match random.below(3) {
        0 => "NOTE(cnd_signal(&c));",
        1 => "NOTE(mtx_lock(&m)); if (waiting) { flag = 1; NOTE(cnd_signal(&c)); } NOTE(mtx_unlock(&m));",
        _ => {
            "{ int r = mtx_timedlock(&m, until(CLOCK_REALTIME)); NOTE(r); if (!r) { waiting = 5; NOTE(mtx_unlock(&m)); } }"
        }
    };
    draft.bodies.push(vec![
        first.into(),
        "NOTE(mtx_lock(&m)); flag = 2; NOTE(cnd_broadcast(&c)); NOTE(mtx_unlock(&m));".into(),
    ]);
    draft
}

pub fn barriers(random: &mut Random) -> Draft {
    let threads = 2 + random.below(2);
    let mut draft = Draft {
        globals: "static pthread_barrier_t b;\nstatic int slots[3];\nstatic atomic_int arrived;\n".into(),
        setup: vec![format!(
            "NOTE(pthread_barrier_init(&b, 0, 0)); NOTE(pthread_barrier_init(&b, 0, {threads}));"
        )],
        teardown: vec!["NOTE(pthread_barrier_destroy(&b));".into()],
        ..Draft::default()
    };
    let rounds = 1 + random.below(2);
    for thread in 0..threads {
        let mut body = Vec::new();
        for round in 0..rounds {
            // Before the barrier a thread writes its own slot; after it, it reads its neighbour's. In the next round
            // the slots are written again only after another barrier.
            body.push(format!("slots[{thread}] = {}; NOTE(arrived++);", 10 * (round + 1) + thread));
            body.push("NOTE(pthread_barrier_wait(&b));".into());
            body.push(format!("NOTE(slots[{}]);", (thread + 1) % threads));
            if round + 1 < rounds {
                body.push("NOTE(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);".into());
            }
        }
        draft.bodies.push(body);
    }
    draft
}

pub fn semaphores(random: &mut Random) -> Draft {
    let named = random.one_in(2);
    let initial = random.below(2);
    let mut waits = 0;
    let mut draft = Draft {
        globals: "static sem_t unnamed, *s = &unnamed;\nstatic atomic_int passed;\n".into(),
        ..Draft::default()
    };
    if named {
        draft.setup.push(format!(
            "s = sem_open(NAME(\"a\"), O_CREAT | O_EXCL, 0600, {initial}); NOTE(s != SEM_FAILED); \
             errno = 0; NOTE(sem_open(NAME(\"a\"), O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED); NOTE(errno); \
             errno = 0; NOTE(sem_open(NAME(\"none\"), 0) == SEM_FAILED); NOTE(errno);"
        ));
    } else {
        draft.setup.push(format!(
            "NOTE_ERRNO(sem_init(s, 0, (unsigned)INT_MAX + 1)); NOTE(sem_init(s, 0, {initial}));"
        ));
    }
    let threads = 2 + random.below(2);
    let mut takers = 0;
    for thread in 0..threads {
        let mut body = Vec::new();
        for _ in 0..1 + random.below(if thread == 0 { 2 } else { 1 }) {
            let kind = random.below(7);
            waits += (kind < 2) as usize;
            takers += (2..5).contains(&kind) as usize;
            body.push(match kind {
                0 | 1 => "NOTE(sem_wait(s)); NOTE(passed++);".into(),
                2 => "NOTE_ERRNO(sem_trywait(s));".into(),
                3 => "NOTE_ERRNO(sem_timedwait(s, until(CLOCK_REALTIME)));".into(),
                4 => "NOTE_ERRNO(sem_clockwait(s, CLOCK_MONOTONIC, until(CLOCK_MONOTONIC)));".into(),
                5 => "{ int v = -1; NOTE(sem_getvalue(s, &v)); NOTE(v); }".into(),
                _ => "NOTE(sem_post(s));".to_string(),
            });
        }
        if random.one_in(6) {
            takers += 1;
            body.push(
                "{ struct timespec none = {5, 1000000000}; NOTE_ERRNO(sem_timedwait(s, &none)); }".into(),
            );
        }
        if named && thread == 0 {
            body.push(
                "{ sem_t *again = sem_open(NAME(\"a\"), O_CREAT, 0600, 9); NOTE(again == s); NOTE(sem_close(again)); }".into(),
            );
        }
        if named && thread < 2 && random.one_in(2) {
            body.push("NOTE_ERRNO(sem_unlink(NAME(\"b\"))); { sem_t *b = sem_open(NAME(\"b\"), O_CREAT, 0600, 2); NOTE(b != SEM_FAILED); NOTE(sem_post(b)); int v = -1; sem_getvalue(b, &v); NOTE(v); NOTE_ERRNO(sem_unlink(NAME(\"b\"))); NOTE(sem_close(b)); }".into());
        }
        draft.bodies.push(body);
    }
    // Enough posts for every untimed wait, also when the others take some.
    for _ in initial..waits + takers {
        draft.main.push("NOTE(sem_post(s));".into());
    }
    draft.teardown.push("{ int v = -1; NOTE(sem_getvalue(s, &v)); NOTE(v); }".into());
    draft.teardown.push(match named {
        true => {
            "NOTE(sem_close(s)); NOTE(sem_unlink(NAME(\"a\"))); NOTE_ERRNO(sem_unlink(NAME(\"a\")));".into()
        }
        false => "NOTE(sem_destroy(s)); NOTE(sem_init(s, 0, INT_MAX)); NOTE_ERRNO(sem_post(s));".to_string(),
    });
    draft
}
