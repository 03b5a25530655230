/* POSIX mutexes.
 *
 * The state lies in the user's own bytes, with `kind` where glibc has it: all-zero bytes are a free normal mutex, and
 * glibc's static initialisers of recursive, error-checking and adaptive mutexes mean what they say.
 *
 * Faults (`locks`), and what happens afterwards:
 *  1. indeterminate bytes: it becomes a free normal mutex;
 *  2. use after pthread_mutex_destroy: EINVAL;
 *  3. unlock of a normal mutex that is not held, or held by another thread: it is unlocked. (Recursive and
 *     error-checking mutexes give EPERM, and that is no fault.)
 *  4. lock of a normal mutex by its owner: blocks for ever;
 *  5. destroying or initialising a mutex that is held, or that a waiter on a condition variable will take: EBUSY.
 * Initialising a mutex beside an unordered use of it is a race.
 * Deviations: 1. a timed lock may time out whenever the mutex is held. 2. Priority protocols and sharing between
 * processes are kept and have no effect. 3. Adaptive is normal.
 */
#include "model.h"

enum { CEILING_BITS = RADDLE_MUTEX_PROTECT | RADDLE_MUTEX_CEILING };
enum { KIND_BITS = RADDLE_MUTEX_TYPE | RADDLE_MUTEX_ROBUST | RADDLE_MUTEX_UNTIMED | CEILING_BITS };

static int type_of(struct raddle_mutex *mutex) { return mutex->kind & RADDLE_MUTEX_TYPE; }

static int is_checked(struct raddle_mutex *mutex) {
    return type_of(mutex) == RADDLE_MUTEX_RECURSIVE || type_of(mutex) == RADDLE_MUTEX_ERRORCHECK;
}

/* Part of a section: 0 when there is nothing to work on, after the fault. */
int raddle_mutex_usable(struct raddle_mutex *mutex) {
    if (!__raddle_is_determinate(mutex, sizeof *mutex)) {
        __raddle_fault(RADDLE_LOCKS, "use of a mutex that was not initialised", mutex);
        *mutex = (struct raddle_mutex){0};
        return 1;
    }
    if (mutex->kind == RADDLE_MUTEX_DESTROYED) {
        __raddle_fault(RADDLE_LOCKS, "use of a mutex that was destroyed", mutex);
        return 0;
    }
    if (mutex->kind & ~KIND_BITS) {
        __raddle_fault(RADDLE_LOCKS, "use of bytes that are not a mutex", mutex);
        return 0;
    }
    return 1;
}

/* Parts of a section: its owner has ended and it is robust; may the thread take it; take it (0 or EOWNERDEAD, or without
 * it ENOTRECOVERABLE); give one hold back; one condition wait more or fewer will take it. */
static int is_orphaned(struct raddle_mutex *mutex) {
    int owner = mutex->owner;
    return owner && (mutex->kind & RADDLE_MUTEX_ROBUST) && owner != __raddle_self() && __raddle_finished(owner);
}

int raddle_mutex_free_for(struct raddle_mutex *mutex, int thread) {
    return mutex->owner == 0 || mutex->owner == thread || is_orphaned(mutex);
}

int raddle_mutex_take(struct raddle_mutex *mutex) {
    int error = 0;
    if (is_orphaned(mutex)) {
        __raddle_acquire(__raddle_tcb(mutex->owner), 0);
        /* The holds of the thread that has ended. */
        for (; mutex->depth; mutex->depth--) __raddle_event(RADDLE_UNLOCK, mutex);
        mutex->owner = 0;
        mutex->inconsistent = 1;
        error = EOWNERDEAD;
    }
    if (mutex->inconsistent == 2) return ENOTRECOVERABLE;
    mutex->owner = __raddle_self();
    mutex->depth = type_of(mutex) == RADDLE_MUTEX_RECURSIVE ? mutex->depth + 1 : 1;
    __raddle_acquire(mutex, 0);
    raddle_used(mutex, sizeof *mutex);
    __raddle_event(RADDLE_LOCK, mutex);
    return error;
}

void raddle_mutex_give(struct raddle_mutex *mutex) {
    int deep = type_of(mutex) == RADDLE_MUTEX_RECURSIVE && mutex->depth > 1;
    mutex->depth = deep ? mutex->depth - 1 : 0;
    if (!deep) {
        mutex->owner = 0;
        if (mutex->inconsistent == 1) mutex->inconsistent = 2;
    }
    raddle_used(mutex, sizeof *mutex);
    __raddle_release(mutex, 0);
    __raddle_event(RADDLE_UNLOCK, mutex);
}

