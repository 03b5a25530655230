/* POSIX read-write locks, in the user's own bytes; all-zero bytes are a free lock. Neither readers nor writers are
 * preferred: any thread that may enter may be next.
 *
 * Channel 0 carries what writers did, channel 1 what readers did: a reader is ordered after writers, a writer after
 * both.
 *
 * Faults (`locks`), and what happens afterwards: 1. indeterminate bytes: it becomes a free lock; 2. use after destroy:
 * EINVAL; 3. unlock of one that this thread does not hold: one hold is taken back, if there is any; 4. any lock by its
 * writer: EDEADLK, as glibc does; 5. a write lock by one of its readers: blocks for ever; 6. destroying or initialising
 * a held one: EBUSY.
 * Deviations: 1. a timed lock may time out whenever it would have to wait. 2. A lock that prefers writers is
 * unsupported; other attributes have no effect.
 */
#include "model.h"

struct rwlock {
    int writer;                     /* thread number; 0: none */
    int readers;                    /* how many read holds there are */
    int state;
};

/* A pthread_rwlockattr_t: 8 bytes. */
struct rwlock_attributes { int kind, shared; };
/* PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP: a waiting writer keeps readers out. PREFER_WRITER does not, in glibc. */
enum { PREFERS_WRITERS = 2 };

static int usable(struct rwlock *lock) {
    if (!__raddle_is_determinate(lock, sizeof *lock)) {
        __raddle_fault(RADDLE_LOCKS, "use of a read-write lock that was not initialised", lock);
        *lock = (struct rwlock){0};
    } else if (lock->state == RADDLE_DESTROYED) {
        __raddle_fault(RADDLE_LOCKS, "use of a read-write lock that was destroyed", lock);
        return 0;
    }
    return 1;
}

static int lock_it(struct rwlock *lock, int to_write, int how) {
    __raddle_fixed("read-write locks prefer neither readers nor writers");
    __raddle_begin();
    if (!usable(lock)) {
        __raddle_end();
        return EINVAL;
    }
    int self = __raddle_self();
    if (lock->writer == self) {
        if (how != RADDLE_TRIES)
            __raddle_fault(RADDLE_LOCKS, "lock of a read-write lock that this thread holds for writing", lock);
        __raddle_end();
        return how == RADDLE_TRIES ? EBUSY : EDEADLK;
    }
    if (to_write && how == RADDLE_WAITS && __raddle_holds(lock)) {
        __raddle_fault(RADDLE_LOCKS, "write lock of a read-write lock that this thread holds for reading", lock);
        /* The fault is reported once; the wait is a section of its own. */
        __raddle_end();
        __raddle_begin();
    }
    if (lock->writer || (to_write && lock->readers)) {
        if (how == RADDLE_TRIES) {
            __raddle_end();
            return EBUSY;
        }
        if (how == RADDLE_WAITS) __raddle_block(RADDLE_WAIT_RWLOCK, lock, lock->writer);
        __raddle_pause(RADDLE_WAIT_RWLOCK, lock, lock->writer, RADDLE_TIMEOUT);
        __raddle_end();
        return ETIMEDOUT;
    }
    __raddle_acquire(lock, 0);
    if (to_write) {
        __raddle_acquire(lock, 1);
        lock->writer = self;
    } else {
        lock->readers++;
    }
    raddle_used(lock, sizeof *lock);
    __raddle_event(to_write ? RADDLE_LOCK : RADDLE_RDLOCK, lock);
    __raddle_end();
    return 0;
}

static int lock_until(struct rwlock *lock, int to_write, const struct raddle_timespec *until) {
    if (!raddle_time_is_valid(until)) return EINVAL;
    raddle_moment end = raddle_moment_of(until);
    return raddle_timed(lock_it(lock, to_write, RADDLE_WAITS_UNTIL), end);
}

/* pthread_rwlock_init: initialising a held one is a locks fault */
RADDLE_ORDERED("0 1 35 130") RADDLE_MAKES("0") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_init(struct rwlock *lock, const void *attributes) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    if (attributes && ((const struct rwlock_attributes *)attributes)->kind == PREFERS_WRITERS)
        __raddle_unsupported("pthread_rwlock_init: PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP");
    int error = 0;
    __raddle_begin();
    if (__raddle_held(lock)) {
        __raddle_fault(RADDLE_LOCKS, "initialising a read-write lock that is held", lock);
        error = EBUSY;
    } else {
        raddle_made(lock, sizeof *lock);
        *lock = (struct rwlock){0};
    }
    __raddle_end();
    return error;
}

/* pthread_rwlock_destroy: destroying a held one is a locks fault */
RADDLE_ORDERED("0 1 35 130") RADDLE_UNMAKES("0") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_destroy(struct rwlock *lock) {
    int error = 0;
    __raddle_begin();
    if (!usable(lock)) {
        error = EINVAL;
    } else if (lock->writer || lock->readers) {
        __raddle_fault(RADDLE_LOCKS, "destroying a read-write lock that is held", lock);
        error = EBUSY;
    } else {
        lock->state = RADDLE_DESTROYED;
    }
    __raddle_end();
    return error;
}

