/* C11 <threads.h>, over the same cores as POSIX threads; a thrd_t is the thread's number.
 *
 * Faults and deviations are those of pthread_thread.c, pthread_mutex.c, pthread_cond.c and pthread_key.c. A plain or
 * timed mtx_t is a normal mutex. Constants are those of glibc.
 */
#include "model.h"

enum { SUCCESS = 0, BUSY = 1, ERROR = 2, NO_MEMORY = 3, TIMED_OUT = 4 };

static int result_of(int error) {
    switch (error) {
    case 0: return SUCCESS;
    case EBUSY: return BUSY;
    case ENOMEM: return NO_MEMORY;
    case ETIMEDOUT: return TIMED_OUT;
    default: return ERROR;
    }
}

/* thrd_create: starts a thread; never fails; the id is stored before the thread begins */
RADDLE_ORDERED("always") RADDLE_CREATES
int thrd_create(unsigned long *id, int (*start)(void *), void *argument) {
    raddle_thread_create((void *)start, argument, 0, id);
    return SUCCESS;
}

/* thrd_join: waits for the end of a thread */
RADDLE_ORDERED("0") RADDLE_JOINS
int thrd_join(unsigned long thread, int *result) {
    void *value;
    int error = raddle_thread_join(thread, &value, RADDLE_WAITS);
    if (!error && result) *result = (int)(intptr_t)value;
    return result_of(error);
}

/* thrd_detach: the thread will not be joined */
RADDLE_ORDERED("0")
int thrd_detach(unsigned long thread) { return result_of(raddle_thread_detach(thread)); }

/* thrd_exit: destructors of keys, then the thread ends */
_Noreturn void thrd_exit(int result) { raddle_thread_unwind((void *)(intptr_t)result); }

/* thrd_current: the thread's number */
unsigned long thrd_current(void) { return (unsigned long)__raddle_self(); }

/* thrd_equal: compares two ids */
int thrd_equal(unsigned long left, unsigned long right) { return left == right; }

/* thrd_yield: a step that touches nothing */
void thrd_yield(void) { __raddle_yield(); }

/* thrd_sleep: a yield; never interrupted */
RADDLE_ORDERED("always")
int thrd_sleep(const struct raddle_timespec *duration, struct raddle_timespec *remaining) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    if (!raddle_time_is_valid(duration) || duration->seconds < 0) return -2;
    raddle_moment end = raddle_moment_after(duration);
    __raddle_yield();
    raddle_cancellation_point();
    raddle_time_is(end);
    return 0;
}

/* mtx_init: plain, timed, recursive */
RADDLE_ORDERED("0") RADDLE_MAKES("0") RADDLE_LOCK_KIND("mutex")
int mtx_init(struct raddle_mutex *mutex, int type) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    if (type < 0 || type > 3) return ERROR;
    int kind = type & 1 ? RADDLE_MUTEX_RECURSIVE : RADDLE_MUTEX_NORMAL;
    return result_of(raddle_mutex_init(mutex, type & 2 ? kind : kind | RADDLE_MUTEX_UNTIMED));
}

/* mtx_destroy: destroying a held mutex is a locks fault */
RADDLE_ORDERED("always") RADDLE_UNMAKES("0") RADDLE_LOCK_KIND("mutex")
void mtx_destroy(struct raddle_mutex *mutex) { raddle_mutex_destroy(mutex); }

/* mtx_lock: relocking a plain mutex is a locks fault and blocks for ever */
RADDLE_ORDERED("0") RADDLE_TAKES("0 nested on 0 refused 2") RADDLE_LOCK_KIND("mutex")
int mtx_lock(struct raddle_mutex *mutex) { return result_of(raddle_mutex_lock(mutex, RADDLE_WAITS)); }

/* mtx_trylock: fails only if the mutex is held (ISO C would allow more) */
RADDLE_ORDERED("0") RADDLE_TAKES("0 nested on 0 not 1 refused 2") RADDLE_LOCK_KIND("mutex")
int mtx_trylock(struct raddle_mutex *mutex) { return result_of(raddle_mutex_lock(mutex, RADDLE_TRIES)); }

/* mtx_timedlock: may time out whenever the mutex is held; of a mutex without mtx_timed a locks fault */
RADDLE_ORDERED("0") RADDLE_TAKES("0 nested on 0 not 2 4") RADDLE_LOCK_KIND("mutex")
int mtx_timedlock(struct raddle_mutex *mutex, const struct raddle_timespec *until) {
    raddle_mutex_expect_timed(mutex);
    int how = raddle_time_is_valid(until) ? RADDLE_WAITS_UNTIL : RADDLE_REFUSES;
    raddle_moment end = raddle_moment_of(until);
    return result_of(raddle_timed(raddle_mutex_lock(mutex, how), end));
}

/* mtx_unlock: by another thread a locks fault */
RADDLE_ORDERED("0") RADDLE_GIVES("0") RADDLE_LOCK_KIND("mutex")
int mtx_unlock(struct raddle_mutex *mutex) { return result_of(raddle_mutex_unlock(mutex)); }

/* cnd_init: no waiters */
RADDLE_ORDERED("0")
int cnd_init(struct raddle_cond *cond) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    return result_of(raddle_cond_init(cond));
}

/* cnd_destroy: with waiters a locks fault */
RADDLE_ORDERED("always")
void cnd_destroy(struct raddle_cond *cond) { raddle_cond_destroy(cond); }

/* cnd_wait: may wake spuriously; without the mutex a locks fault */
RADDLE_ORDERED("0") RADDLE_WAITS_WITH("1") RADDLE_LOCK_KIND("mutex")
int cnd_wait(struct raddle_cond *cond, struct raddle_mutex *mutex) {
    return result_of(raddle_cond_wait(cond, mutex, RADDLE_WAITS));
}

/* cnd_timedwait: may time out at any time */
RADDLE_ORDERED("0 4") RADDLE_WAITS_WITH("1") RADDLE_LOCK_KIND("mutex")
int cnd_timedwait(struct raddle_cond *cond, struct raddle_mutex *mutex, const struct raddle_timespec *until) {
    if (!raddle_time_is_valid(until)) return ERROR;
    raddle_moment end = raddle_moment_of(until);
    return result_of(raddle_timed(raddle_cond_wait(cond, mutex, RADDLE_WAITS_UNTIL), end));
}

/* cnd_signal: wakes any one waiter (a choice) */
RADDLE_ORDERED("with spurious wake-ups 0")
int cnd_signal(struct raddle_cond *cond) { return result_of(raddle_cond_signal(cond)); }

/* cnd_broadcast: wakes all waiters */
RADDLE_ORDERED("with spurious wake-ups 0")
int cnd_broadcast(struct raddle_cond *cond) { return result_of(raddle_cond_broadcast(cond)); }

/* tss_create: a new key */
int tss_create(unsigned *key, void (*destructor)(void *)) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    return result_of(raddle_key_create(key, destructor));
}

/* tss_delete: the key ends; no destructor runs */
RADDLE_ORDERED("always")
void tss_delete(unsigned key) { raddle_key_delete(key); }

/* tss_get: this thread's value */
RADDLE_ORDERED("always")
void *tss_get(unsigned key) { return raddle_key_get(key); }

/* tss_set: sets this thread's value */
RADDLE_ORDERED("0")
int tss_set(unsigned key, void *value) { return result_of(raddle_key_set(key, value)); }

/* call_once: the routine runs once; the others wait for its end */
RADDLE_ORDERED("always")
void call_once(int *once, void (*routine)(void)) { raddle_once(once, routine); }