static int is_awaited(struct raddle_mutex *mutex) {
    return mutex->awaited > RADDLE_MUTEX_AWAITED && mutex->awaited <= RADDLE_MUTEX_AWAITED + 0xffff;
}

void raddle_mutex_await(struct raddle_mutex *mutex, int change) {
    if (!is_awaited(mutex)) mutex->awaited = RADDLE_MUTEX_AWAITED;
    mutex->awaited += change;
    if (!is_awaited(mutex)) mutex->awaited = 0;
}

int raddle_mutex_lock(struct raddle_mutex *mutex, int how) {
    __raddle_begin();
    if (!raddle_mutex_usable(mutex)) {
        __raddle_end();
        return EINVAL;
    }
    int self = __raddle_self();
    if (mutex->owner == self) {
        switch (type_of(mutex)) {
        case RADDLE_MUTEX_RECURSIVE:
            raddle_mutex_take(mutex);
            __raddle_end();
            return 0;
        case RADDLE_MUTEX_ERRORCHECK:
            __raddle_end();
            /* POSIX has EBUSY for every trylock; glibc's robust ones give EDEADLK. */
            return how == RADDLE_TRIES && !(mutex->kind & RADDLE_MUTEX_ROBUST) ? EBUSY : EDEADLK;
        }
        if (how == RADDLE_WAITS) {
            __raddle_fault(RADDLE_LOCKS, "relock of a mutex that this thread already holds", mutex);
            /* The fault is reported once; the wait is a section of its own. */
            __raddle_end();
            __raddle_begin();
        }
    }
    int owner = mutex->owner;
    if (owner && !is_orphaned(mutex)) {
        if (how == RADDLE_TRIES || how == RADDLE_REFUSES) {
            __raddle_end();
            return how == RADDLE_TRIES ? EBUSY : EINVAL;
        }
        if (how == RADDLE_WAITS) __raddle_block(RADDLE_WAIT_MUTEX, mutex, owner);
        __raddle_pause(RADDLE_WAIT_MUTEX, mutex, owner, RADDLE_TIMEOUT);
        __raddle_end();
        return ETIMEDOUT;
    }
    int error = raddle_mutex_take(mutex);
    __raddle_end();
    return error;
}

void raddle_mutex_expect_timed(struct raddle_mutex *mutex) {
    __raddle_begin();
    if (__raddle_is_determinate(mutex, sizeof *mutex) && mutex->kind > 0 && (mutex->kind & RADDLE_MUTEX_UNTIMED))
        __raddle_fault(RADDLE_LOCKS, "timed lock of a mutex that was initialised without mtx_timed", mutex);
    __raddle_end();
}

int raddle_mutex_unlock(struct raddle_mutex *mutex) {
    __raddle_begin();
    if (!raddle_mutex_usable(mutex)) {
        __raddle_end();
        return EINVAL;
    }
    if (mutex->owner != __raddle_self()) {
        if (is_checked(mutex) || (mutex->kind & RADDLE_MUTEX_ROBUST)) {
            __raddle_end();
            return EPERM;
        }
        if (mutex->owner == 0) {
            __raddle_fault(RADDLE_LOCKS, "unlock of a mutex that is not locked", mutex);
            __raddle_end();
            return 0;
        }
        __raddle_fault(RADDLE_LOCKS, "unlock of a mutex that another thread holds", mutex);
    }
    /* glibc returns an error to the owner of an inconsistent recursive mutex at every unlock but the last. */
    int told = mutex->inconsistent == 1 && mutex->depth > 1;
    raddle_mutex_give(mutex);
    __raddle_end();
    return told ? ENOTRECOVERABLE : 0;
}

int raddle_mutex_init(struct raddle_mutex *mutex, int kind) {
    int error = 0;
    __raddle_begin();
    if (__raddle_held(mutex)) {
        __raddle_fault(RADDLE_LOCKS, "initialising a mutex that is held", mutex);
        error = EBUSY;
    } else if (__raddle_is_determinate(mutex, sizeof *mutex) && is_awaited(mutex)) {
        __raddle_fault(RADDLE_LOCKS, "initialising a mutex that a waiter on a condition variable will take", mutex);
        error = EBUSY;
    } else {
        raddle_made(mutex, sizeof *mutex);
        *mutex = (struct raddle_mutex){0};
        mutex->kind = kind & KIND_BITS;
    }
    __raddle_end();
    return error;
}