/* pthread_rwlock_rdlock: waits while there is a writer */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 shared on 0 kept 35 refused 22") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_rdlock(struct rwlock *lock) { return lock_it(lock, 0, RADDLE_WAITS); }

/* pthread_rwlock_tryrdlock: fails only if there is a writer */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 shared on 0 not 16 refused 22") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_tryrdlock(struct rwlock *lock) { return lock_it(lock, 0, RADDLE_TRIES); }

/* pthread_rwlock_timedrdlock: may time out whenever there is a writer */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 shared on 0 kept 35 not 22 110") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_timedrdlock(struct rwlock *lock, const struct raddle_timespec *until) {
    return lock_until(lock, 0, until);
}

/* pthread_rwlock_clockrdlock: as pthread_rwlock_timedrdlock; the clock does not matter */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 shared on 0 kept 35 not 22 110") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_clockrdlock(struct rwlock *lock, int clock, const struct raddle_timespec *until) {
    return raddle_clock_is_valid(clock) ? lock_until(lock, 0, until) : EINVAL;
}

/* pthread_rwlock_wrlock: waits while there is a writer or a reader */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 exclusive on 0 kept 35 refused 22") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_wrlock(struct rwlock *lock) { return lock_it(lock, 1, RADDLE_WAITS); }

/* pthread_rwlock_trywrlock: fails only if there is a writer or a reader */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 exclusive on 0 not 16 refused 22") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_trywrlock(struct rwlock *lock) { return lock_it(lock, 1, RADDLE_TRIES); }

/* pthread_rwlock_timedwrlock: may time out whenever there is a writer or a reader */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 exclusive on 0 kept 35 not 22 110") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_timedwrlock(struct rwlock *lock, const struct raddle_timespec *until) {
    return lock_until(lock, 1, until);
}

/* pthread_rwlock_clockwrlock: as pthread_rwlock_timedwrlock; the clock does not matter */
RADDLE_ORDERED("0 1 35 130") RADDLE_TAKES("0 exclusive on 0 kept 35 not 22 110") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_clockwrlock(struct rwlock *lock, int clock, const struct raddle_timespec *until) {
    return raddle_clock_is_valid(clock) ? lock_until(lock, 1, until) : EINVAL;
}

/* pthread_rwlock_unlock: without holding it a locks fault */
RADDLE_ORDERED("0 1 35 130") RADDLE_GIVES("0") RADDLE_LOCK_KIND("rwlock")
int pthread_rwlock_unlock(struct rwlock *lock) {
    __raddle_begin();
    if (!usable(lock)) {
        __raddle_end();
        return EINVAL;
    }
    if (!lock->writer && !lock->readers) {
        __raddle_fault(RADDLE_LOCKS, "unlock of a read-write lock that is not locked", lock);
        __raddle_end();
        return 0;
    }
    if (lock->writer ? lock->writer != __raddle_self() : !__raddle_holds(lock))
        __raddle_fault(RADDLE_LOCKS, "unlock of a read-write lock that this thread does not hold", lock);
    raddle_used(lock, sizeof *lock);
    if (lock->writer) {
        lock->writer = 0;
        __raddle_release(lock, 0);
    } else {
        lock->readers--;
        __raddle_release(lock, 1);
    }
    __raddle_event(RADDLE_UNLOCK, lock);
    __raddle_end();
    return 0;
}


/* pthread_rwlockattr_init: the defaults */
int pthread_rwlockattr_init(struct rwlock_attributes *a) { a->kind = a->shared = 0; return 0; }

/* pthread_rwlockattr_destroy: no effect */
int pthread_rwlockattr_destroy(struct rwlock_attributes *a) { return 0; }

/* pthread_rwlockattr_setpshared: kept, without effect: there is one process */
int pthread_rwlockattr_setpshared(struct rwlock_attributes *a, int shared) {
    if (shared != 0 && shared != 1) return EINVAL;
    a->shared = shared;
    return 0;
}

/* pthread_rwlockattr_getpshared: what was set */
int pthread_rwlockattr_getpshared(const struct rwlock_attributes *a, int *shared) { *shared = a->shared; return 0; }

/* pthread_rwlockattr_setkind_np: kept, without effect: neither side is preferred */
int pthread_rwlockattr_setkind_np(struct rwlock_attributes *a, int kind) {
    if (kind < 0 || kind > 2) return EINVAL;
    a->kind = kind;
    return 0;
}

/* pthread_rwlockattr_getkind_np: what was set */
int pthread_rwlockattr_getkind_np(const struct rwlock_attributes *a, int *kind) { *kind = a->kind; return 0; }
