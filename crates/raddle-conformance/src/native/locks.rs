//! Programs of locks: mutexes of every kind, robust ones whose owners end, read-write locks, spin locks, those of C11.
//!
//! A thread's operations are sections: an acquiring call of some kind, whose result is noted, and only when it was
//! granted an update of the shared counter and the release. Misuse with a defined result (relocking or unlocking an
//! error-checking mutex) is part of it; misuse without one is not.

use super::draft::Draft;
use crate::Random;

/// The shared counter is read and written: both under the lock.
const UPDATE: &str = "{ int seen = shared; DELAY(); shared = seen + 1; NOTE(seen); }";

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Normal,
    Adaptive,
    ErrorCheck,
    Recursive,
}

impl Kind {
    fn constant(self) -> &'static str {
        match self {
            Kind::Normal => "PTHREAD_MUTEX_NORMAL",
            Kind::Adaptive => "PTHREAD_MUTEX_ADAPTIVE_NP",
            Kind::ErrorCheck => "PTHREAD_MUTEX_ERRORCHECK",
            Kind::Recursive => "PTHREAD_MUTEX_RECURSIVE",
        }
    }
    fn any(random: &mut Random) -> Kind {
        *random.pick(&[Kind::Normal, Kind::Adaptive, Kind::ErrorCheck, Kind::Recursive])
    }
}

/// A call that acquires a mutex or gives up.
fn acquiring(random: &mut Random, mutex: &str) -> String {
    match random.below(6) {
        0 | 1 => format!("pthread_mutex_lock(&{mutex})"),
        2 => format!("pthread_mutex_trylock(&{mutex})"),
        3 => format!("pthread_mutex_timedlock(&{mutex}, until(CLOCK_REALTIME))"),
        4 => format!("pthread_mutex_clocklock(&{mutex}, CLOCK_MONOTONIC, until(CLOCK_MONOTONIC))"),
        _ => format!("pthread_mutex_clocklock(&{mutex}, CLOCK_REALTIME, until(CLOCK_REALTIME))"),
    }
}

/// What the owner may call on its own mutex, with the result that its kind gives.
fn by_its_owner(random: &mut Random, kind: Kind, mutex: &str) -> String {
    match (kind, random.below(4)) {
        (Kind::Recursive, 0) => {
            format!("NOTE(pthread_mutex_lock(&{mutex})); {UPDATE} NOTE(pthread_mutex_unlock(&{mutex}));")
        }
        (Kind::Recursive, 1) => {
            format!(
                "NOTE(pthread_mutex_trylock(&{mutex})); DELAY(); NOTE(pthread_mutex_unlock(&{mutex})); {UPDATE}"
            )
        }
        (Kind::Recursive, _) => format!(
            "NOTE(pthread_mutex_timedlock(&{mutex}, until(CLOCK_REALTIME))); NOTE(pthread_mutex_unlock(&{mutex}));"
        ),
        (Kind::ErrorCheck, 0) => format!("NOTE(pthread_mutex_lock(&{mutex}));"),
        (Kind::ErrorCheck, 1) => format!("NOTE(pthread_mutex_timedlock(&{mutex}, until(CLOCK_REALTIME)));"),
        (Kind::Normal, 0) => format!("NOTE(pthread_mutex_timedlock(&{mutex}, until(CLOCK_REALTIME)));"),
        (Kind::Normal, 1) => UPDATE.to_string(),
        _ => format!("NOTE(pthread_mutex_trylock(&{mutex}));"),
    }
}

/// A section: acquire, update, release. `inner` is executed with the mutex held.
fn section(acquire: &str, release: &str, inner: &str) -> String {
    format!("{{ int r = {acquire}; NOTE(r); if (r == 0) {{ {UPDATE} DELAY(); {inner} NOTE({release}); }} }}")
}

