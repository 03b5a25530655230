//! The statements of the programs, by family.
//!
//! In a statement `$` is a small number, `#` the number of the function, `%e` a result of the library, and `%m`, `%c`,
//! `%s`, `%h` a mutex, a condition variable, a semaphore, a thread, the same one wherever it occurs; `%n` is a second
//! mutex and `%{}` another statement.

/// What the programs of a family use above all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Mutexes,
    TimedWaits,
    Cancellation,
    Allocation,
    Mixed,
}

impl Family {
    pub const ALL: [Family; 5] =
        [Family::Mutexes, Family::TimedWaits, Family::Cancellation, Family::Allocation, Family::Mixed];

    /// Statements that stand in threads.
    pub fn statements(self) -> Vec<&'static str> {
        match self {
            Family::Mutexes => [MUTEXES, RESULTS].concat(),
            Family::TimedWaits => [TIMED, WAKERS, RESULTS].concat(),
            Family::Cancellation => [CANCELLATION, WAITS, WAKERS].concat(),
            Family::Allocation => [ALLOCATION, SHARED].concat(),
            Family::Mixed => {
                [MUTEXES, TIMED, CANCELLATION, WAITS, WAKERS, ALLOCATION, OTHERS, OTHERS, SHARED].concat()
            }
        }
    }

    /// What a result may be compared with.
    pub fn results(self) -> &'static [&'static str] {
        match self {
            Family::Mutexes => &["0", "EBUSY", "EPERM", "EDEADLK", "EOWNERDEAD", "ENOTRECOVERABLE", "EINVAL"],
            Family::TimedWaits => &["0", "0", "ETIMEDOUT", "EBUSY", "EAGAIN", "EINVAL"],
            _ => &["0", "0", "EBUSY", "ETIMEDOUT", "EOWNERDEAD"],
        }
    }
}

const RESULTS: &[&str] = &[
    "r# = e;",
    "r# = e;",
    "if (e == %e) a++;",
    "if (e == %e) x = $;",
    "assert(e != %e);",
    "assert(e == 0 || e == %e);",
];

const MUTEXES: &[&str] = &[
    "e = pthread_mutex_lock(&%m);",
    "e = pthread_mutex_unlock(&%m);",
    "e = pthread_mutex_trylock(&%m);",
    "e = pthread_mutex_lock(&%m); if (e == 0) { x++; pthread_mutex_unlock(&%m); }",
    "if (pthread_mutex_lock(&%m) == 0) { y = x; pthread_mutex_unlock(&%m); }",
    "e = pthread_mutex_trylock(&%m); if (e == 0) { x = $; pthread_mutex_unlock(&%m); }",
    "pthread_mutex_lock(&%m); e = pthread_mutex_lock(&%m); y++; if (e == 0) pthread_mutex_unlock(&%m); \
     pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); e = pthread_mutex_trylock(&%m); if (e == 0) pthread_mutex_unlock(&%m); \
     pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); pthread_mutex_lock(&%n); x = y; pthread_mutex_unlock(&%n); pthread_mutex_unlock(&%m);",
    "e = pthread_mutex_lock(&%m); if (e == EOWNERDEAD) { e = pthread_mutex_consistent(&%m); a++; } \
     pthread_mutex_unlock(&%m);",
    "e = pthread_mutex_lock(&%m); if (e == 0) x = $; if (e != ENOTRECOVERABLE) pthread_mutex_unlock(&%m);",
    "e = pthread_mutex_consistent(&%m);",
    "e = pthread_mutex_lock(&%m); r# = e; return NULL;",
    "e = pthread_mutex_lock(&%m); pthread_exit(NULL);",
    "e = pthread_mutex_trylock(&%m); if (e == EOWNERDEAD) x++;",
    "e = pthread_mutex_destroy(&%m);",
    "pthread_mutex_lock(&%m); if (x == $) pthread_cond_wait(&%c, &%m); pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); x = $; pthread_cond_broadcast(&%c); pthread_mutex_unlock(&%m);",
    "if (a == $) pthread_mutex_unlock(&%m);",
];

