/* POSIX semaphores, unnamed (in the user's own bytes) and named (objects of the library, found by their name).
 *
 * A post makes waiters able to go on; which one goes is the scheduler's choice. A wait is ordered after all posts so
 * far (a semaphore is one channel, so some races between unrelated posts and waits are not seen).
 *
 * Faults (`locks`), and what happens afterwards: use of indeterminate bytes or after sem_destroy: -1 with EINVAL.
 * Deviations: 1. all-zero bytes are a semaphore of value 0. 2. A timed wait may time out whenever the value is 0. 3. A
 * wait is never interrupted (EINTR). 4. Permissions of named semaphores are not checked.
 * Misses: destroying a semaphore on which threads are blocked.
 */
#include "model.h"

struct semaphore {
    unsigned value;
    int state;
};

static int usable(struct semaphore *semaphore) {
    if (!__raddle_is_determinate(semaphore, sizeof *semaphore)) {
        __raddle_fault(RADDLE_LOCKS, "use of a semaphore that was not initialised", semaphore);
        return 0;
    }
    if (semaphore->state == RADDLE_DESTROYED) {
        __raddle_fault(RADDLE_LOCKS, "use of a semaphore that was destroyed", semaphore);
        return 0;
    }
    return 1;
}

/* Ends the section. */
static int failed(int error) {
    raddle_errno = error;
    __raddle_end();
    return -1;
}

/* `lazy`: a request that was there before it was called need not be acted on if the value is positive, as in glibc. */
static int wait(struct semaphore *semaphore, int how, int lazy) {
    int waits = 0;
    __raddle_begin();
    for (;;) {
        /* A request that comes while it waits, after a post, need not be acted on. */
        if (how != RADDLE_TRIES && raddle_cancel_due(raddle_current()) &&
            (!(waits || lazy) || semaphore->value == 0 || __raddle_choose(2))) {
            __raddle_end();
            raddle_cancelled();
        }
        if (!usable(semaphore)) return failed(EINVAL);
        if (semaphore->value) break;
        if (how == RADDLE_TRIES) return failed(EAGAIN);
        if (!waits && __raddle_has_event(RADDLE_CANCEL)) {
            waits = 1;
            __raddle_end();
            __raddle_begin();
            continue;
        }
        if (how == RADDLE_WAITS) __raddle_block(RADDLE_WAIT_SEMAPHORE, semaphore, 0);
        __raddle_pause(RADDLE_WAIT_SEMAPHORE, semaphore, 0, RADDLE_TIMEOUT);
        return failed(ETIMEDOUT);
    }
    semaphore->value--;
    __raddle_acquire(semaphore, 0);
    raddle_used(semaphore, sizeof *semaphore);
    __raddle_event(RADDLE_WAIT, semaphore);
    __raddle_end();
    return 0;
}

/* sem_init: sharing between processes has no effect */
RADDLE_ORDERED("0")
int sem_init(struct semaphore *semaphore, int shared, unsigned value) {
    __raddle_fixed("initialising synchronisation objects and keys never fails");
    __raddle_begin();
    if (value > INT_MAX) return failed(EINVAL);
    raddle_made(semaphore, sizeof *semaphore);
    semaphore->value = value;
    semaphore->state = 0;
    __raddle_end();
    return 0;
}

/* sem_destroy: using it afterwards is a locks fault */
RADDLE_ORDERED("0")
int sem_destroy(struct semaphore *semaphore) {
    __raddle_begin();
    if (!usable(semaphore)) return failed(EINVAL);
    semaphore->value = 0;
    semaphore->state = RADDLE_DESTROYED;
    __raddle_end();
    return 0;
}

/* sem_wait: blocks while the value is 0; a cancellation point */
RADDLE_ORDERED("0")
int sem_wait(struct semaphore *semaphore) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    return wait(semaphore, RADDLE_WAITS, 0);
}

/* sem_trywait: fails with EAGAIN only if the value is 0 */
RADDLE_ORDERED("0")
int sem_trywait(struct semaphore *semaphore) { return wait(semaphore, RADDLE_TRIES, 0); }

static int wait_until(struct semaphore *semaphore, const struct raddle_timespec *until, int lazy) {
    if (!raddle_time_is_valid(until)) {
        raddle_errno = EINVAL;
        return -1;
    }
    raddle_moment end = raddle_moment_of(until);
    int failure = wait(semaphore, RADDLE_WAITS_UNTIL, lazy);
    if (failure) raddle_timed(raddle_errno, end);
    return failure;
}