/// A mutex of this kind, made with attributes; the results are noted.
fn made(name: &str, kind: Kind, robust: bool) -> String {
    let robust = if robust { "NOTE(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST));" } else { "" };
    format!(
        "{{ pthread_mutexattr_t a; NOTE(pthread_mutexattr_init(&a)); NOTE(pthread_mutexattr_settype(&a, {})); {robust} \
         NOTE(pthread_mutex_init(&{name}, &a)); NOTE(pthread_mutexattr_destroy(&a)); }}",
        kind.constant()
    )
}

pub fn mutexes(random: &mut Random) -> Draft {
    let kind = Kind::any(random);
    let mut draft = Draft {
        globals: "static pthread_mutex_t m, second = PTHREAD_MUTEX_INITIALIZER;\nstatic int shared, other;\n\
                  static const struct timespec no_time = {0, 1000000000};\n"
            .to_string(),
        setup: vec![made("m", kind, false)],
        teardown: vec![
            "NOTE(pthread_mutex_destroy(&m));".into(),
            "NOTE(pthread_mutex_destroy(&second));".into(),
        ],
        ..Draft::default()
    };
    for thread in 0..2 + random.below(2) {
        let mut body = Vec::new();
        let sections = if thread == 2 { 1 } else { 1 + random.below(2) };
        for _ in 0..sections {
            let inner = match random.below(6) {
                0 | 1 => by_its_owner(random, kind, "m"),
                // In one order only: m before the second.
                2 => format!(
                    "{{ int q = {}; NOTE(q); if (q == 0) {{ other++; NOTE(other); NOTE(pthread_mutex_unlock(&second)); }} }}",
                    acquiring(random, "second")
                ),
                _ => String::new(),
            };
            let acquire = acquiring(random, "m");
            body.push(section(&acquire, "pthread_mutex_unlock(&m)", &inner));
        }
        if matches!(kind, Kind::ErrorCheck | Kind::Recursive) && random.one_in(3) {
            body.push("NOTE(pthread_mutex_unlock(&m));".into());
        }
        if random.one_in(6) {
            body.push(
                "{ int r = pthread_mutex_timedlock(&m, &no_time); NOTE(r); if (!r) NOTE(pthread_mutex_unlock(&m)); }".into(),
            );
        }
        // The other order by trying only.
        if random.one_in(4) {
            body.push(
                "NOTE(pthread_mutex_lock(&second)); { int r = pthread_mutex_trylock(&m); NOTE(r); \
                 if (!r) { other--; NOTE(pthread_mutex_unlock(&m)); } } NOTE(pthread_mutex_unlock(&second));"
                    .into(),
            );
        }
        draft.bodies.push(body);
    }
    draft
}

/// Threads that end while they hold a robust mutex; the next ones make it consistent, or do not.
pub fn robust_mutexes(random: &mut Random) -> Draft {
    let kind = *random.pick(&[Kind::Normal, Kind::ErrorCheck, Kind::Recursive]);
    let mut draft = Draft {
        globals: "static pthread_mutex_t m;\nstatic int shared;\n".into(),
        setup: vec![made("m", kind, true)],
        ..Draft::default()
    };
    // A mutex that was not made consistent is not recoverable. There glibc's trylock (2.36) gives ENOTRECOVERABLE and
    // keeps the lock, so that a later lock has EOWNERDEAD: not what POSIX says, and not compared.
    let recovered = random.one_in(2);
    let threads = 2 + random.below(2);
    for thread in 0..threads {
        let mut body = Vec::new();
        for _ in 0..1 + random.below(2) {
            body.push(robust_section(random, kind, recovered));
        }
        if random.one_in(4) {
            body.push("NOTE(pthread_mutex_unlock(&m));".into());
        }
        if random.one_in(5) {
            body.push("NOTE(pthread_mutex_consistent(&m));".into());
        }
        // Ends with the mutex held.
        if thread == 0 || random.one_in(3) {
            let acquire = acquiring_robust(random, recovered);
            body.push(format!("{{ int r = {acquire}; NOTE(r); }}"));
        }
        draft.bodies.push(body);
    }
    draft.teardown.push(robust_section(random, kind, recovered));
    draft.teardown.push(robust_section(random, kind, recovered));
    draft
}