const TIMED: &[&str] = &[
    "e = pthread_mutex_timedlock(&%m, &until); if (e == 0) { x++; pthread_mutex_unlock(&%m); }",
    "e = pthread_mutex_timedlock(&%m, &until);",
    "pthread_mutex_lock(&%m); e = 0; while (x == 0 && e == 0) e = pthread_cond_timedwait(&%c, &%m, &until); \
     pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); if (x < 2) e = pthread_cond_timedwait(&%c, &%m, &until); y = x; \
     pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); e = pthread_cond_clockwait(&%c, &%m, CLOCK_MONOTONIC, &until); \
     assert(e != 0 || x > 0); pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); while (x != $) pthread_cond_wait(&%c, &%m); pthread_mutex_unlock(&%m);",
    "e = sem_timedwait(&%s, &until) == 0 ? 0 : errno;",
    "if (sem_timedwait(&%s, &until) == 0) { x++; sem_post(&%s); }",
    "e = sem_trywait(&%s) == 0 ? 0 : errno;",
    "e = pthread_rwlock_timedrdlock(&rw, &until); if (e == 0) { y = x; pthread_rwlock_unlock(&rw); }",
    "e = pthread_rwlock_timedwrlock(&rw, &until); if (e == 0) { x = $; pthread_rwlock_unlock(&rw); }",
    "pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);",
    "e = mtx_timedlock(&q, &until) == thrd_success ? 0 : EBUSY; if (e == 0) { y++; mtx_unlock(&q); }",
    "mtx_lock(&q); e = cnd_timedwait(&k, &q, &until) == thrd_timedout ? ETIMEDOUT : 0; x = e == 0; mtx_unlock(&q);",
    "mtx_lock(&q); y = $; cnd_signal(&k); mtx_unlock(&q);",
    "e = pthread_timedjoin_np(%h, NULL, &until);",
    "e = pthread_tryjoin_np(%h, NULL);",
];

const WAKERS: &[&str] = &[
    "pthread_cond_signal(&%c);",
    "pthread_mutex_lock(&%m); x = $; pthread_cond_signal(&%c); pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); x = 1; pthread_cond_broadcast(&%c); pthread_mutex_unlock(&%m);",
    "pthread_cond_broadcast(&%c);",
    "sem_post(&%s);",
];

const CANCELLATION: &[&str] = &[
    "pthread_testcancel();",
    "sleep(1);",
    "pthread_cancel(%h);",
    "pthread_cancel(%h);",
    "e = pthread_cancel(%h);",
    "pthread_cancel(pthread_self());",
    "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);",
    "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);",
    "pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);",
    "pthread_setspecific(key, &x);",
    "pthread_cleanup_push(note, NULL); %{} pthread_cleanup_pop(0);",
    "pthread_cleanup_push(count, NULL); %{} pthread_cleanup_pop(1);",
    "pthread_mutex_lock(&%m); pthread_cleanup_push(unlock, &%m); %{} pthread_cleanup_pop(1);",
    "pthread_mutex_lock(&%m); pthread_cleanup_push(unlock, &%m); pthread_cond_wait(&%c, &%m); x++; \
     pthread_cleanup_pop(1);",
    "pthread_mutex_lock(&%m); pthread_cleanup_push(unlock, &%m); while (x == 0) pthread_cond_wait(&%c, &%m); \
     pthread_cleanup_pop(1);",
    "pthread_cleanup_push(post, &%s); sem_wait(&%s); pthread_cleanup_pop(0);",
    "pthread_join(%h, &v#); assert(v# != PTHREAD_CANCELED);",
    "pthread_join(%h, &v#); if (v# == PTHREAD_CANCELED) a++;",
    "pthread_exit((void *)1);",
    "x = $;",
    "a = $;",
];

const WAITS: &[&str] = &[
    "pthread_mutex_lock(&%m); pthread_cond_wait(&%c, &%m); pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); x = $; pthread_mutex_unlock(&%m);",
    "sem_wait(&%s);",
    "sem_wait(&%s); y++; sem_post(&%s);",
    "pthread_mutex_lock(&%m); sem_wait(&%s); pthread_mutex_unlock(&%m);",
];

