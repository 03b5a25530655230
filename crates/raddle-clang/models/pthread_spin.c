/* POSIX spin locks, in the user's own four bytes: the owner's number, 0 when free. Waiting is blocking, not spinning.
 *
 * Faults (`locks`), and what happens afterwards: 1. indeterminate bytes: it becomes a free lock; 2. use after destroy:
 * EINVAL; 3. unlock of one that is free or another thread's: it is free; 4. lock by its owner: blocks for ever;
 * 5. destroying or initialising a held one: EBUSY.
 * Deviation: all-zero bytes are a free lock even without pthread_spin_init.
 */
#include "model.h"

enum { DESTROYED = -1 };

static int usable(int *lock) {
    if (!__raddle_is_determinate(lock, sizeof *lock)) {
        __raddle_fault(RADDLE_LOCKS, "use of a spin lock that was not initialised", lock);
        *lock = 0;
    } else if (*lock == DESTROYED) {
        __raddle_fault(RADDLE_LOCKS, "use of a spin lock that was destroyed", lock);
        return 0;
    }
    return 1;
}

static int lock_it(int *lock, int how) {
    __raddle_begin();
    if (!usable(lock)) {
        __raddle_end();
        return EINVAL;
    }
    if (*lock == __raddle_self() && how == RADDLE_WAITS) {
        __raddle_fault(RADDLE_LOCKS, "relock of a spin lock that this thread already holds", lock);
        /* The fault is reported once; the wait is a section of its own. */
        __raddle_end();
        __raddle_begin();
    }
    if (*lock) {
        if (how == RADDLE_WAITS) __raddle_block(RADDLE_WAIT_SPIN, lock, *lock);
        __raddle_end();
        return EBUSY;
    }
    *lock = __raddle_self();
    __raddle_acquire(lock, 0);
    raddle_used(lock, sizeof *lock);
    __raddle_event(RADDLE_LOCK, lock);
    __raddle_end();
    return 0;
}

/* pthread_spin_init: initialising a held one is a locks fault */
RADDLE_ORDERED("0 1 35 130") RADDLE_MAKES("0") RADDLE_LOCK_KIND("spin")
int pthread_spin_init(int *lock, int shared) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    int error = 0;
    __raddle_begin();
    if (__raddle_held(lock)) {
        __raddle_fault(RADDLE_LOCKS, "initialising a spin lock that is held", lock);
        error = EBUSY;
    } else {
        raddle_made(lock, sizeof *lock);
        *lock = 0;
    }
    __raddle_end();
    return error;
}

/* pthread_spin_destroy: destroying a held one is a locks fault */
RADDLE_ORDERED("0 1 35 130") RADDLE_UNMAKES("0") RADDLE_LOCK_KIND("spin")
int pthread_spin_destroy(int *lock) {
    int error = 0;
    __raddle_begin();
    if (!usable(lock)) {
        error = EINVAL;
    } else if (*lock) {
        __raddle_fault(RADDLE_LOCKS, "destroying a spin lock that is held", lock);
        error = EBUSY;
    } else {
        *lock = DESTROYED;
    }
    __raddle_end();
    return error;
}

/* pthread_spin_lock: blocks while held; relocking is a locks fault and blocks for ever */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 nested on 0 refused 22") RADDLE_LOCK_KIND("spin")
int pthread_spin_lock(int *lock) { return lock_it(lock, RADDLE_WAITS); }

/* pthread_spin_trylock: fails only if held */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 nested on 0 not 16 refused 22") RADDLE_LOCK_KIND("spin")
int pthread_spin_trylock(int *lock) { return lock_it(lock, RADDLE_TRIES); }

/* pthread_spin_unlock: without holding it a locks fault */
RADDLE_ORDERED("0 1 35 130") RADDLE_GIVES("0") RADDLE_LOCK_KIND("spin")
int pthread_spin_unlock(int *lock) {
    __raddle_begin();
    if (!usable(lock)) {
        __raddle_end();
        return EINVAL;
    }
    if (*lock != __raddle_self())
        __raddle_fault(RADDLE_LOCKS, *lock ? "unlock of a spin lock that another thread holds"
                                           : "unlock of a spin lock that is not locked", lock);
    if (*lock) {
        *lock = 0;
        __raddle_release(lock, 0);
        __raddle_event(RADDLE_UNLOCK, lock);
    }
    __raddle_end();
    return 0;
}
