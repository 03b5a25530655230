/* POSIX condition variables.
 *
 * A wait is two sections. The first gives the mutex up and enters the set of waiters. The second takes the mutex again:
 * after a wake-up, or together with a spurious one. A timed wait, and any wait in a program that cancels threads, has
 * one more between them, which ends the wait whether or not the mutex is free: a waiter whose time is up, or that
 * is cancelled, consumes no later signal. A waiter that a signal took out of the set never touches the condition
 * variable again, so destroying it after a broadcast is right, as POSIX says. Taking a robust mutex whose owner died
 * gives EOWNERDEAD here, too.
 *
 * A condition variable adds no happens-before edge: its mutex has it. A signal wakes any one waiter (a choice).
 *
 * Faults (`locks`), and what happens afterwards: 1. indeterminate bytes: it becomes one without waiters; 2. use after
 * destroy: EINVAL, but wake-ups still work; 3. a wait without holding the mutex: EPERM if the mutex is checked, else
 * the wait releases the mutex for the thread that holds it; 4. waits at the same time with different mutexes: it goes
 * on; 5. destroying one that has waiters: they stay.
 * Deviations: a timed wait may time out at any time. Not a fault: signalling without holding the mutex.
 */
#include "model.h"

/* Part of a section. */
static int usable(struct raddle_cond *cond) {
    raddle_used(cond, sizeof *cond);
    if (!__raddle_is_determinate(cond, sizeof *cond)) {
        __raddle_fault(RADDLE_LOCKS, "use of a condition variable that was not initialised", cond);
        *cond = (struct raddle_cond){0};
    } else if (cond->state == RADDLE_DESTROYED) {
        __raddle_fault(RADDLE_LOCKS, "use of a condition variable that was destroyed", cond);
        return 0;
    }
    return 1;
}

/* Part of a section: takes one out of the set. */
static void leave(struct raddle_cond *cond, int thread) {
    raddle_waiters_remove(&cond->first, thread);
    if (!cond->first) cond->mutex = 0;
}

/* Part of a section: the same by a waker. */
static void wake(struct raddle_cond *cond, int thread, int last) {
    leave(cond, thread);
    if (last && __raddle_has_event(RADDLE_CANCEL)) ((struct raddle_thread *)__raddle_tcb(thread))->waiting = RADDLE_WOKEN_LAST;
}

int raddle_cond_init(struct raddle_cond *cond) {
    __raddle_begin();
    raddle_made(cond, sizeof *cond);
    *cond = (struct raddle_cond){0};
    __raddle_end();
    return 0;
}

int raddle_cond_destroy(struct raddle_cond *cond) {
    int error = 0;
    __raddle_begin();
    if (!usable(cond)) {
        error = EINVAL;
    } else {
        if (cond->first) __raddle_fault(RADDLE_LOCKS, "destroying a condition variable that has waiters", cond);
        cond->state = RADDLE_DESTROYED;
    }
    __raddle_end();
    return error;
}

enum { WOKEN = 0, SPURIOUS, TIMED_OUT, CANCELLED };

/* The end of a wait that may be ended by time or cancellation, apart from taking the mutex again: others may have the
 * mutex, change the predicate and signal in between. */
static int end_of_wait(struct raddle_cond *cond, int how) {
    int end = WOKEN;
    __raddle_begin();
    struct raddle_thread *thread = raddle_current();
    if (thread->waiting != RADDLE_IN_SET) {
        /* Woken, then cancelled before it ran: POSIX leaves open which of the two counts, unless another thread could
         * have had the signal. */
        if (thread->waiting == RADDLE_WOKEN_LAST && raddle_cancel_due(thread) && __raddle_choose(2)) end = CANCELLED;
    } else if (raddle_cancel_due(thread)) {
        end = CANCELLED;
        leave(cond, __raddle_self());
    } else if (how == RADDLE_WAITS_UNTIL) {
        __raddle_pause(RADDLE_WAIT_COND, cond, 0, RADDLE_TIMEOUT);
        end = __raddle_setting(RADDLE_SETTING_SPURIOUS_WAKEUPS) && __raddle_choose(2) ? SPURIOUS : TIMED_OUT;
        leave(cond, __raddle_self());
    } else {
        __raddle_pause(RADDLE_WAIT_COND, cond, 0, RADDLE_SPURIOUS);
        end = SPURIOUS;
        leave(cond, __raddle_self());
    }
    __raddle_end();
    return end;
}

RADDLE_RETAKES("1 like raddle_mutex_lock 0")
int raddle_cond_wait(struct raddle_cond *cond, struct raddle_mutex *mutex, int how) {
    int self = __raddle_self();
    struct raddle_thread *thread = raddle_current();

    __raddle_begin();
    if (raddle_cancel_due(thread)) {
        __raddle_end();
        raddle_cancelled();
    }
    if (!usable(cond) || !raddle_mutex_usable(mutex)) {
        __raddle_end();
        return EINVAL;
    }
    if (mutex->owner != self) {
        __raddle_fault(RADDLE_LOCKS, "wait on a condition variable without holding the mutex", mutex);
        int type = mutex->kind & RADDLE_MUTEX_TYPE;
        if (type == RADDLE_MUTEX_ERRORCHECK || type == RADDLE_MUTEX_RECURSIVE) {
            __raddle_end();
            return EPERM;
        }
    }
    if (cond->first && cond->mutex != mutex)
        __raddle_fault(RADDLE_LOCKS, "waits on one condition variable with different mutexes", cond);
    __raddle_event(RADDLE_WAIT, cond);
    cond->mutex = mutex;
    raddle_waiters_add(&cond->first);
    raddle_mutex_await(mutex, 1);
    if (mutex->owner) raddle_mutex_give(mutex);
    __raddle_end();

    int end = WOKEN;
    if (how == RADDLE_WAITS_UNTIL || __raddle_has_event(RADDLE_CANCEL)) end = end_of_wait(cond, how);
    __raddle_begin();
    if (thread->waiting == RADDLE_IN_SET) {
        /* Nothing that happens between leaving the set and taking the mutex makes a difference: one step. */
        if (!raddle_mutex_free_for(mutex, self)) __raddle_block(RADDLE_WAIT_COND, cond, 0);
        __raddle_pause(RADDLE_WAIT_COND, cond, 0, RADDLE_SPURIOUS);
        leave(cond, self);
    } else {
        if (!raddle_mutex_free_for(mutex, self)) __raddle_block(RADDLE_WAIT_MUTEX, mutex, mutex->owner);
        if (end == WOKEN) __raddle_event(RADDLE_WAKE, cond);
        if (thread->waiting) thread->waiting = 0;
    }
    raddle_mutex_await(mutex, -1);
    int error = raddle_mutex_take(mutex);
    __raddle_end();
    if (end == CANCELLED) raddle_cancelled();
    return error ? error : end == TIMED_OUT ? ETIMEDOUT : 0;
}