/* sem_timedwait: may time out whenever the value is 0 */
RADDLE_ORDERED("0")
int sem_timedwait(struct semaphore *semaphore, const struct raddle_timespec *until) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    return wait_until(semaphore, until, 0);
}

/* sem_clockwait: as sem_timedwait; which clock does not matter */
RADDLE_ORDERED("0")
int sem_clockwait(struct semaphore *semaphore, int clock, const struct raddle_timespec *until) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    if (!raddle_clock_is_valid(clock)) {
        raddle_errno = EINVAL;
        return -1;
    }
    return wait_until(semaphore, until, 1);
}

/* sem_post: any waiter may go on; EOVERFLOW at INT_MAX */
RADDLE_ORDERED("0")
int sem_post(struct semaphore *semaphore) {
    __raddle_begin();
    if (!usable(semaphore)) return failed(EINVAL);
    if (semaphore->value == INT_MAX) return failed(EOVERFLOW);
    semaphore->value++;
    raddle_used(semaphore, sizeof *semaphore);
    __raddle_release(semaphore, 0);
    __raddle_event(RADDLE_POST, semaphore);
    __raddle_end();
    return 0;
}

/* sem_getvalue: the value; 0 when threads wait */
int sem_getvalue(struct semaphore *semaphore, int *value) {
    __raddle_begin();
    if (!usable(semaphore)) return failed(EINVAL);
    raddle_used(semaphore, sizeof *semaphore);
    int now = (int)semaphore->value;
    __raddle_end();
    *value = now;
    return 0;
}

/* -- named ------------------------------------------------------------------------------------------------------ */

/* A list sorted by name. An unlinked one leaves the list and lives until its last close. */
struct named {
    struct semaphore semaphore;     /* first: a sem_t * is a struct named * */
    int opened;
    int unlinked;
    struct named *next;
    char name[];
};
static struct named *all;

static int order_of(const char *left, const char *right) {
    for (; *left && *left == *right; left++) right++;
    return (unsigned char)*left - (unsigned char)*right;
}

enum { CREATE = 0100, EXCLUSIVE = 0200 };

/* sem_open: a named semaphore; permissions are ignored */
struct semaphore *sem_open(const char *name, int flags, ...) {
    __raddle_fixed("named semaphores do not exist before the program creates them, and can be opened");
    unsigned mode = 0, value = 0;
    if (flags & CREATE) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, unsigned);
        value = va_arg(arguments, unsigned);
        va_end(arguments);
    }
    size_t length = raddle_string_length(name);
    __raddle_begin();
    struct named **link = &all;
    while (*link && order_of((*link)->name, name) < 0) link = &(*link)->next;
    struct named *found = *link && order_of((*link)->name, name) == 0 ? *link : 0;
    if (found && (flags & CREATE) && (flags & EXCLUSIVE)) return failed(EEXIST), (struct semaphore *)0;
    if (!found) {
        if (!(flags & CREATE)) return failed(ENOENT), (struct semaphore *)0;
        if (value > INT_MAX) return failed(EINVAL), (struct semaphore *)0;
        found = (struct named *)__raddle_alloc(sizeof *found + length + 1, RADDLE_INTERNAL);
        for (size_t i = 0; i < length; i++) found->name[i] = name[i];
        found->semaphore.value = value;
        found->next = *link;
        *link = found;
    }
    found->opened++;
    __raddle_end();
    return &found->semaphore;
}

/* sem_close: a named semaphore */
int sem_close(struct semaphore *semaphore) {
    struct named *named = (struct named *)semaphore;
    __raddle_begin();
    if (named->opened == 0) {
        __raddle_fault(RADDLE_LOCKS, "closing a semaphore that is not open", semaphore);
        return failed(EINVAL);
    }
    named->opened--;
    if (named->opened == 0 && named->unlinked) __raddle_free(named);
    __raddle_end();
    return 0;
}

/* sem_unlink: the name goes; the semaphore lives until its last close */
int sem_unlink(const char *name) {
    __raddle_begin();
    struct named **link = &all;
    while (*link && order_of((*link)->name, name) < 0) link = &(*link)->next;
    struct named *found = *link && order_of((*link)->name, name) == 0 ? *link : 0;
    if (!found) return failed(ENOENT);
    *link = found->next;
    found->next = 0;
    found->unlinked = 1;
    if (found->opened == 0) __raddle_free(found);
    __raddle_end();
    return 0;
}