int raddle_mutex_destroy(struct raddle_mutex *mutex) {
    int error = 0;
    __raddle_begin();
    if (!raddle_mutex_usable(mutex)) {
        error = EINVAL;
    } else if (mutex->owner) {
        __raddle_fault(RADDLE_LOCKS, "destroying a mutex that is held", mutex);
        error = EBUSY;
    } else if (is_awaited(mutex)) {
        __raddle_fault(RADDLE_LOCKS, "destroying a mutex that a waiter on a condition variable will take", mutex);
        error = EBUSY;
    } else {
        *mutex = (struct raddle_mutex){0};
        mutex->kind = RADDLE_MUTEX_DESTROYED;
    }
    __raddle_end();
    return error;
}

/* A pthread_mutexattr_t: one int. */
enum { ATTR_TYPE = 3, ATTR_ROBUST = 16, ATTR_SHARED = 128, ATTR_PROTOCOL = 96, ATTR_CEILING = 0xff00 };

/* pthread_mutex_init: initialising a held mutex is a locks fault */
RADDLE_ORDERED("0 1 35 130") RADDLE_MAKES("0 by 1") RADDLE_LOCK_KIND("mutex")
int pthread_mutex_init(struct raddle_mutex *mutex, const int *attributes) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    int kind = attributes ? *attributes & (RADDLE_MUTEX_TYPE | RADDLE_MUTEX_ROBUST) : 0;
    if (attributes && (*attributes & RADDLE_MUTEX_PROTECT)) kind |= *attributes & CEILING_BITS;
    return raddle_mutex_init(mutex, kind);
}

/* pthread_mutex_destroy: destroying a held mutex is a locks fault */
RADDLE_ORDERED("0 1 35 130") RADDLE_UNMAKES("0") RADDLE_LOCK_KIND("mutex")
int pthread_mutex_destroy(struct raddle_mutex *mutex) { return raddle_mutex_destroy(mutex); }

/* pthread_mutex_lock: relocking a normal mutex is a locks fault and blocks for ever */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 nested on 0 refused 22 35 130 131") RADDLE_LOCK_KIND("mutex")
int pthread_mutex_lock(struct raddle_mutex *mutex) { return raddle_mutex_lock(mutex, RADDLE_WAITS); }

/* pthread_mutex_trylock: fails only if the mutex is held */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 nested on 0 not 16 refused 22 35 130 131") RADDLE_LOCK_KIND("mutex")
int pthread_mutex_trylock(struct raddle_mutex *mutex) { return raddle_mutex_lock(mutex, RADDLE_TRIES); }

/* pthread_mutex_timedlock: may time out whenever the mutex is held; an invalid time matters only then */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 nested on 0 not 22 110 refused 35 130 131") RADDLE_LOCK_KIND("mutex")
int pthread_mutex_timedlock(struct raddle_mutex *mutex, const struct raddle_timespec *until) {
    int how = raddle_time_is_valid(until) ? RADDLE_WAITS_UNTIL : RADDLE_REFUSES;
    raddle_moment end = raddle_moment_of(until);
    return raddle_timed(raddle_mutex_lock(mutex, how), end);
}

/* pthread_mutex_clocklock: as pthread_mutex_timedlock; the clock does not matter */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 nested on 0 not 22 110 refused 35 130 131") RADDLE_LOCK_KIND("mutex")
int pthread_mutex_clocklock(struct raddle_mutex *mutex, int clock, const struct raddle_timespec *until) {
    if (!raddle_clock_is_valid(clock)) return EINVAL;
    int how = raddle_time_is_valid(until) ? RADDLE_WAITS_UNTIL : RADDLE_REFUSES;
    raddle_moment end = raddle_moment_of(until);
    return raddle_timed(raddle_mutex_lock(mutex, how), end);
}

/* pthread_mutex_unlock: by another thread: a locks fault, or EPERM for errorcheck and recursive mutexes */
RADDLE_ORDERED("0 1 35 130") RADDLE_GIVES("0") RADDLE_LOCK_KIND("mutex")
int pthread_mutex_unlock(struct raddle_mutex *mutex) { return raddle_mutex_unlock(mutex); }

/* pthread_mutex_consistent: a robust mutex whose owner died may be used again */
RADDLE_ORDERED("0 1 35 130")
int pthread_mutex_consistent(struct raddle_mutex *mutex) {
    int error = EINVAL;
    __raddle_begin();
    if (raddle_mutex_usable(mutex) && mutex->inconsistent == 1 && mutex->owner == __raddle_self()) {
        mutex->inconsistent = 0;
        error = 0;
    }
    __raddle_end();
    return error;
}