int raddle_cond_signal(struct raddle_cond *cond) {
    __raddle_begin();
    int good = usable(cond);
    __raddle_event(RADDLE_SIGNAL, cond);
    int count = raddle_waiters_count(cond->first);
    if (count) wake(cond, raddle_waiters_at(cond->first, (int)__raddle_choose(count)), count == 1);
    __raddle_end();
    return good ? 0 : EINVAL;
}

int raddle_cond_broadcast(struct raddle_cond *cond) {
    __raddle_begin();
    int good = usable(cond);
    __raddle_event(RADDLE_BROADCAST, cond);
    while (cond->first) wake(cond, cond->first, 1);
    __raddle_end();
    return good ? 0 : EINVAL;
}

/* pthread_cond_init: attributes have no effect */
RADDLE_ORDERED("0 1 35 130")
int pthread_cond_init(struct raddle_cond *cond, const int *attributes) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    return raddle_cond_init(cond);
}

/* pthread_cond_destroy: with waiters a locks fault */
RADDLE_ORDERED("0 1 35 130")
int pthread_cond_destroy(struct raddle_cond *cond) { return raddle_cond_destroy(cond); }

/* pthread_cond_wait: may wake spuriously; without the mutex a locks fault; a cancellation point */
RADDLE_ORDERED("0 1 35 130") RADDLE_WAITS_WITH("1") RADDLE_LOCK_KIND("mutex")
int pthread_cond_wait(struct raddle_cond *cond, struct raddle_mutex *mutex) {
    return raddle_cond_wait(cond, mutex, RADDLE_WAITS);
}

/* pthread_cond_timedwait: may time out at any time; otherwise as pthread_cond_wait */
RADDLE_ORDERED("0 1 130 110") RADDLE_WAITS_WITH("1") RADDLE_LOCK_KIND("mutex")
int pthread_cond_timedwait(struct raddle_cond *cond, struct raddle_mutex *mutex, const struct raddle_timespec *until) {
    if (!raddle_time_is_valid(until)) return EINVAL;
    raddle_moment end = raddle_moment_of(until);
    return raddle_timed(raddle_cond_wait(cond, mutex, RADDLE_WAITS_UNTIL), end);
}

/* pthread_cond_clockwait: as pthread_cond_timedwait; the clock does not matter */
RADDLE_ORDERED("0 1 130 110") RADDLE_WAITS_WITH("1") RADDLE_LOCK_KIND("mutex")
int pthread_cond_clockwait(struct raddle_cond *cond, struct raddle_mutex *mutex, int clock,
                           const struct raddle_timespec *until) {
    if (!raddle_clock_is_valid(clock) || !raddle_time_is_valid(until)) return EINVAL;
    raddle_moment end = raddle_moment_of(until);
    return raddle_timed(raddle_cond_wait(cond, mutex, RADDLE_WAITS_UNTIL), end);
}

/* pthread_cond_signal: wakes any one waiter (a choice) */
RADDLE_ORDERED("with spurious wake-ups 0")
int pthread_cond_signal(struct raddle_cond *cond) { return raddle_cond_signal(cond); }

/* pthread_cond_broadcast: wakes all waiters */
RADDLE_ORDERED("with spurious wake-ups 0")
int pthread_cond_broadcast(struct raddle_cond *cond) { return raddle_cond_broadcast(cond); }

/* pthread_condattr_init: the defaults */
int pthread_condattr_init(int *attributes) { *attributes = 0; return 0; }

/* pthread_condattr_destroy: no effect */
int pthread_condattr_destroy(int *attributes) { return 0; }

/* pthread_condattr_setpshared: kept, without effect: there is one process */
int pthread_condattr_setpshared(int *attributes, int shared) {
    if (shared != 0 && shared != 1) return EINVAL;
    *attributes = (*attributes & ~1) | shared;
    return 0;
}

/* pthread_condattr_getpshared: what was set */
int pthread_condattr_getpshared(const int *attributes, int *shared) { *shared = *attributes & 1; return 0; }

/* pthread_condattr_setclock: kept, without effect: a timed wait may time out at any time */
int pthread_condattr_setclock(int *attributes, int clock) {
    if (clock != 0 && clock != 1) return EINVAL;
    *attributes = (*attributes & 1) | clock << 1;
    return 0;
}

/* pthread_condattr_getclock: what was set */
int pthread_condattr_getclock(const int *attributes, int *clock) { *clock = *attributes >> 1; return 0; }