fn acquiring_robust(random: &mut Random, recovered: bool) -> String {
    loop {
        let call = acquiring(random, "m");
        if recovered || !call.contains("trylock") {
            return call;
        }
    }
}

fn robust_section(random: &mut Random, kind: Kind, recovered: bool) -> String {
    let acquire = acquiring_robust(random, recovered);
    let consistent =
        if recovered || random.one_in(2) { "NOTE(pthread_mutex_consistent(&m));" } else { "DELAY();" };
    let inner = if random.one_in(4) && kind != Kind::Normal {
        by_its_owner(random, kind, "m")
    } else {
        String::new()
    };
    format!(
        "{{ int r = {acquire}; NOTE(r); if (r == EOWNERDEAD) {{ {consistent} }} if (r == 0 || r == EOWNERDEAD) \
         {{ {UPDATE} {inner} NOTE(pthread_mutex_unlock(&m)); }} }}"
    )
}

pub fn read_write_locks(random: &mut Random) -> Draft {
    let kind = random.below(4);
    let mut draft = Draft {
        globals: "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nstatic int shared;\n".into(),
        teardown: vec!["NOTE(pthread_rwlock_destroy(&l));".into()],
        ..Draft::default()
    };
    if kind > 0 {
        let kind = [
            "",
            "PTHREAD_RWLOCK_PREFER_READER_NP",
            "PTHREAD_RWLOCK_PREFER_WRITER_NP",
            "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP",
        ][kind];
        draft.setup.push(format!(
            "{{ pthread_rwlockattr_t a; pthread_rwlockattr_init(&a); NOTE(pthread_rwlockattr_setkind_np(&a, {kind})); \
             NOTE(pthread_rwlock_init(&l, &a)); pthread_rwlockattr_destroy(&a); }}"
        ));
    }
    let recursive = kind != 3;
    for thread in 0..2 + random.below(2) {
        let mut body = Vec::new();
        let sections = if thread == 2 { 1 } else { 1 + random.below(2) };
        for _ in 0..sections {
            if random.one_in(2) {
                let inner = match random.below(4) {
                    0 => "NOTE(pthread_rwlock_tryrdlock(&l));",
                    1 => "NOTE(pthread_rwlock_trywrlock(&l));",
                    _ => "",
                };
                body.push(section(writing(random), "pthread_rwlock_unlock(&l)", inner));
            } else {
                let again = if recursive { reading(random) } else { "pthread_rwlock_tryrdlock(&l)" };
                let inner = match random.below(4) {
                    0 => format!(
                        "{{ int q = {again}; NOTE(q); DELAY(); if (!q) NOTE(pthread_rwlock_unlock(&l)); }}"
                    ),
                    1 => "NOTE(pthread_rwlock_trywrlock(&l));".to_string(),
                    2 => "NOTE(pthread_rwlock_timedwrlock(&l, until(CLOCK_REALTIME)));".to_string(),
                    _ => String::new(),
                };
                body.push(format!(
                    "{{ int r = {}; NOTE(r); if (!r) {{ NOTE(shared); DELAY(); {inner} NOTE(shared); NOTE(pthread_rwlock_unlock(&l)); }} }}",
                    reading(random)
                ));
            }
        }
        if random.one_in(6) {
            body.push("{ struct timespec none = {0, -1}; int r = pthread_rwlock_timedrdlock(&l, &none); NOTE(r); if (!r) pthread_rwlock_unlock(&l); }".into());
        }
        draft.bodies.push(body);
    }
    draft
}