const ALLOCATION: &[&str] = &[
    "p# = malloc(4); if (p#) *p# = $;",
    "p# = malloc(4); *p# = $;",
    "{ int *b = malloc(4); if (b) { *b = a; a = *b; free(b); } }",
    "{ int *b = malloc(8); b[1] = $; free(b); }",
    "{ int *b = calloc(2, 4); if (b) { assert(b[1] == 0); b[1] = 1; free(b); } }",
    "{ int *b = realloc(p#, 8); if (b) { p# = b; b[1] = $; } }",
    "p# = realloc(p#, 16);",
    "free(p#); p# = NULL;",
    "if (p#) { assert(*p# != $); }",
    "free(p#);",
    "{ int *b = aligned_alloc(16, 16); if (!b) { if (errno == ENOMEM) a++; } else free(b); }",
    "pthread_mutex_lock(&%m); if (!g) g = malloc(4); if (g) *g = $; pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); free(g); g = NULL; pthread_mutex_unlock(&%m);",
    "pthread_mutex_lock(&%m); if (g) { y = *g; *g = y + 1; } pthread_mutex_unlock(&%m);",
    "{ int *b = malloc(4); if (b) { *b = $; b = atomic_exchange(&ap, b); free(b); } }",
    "{ int *b = atomic_exchange(&ap, NULL); if (b) { a = *b; free(b); } }",
    "{ int *b = atomic_load(&ap); if (b) a = *b; }",
    "{ int *o = atomic_load(&ap), *b = calloc(1, 4); if (b && !atomic_compare_exchange_strong(&ap, &o, b)) free(b); }",
    "{ int *o = atomic_load(&ap); if (o && atomic_compare_exchange_strong(&ap, &o, NULL)) { *o = $; free(o); } }",
    "{ int *o = p#, *b = malloc(4); if (b && b == o) a = $; free(b); }",
    "{ char *b = malloc($); if (b) b[0] = 1; free(b); }",
];

const SHARED: &[&str] = &["x++;", "a++;", "if (a == $) x = $;", "assert(a != $);", "assert(y < 3);"];

const OTHERS: &[&str] = &[
    "atomic_store_explicit(&a, $, memory_order_release);",
    "if (atomic_load_explicit(&a, memory_order_acquire) == $) y = x;",
    "atomic_fetch_add_explicit(&a, 1, memory_order_relaxed);",
    "e = atomic_exchange_explicit(&a, $, memory_order_acq_rel);",
    "{ int o = $; if (!atomic_compare_exchange_weak(&a, &o, 2)) y = o; }",
    "{ int o = $; atomic_compare_exchange_strong_explicit(&a, &o, 3, memory_order_acq_rel, memory_order_relaxed); }",
    "atomic_thread_fence(memory_order_seq_cst);",
    "atomic_store(&wide, ((struct wide){$, $}));",
    "{ struct wide w = atomic_load(&wide); assert(w.low == w.high || w.low < 3); }",
    "{ struct wide w = {0, 0}; if (atomic_compare_exchange_strong(&wide, &w, ((struct wide){1, 2}))) a++; }",
    "{ struct wide w = atomic_exchange_explicit(&wide, ((struct wide){3, 3}), memory_order_acq_rel); a = w.low; }",
    "pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw);",
    "pthread_rwlock_rdlock(&rw); a = x; pthread_rwlock_unlock(&rw);",
    "pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);",
    "e = pthread_rwlock_trywrlock(&rw); if (e == 0) { x = $; pthread_rwlock_unlock(&rw); }",
    "if (pthread_barrier_wait(&bar) == PTHREAD_BARRIER_SERIAL_THREAD) y++;",
    "pthread_once(&once, init);",
    "pthread_once(&once, init); a = x;",
    "pthread_spin_lock(&spin); y++; pthread_spin_unlock(&spin);",
    "while (a == $) a = 2;",
];

/// Statements of `main` after the last join.
pub const CHECKS: &[&str] = &[
    "assert(r0 == %e || r1 == %e);",
    "assert(r0 != %e);",
    "assert(!(r0 == %e && r1 == %e));",
    "assert(x != $);",
    "assert(x < 3);",
    "assert(a < 3);",
    "assert(a != $);",
    "assert(v0 != PTHREAD_CANCELED || a > 0);",
    "assert(v0 == v1);",
    "free(p0);",
    "free(g);",
    "e = pthread_mutex_destroy(&%m); assert(e == 0);",
    "e = pthread_mutex_trylock(&%m); assert(e == %e);",
    "y = $;",
];
