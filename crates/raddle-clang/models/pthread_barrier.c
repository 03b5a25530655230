/* POSIX barriers, in the user's own bytes.
 *
 * Arrivals enter a set of waiters; the last one takes all of them out, so a thread that is slow to leave never meets
 * those of the next round. Rounds use two channels in turn: what is done before the barrier happens before what is
 * done after it, and a fast thread's arrival at the next round adds nothing to those that still leave this one.
 * The serial thread is any of the round (a choice of the last arrival).
 *
 * Faults (`locks`), and what happens afterwards: 1. use of a barrier that was not initialised or was destroyed: EINVAL;
 * 2. destroying or initialising one at which threads wait: EBUSY. Not a cancellation point, as POSIX says.
 */
#include "model.h"

struct barrier {
    unsigned count;                 /* how many it takes; 0: not initialised */
    int first;                      /* the set of waiters */
    int round;                      /* 0 or 1 */
    int state;
};

static int usable(struct barrier *barrier) {
    if (!__raddle_is_determinate(barrier, sizeof *barrier) ||
        (barrier->count == 0 && barrier->state != RADDLE_DESTROYED)) {
        __raddle_fault(RADDLE_LOCKS, "use of a barrier that was not initialised", barrier);
        return 0;
    }
    if (barrier->state == RADDLE_DESTROYED) {
        __raddle_fault(RADDLE_LOCKS, "use of a barrier that was destroyed", barrier);
        return 0;
    }
    return 1;
}

/* pthread_barrier_init: a count of 0 is EINVAL */
RADDLE_ORDERED("0 1 35 130")
int pthread_barrier_init(struct barrier *barrier, const void *attributes, unsigned count) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    if (count == 0) return EINVAL;
    int error = 0;
    __raddle_begin();
    if (__raddle_is_determinate(barrier, sizeof *barrier) && barrier->count && barrier->first) {
        __raddle_fault(RADDLE_LOCKS, "initialising a barrier at which threads wait", barrier);
        error = EBUSY;
    } else {
        raddle_made(barrier, sizeof *barrier);
        *barrier = (struct barrier){0};
        barrier->count = count;
    }
    __raddle_end();
    return error;
}

/* pthread_barrier_destroy: with waiting threads a locks fault */
RADDLE_ORDERED("0 1 35 130")
int pthread_barrier_destroy(struct barrier *barrier) {
    int error = 0;
    __raddle_begin();
    if (!usable(barrier)) {
        error = EINVAL;
    } else if (barrier->first) {
        __raddle_fault(RADDLE_LOCKS, "destroying a barrier at which threads wait", barrier);
        error = EBUSY;
    } else {
        *barrier = (struct barrier){0};
        barrier->state = RADDLE_DESTROYED;
    }
    __raddle_end();
    return error;
}

/* pthread_barrier_wait: the serial thread is any of the round (a choice) */
RADDLE_ORDERED("0 -1")
int pthread_barrier_wait(struct barrier *barrier) {
    struct raddle_thread *thread = raddle_current();
    int serial;
    __raddle_begin();
    if (!usable(barrier)) {
        __raddle_end();
        return EINVAL;
    }
    int round = barrier->round;
    __raddle_event(RADDLE_BARRIER, barrier);
    raddle_used(barrier, sizeof *barrier);
    __raddle_release(barrier, round);
    int waiting = raddle_waiters_count(barrier->first);
    if ((unsigned)waiting + 1 < barrier->count) {
        raddle_waiters_add(&barrier->first);
        __raddle_end();
        __raddle_begin();
        if (thread->waiting) __raddle_block(RADDLE_WAIT_BARRIER, barrier, 0);
        serial = thread->serial;
        thread->serial = 0;
    } else {
        int chosen = (int)__raddle_choose(barrier->count);
        serial = chosen == waiting;
        for (int i = 0; i < waiting; i++) {
            int other = barrier->first;
            ((struct raddle_thread *)__raddle_tcb(other))->serial = i == chosen;
            raddle_waiters_remove(&barrier->first, other);
        }
        barrier->round = !round;
    }
    __raddle_acquire(barrier, round);
    __raddle_end();
    return serial ? -1 : 0;
}

/* pthread_barrierattr_init: the defaults */
int pthread_barrierattr_init(int *attributes) { *attributes = 0; return 0; }

/* pthread_barrierattr_destroy: no effect */
int pthread_barrierattr_destroy(int *attributes) { return 0; }

/* pthread_barrierattr_setpshared: kept, without effect: there is one process */
int pthread_barrierattr_setpshared(int *attributes, int shared) {
    if (shared != 0 && shared != 1) return EINVAL;
    *attributes = shared;
    return 0;
}

/* pthread_barrierattr_getpshared: what was set */
int pthread_barrierattr_getpshared(const int *attributes, int *shared) { *shared = *attributes; return 0; }