/* The lowest real-time priority is the ceiling where none was set, as in glibc. */
static int ceiling_of(int kind) { return kind & RADDLE_MUTEX_CEILING ? (kind & RADDLE_MUTEX_CEILING) >> 8 : 1; }

/* pthread_mutex_getprioceiling: what its attributes had; EINVAL without PTHREAD_PRIO_PROTECT */
int pthread_mutex_getprioceiling(const struct raddle_mutex *mutex, int *ceiling) {
    __raddle_begin();
    int kind = mutex->kind;
    __raddle_end();
    if (kind == RADDLE_MUTEX_DESTROYED || !(kind & RADDLE_MUTEX_PROTECT)) return EINVAL;
    *ceiling = ceiling_of(kind);
    return 0;
}

/* pthread_mutexattr_init: the defaults */
RADDLE_SETS_ATTRIBUTES
int pthread_mutexattr_init(int *attributes) { *attributes = 0; return 0; }

/* pthread_mutexattr_destroy: no effect */
int pthread_mutexattr_destroy(int *attributes) { return 0; }

/* pthread_mutexattr_settype: normal, recursive, errorcheck, adaptive */
RADDLE_REFUSES("1 in 0 1 3") RADDLE_SETS_ATTRIBUTES
int pthread_mutexattr_settype(int *attributes, int type) {
    if (type < 0 || type > 3) return EINVAL;
    *attributes = (*attributes & ~ATTR_TYPE) | type;
    return 0;
}

/* pthread_mutexattr_setkind_np: the old name of pthread_mutexattr_settype */
RADDLE_REFUSES("1 in 0 1 3") RADDLE_SETS_ATTRIBUTES
int pthread_mutexattr_setkind_np(int *attributes, int type) { return pthread_mutexattr_settype(attributes, type); }

/* pthread_mutexattr_gettype: what was set */
int pthread_mutexattr_gettype(const int *attributes, int *type) { *type = *attributes & ATTR_TYPE; return 0; }

/* pthread_mutexattr_setpshared: kept, without effect: there is one process */
RADDLE_SETS_ATTRIBUTES
int pthread_mutexattr_setpshared(int *attributes, int shared) {
    if (shared != 0 && shared != 1) return EINVAL;
    *attributes = (*attributes & ~ATTR_SHARED) | (shared ? ATTR_SHARED : 0);
    return 0;
}

/* pthread_mutexattr_getpshared: what was set */
int pthread_mutexattr_getpshared(const int *attributes, int *shared) {
    *shared = (*attributes & ATTR_SHARED) != 0;
    return 0;
}

/* pthread_mutexattr_setrobust: honoured: EOWNERDEAD when the owner ended while holding the mutex */
RADDLE_REFUSES("1 in 0") RADDLE_SETS_ATTRIBUTES
int pthread_mutexattr_setrobust(int *attributes, int robust) {
    if (robust != 0 && robust != 1) return EINVAL;
    *attributes = (*attributes & ~ATTR_ROBUST) | (robust ? ATTR_ROBUST : 0);
    return 0;
}

/* pthread_mutexattr_getrobust: what was set */
int pthread_mutexattr_getrobust(const int *attributes, int *robust) {
    *robust = (*attributes & ATTR_ROBUST) != 0;
    return 0;
}

/* pthread_mutexattr_setprotocol: kept, without effect: every schedule is possible anyway */
RADDLE_SETS_ATTRIBUTES
int pthread_mutexattr_setprotocol(int *attributes, int protocol) {
    if (protocol < 0 || protocol > 2) return EINVAL;
    *attributes = (*attributes & ~ATTR_PROTOCOL) | protocol << 5;
    return 0;
}

/* pthread_mutexattr_getprotocol: what was set */
int pthread_mutexattr_getprotocol(const int *attributes, int *protocol) {
    *protocol = (*attributes & ATTR_PROTOCOL) >> 5;
    return 0;
}

/* pthread_mutexattr_setprioceiling: kept, without effect */
RADDLE_SETS_ATTRIBUTES
int pthread_mutexattr_setprioceiling(int *attributes, int ceiling) {
    if (ceiling < 1 || ceiling > 99) return EINVAL;
    *attributes = (*attributes & ~ATTR_CEILING) | ceiling << 8;
    return 0;
}

/* pthread_mutexattr_getprioceiling: what was set, else 1 */
int pthread_mutexattr_getprioceiling(const int *attributes, int *ceiling) {
    *ceiling = ceiling_of(*attributes);
    return 0;
}