fn writing(random: &mut Random) -> &'static str {
    let calls = [
        "pthread_rwlock_wrlock(&l)",
        "pthread_rwlock_wrlock(&l)",
        "pthread_rwlock_trywrlock(&l)",
        "pthread_rwlock_timedwrlock(&l, until(CLOCK_REALTIME))",
        "pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, until(CLOCK_MONOTONIC))",
    ];
    let call: &&str = random.pick(&calls);
    call
}

fn reading(random: &mut Random) -> &'static str {
    let calls = [
        "pthread_rwlock_rdlock(&l)",
        "pthread_rwlock_rdlock(&l)",
        "pthread_rwlock_tryrdlock(&l)",
        "pthread_rwlock_timedrdlock(&l, until(CLOCK_REALTIME))",
        "pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, until(CLOCK_MONOTONIC))",
    ];
    let call: &&str = random.pick(&calls);
    call
}

pub fn spin_locks(random: &mut Random) -> Draft {
    let mut draft = Draft {
        globals: "static pthread_spinlock_t s;\nstatic int shared;\n".into(),
        setup: vec!["NOTE(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE));".into()],
        teardown: vec!["NOTE(pthread_spin_destroy(&s));".into()],
        ..Draft::default()
    };
    for _ in 0..2 + random.below(2) {
        let mut body = Vec::new();
        for _ in 0..1 + random.below(3) {
            let acquire = *random.pick(&["pthread_spin_lock(&s)", "pthread_spin_trylock(&s)"]);
            let inner = if random.one_in(3) { "NOTE(pthread_spin_trylock(&s));" } else { "" };
            body.push(section(acquire, "pthread_spin_unlock(&s)", inner));
        }
        draft.bodies.push(body);
    }
    draft
}

pub fn c11_mutexes(random: &mut Random) -> Draft {
    let timed = random.one_in(2);
    let recursive = random.one_in(2);
    let kind = format!(
        "{}{}",
        if timed { "mtx_timed" } else { "mtx_plain" },
        if recursive { " | mtx_recursive" } else { "" }
    );
    let mut draft = Draft {
        globals: "static mtx_t m;\nstatic int shared;\nstatic atomic_int steps;\n\
                  static int detached(void *argument) { steps++; return 0; }\n"
            .into(),
        setup: vec![format!("NOTE(mtx_init(&m, {kind}));")],
        teardown: vec!["mtx_destroy(&m);".into()],
        c11: true,
        ..Draft::default()
    };
    for thread in 0..2 + random.below(2) {
        let mut body = Vec::new();
        for _ in 0..1 + random.below(2) {
            let acquire = match random.below(3) {
                0 if timed => "mtx_timedlock(&m, until(CLOCK_REALTIME))",
                1 => "mtx_trylock(&m)",
                _ => "mtx_lock(&m)",
            };
            let inner = match random.below(3) {
                0 if recursive => "NOTE(mtx_lock(&m)); DELAY(); NOTE(mtx_unlock(&m));",
                1 if recursive => "NOTE(mtx_trylock(&m)); DELAY(); NOTE(mtx_unlock(&m));",
                0 => "NOTE(mtx_trylock(&m));",
                _ => "thrd_yield();",
            };
            body.push(section(acquire, "mtx_unlock(&m)", inner));
        }
        body.push(match random.below(3) {
            0 => format!("thrd_exit({});", 40 + thread),
            1 => format!("return {};", 50 + thread),
            _ => "NOTE(thrd_equal(thrd_current(), thrd_current()) != 0);".into(),
        });
        draft.bodies.push(body);
    }
    if random.one_in(2) {
        draft.main.push(
            "{ thrd_t t; NOTE(thrd_create(&t, detached, 0)); NOTE(thrd_detach(t)); NOTE(steps); }".into(),
        );
    }
    let ends = (0..draft.bodies.len())
        .map(|i| format!("{{ int result = -1; NOTE(thrd_join(thread_{i}, &result)); NOTE(result); }}"));
    draft.joins = Some(ends.collect());
    draft
}
