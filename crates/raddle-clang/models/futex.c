/* System calls by their number: the futex, as Linux has it, and the numbers of thread and process.
 *
 * A wait is two sections. The first compares the word, by an atomic read that orders nothing, and enters the set of
 * waiters; the second goes on after a wake-up, spuriously, interrupted (EINTR), or when its time is up. A wake takes any of
 * the waiters of this word out of the set (a choice). Afterwards the word is only known by its address, so it may be
 * freed. Waits and wakes with FUTEX_PRIVATE_FLAG do not meet those without, as in the kernel.
 *
 * Neither adds an edge of happens-before, since none is documented: programs get theirs from the word. So most results
 * carry information that comes without an order, and races by state are not complete.
 * Deviations: 1. a wait may time out at any time. 2. Other operations, a mask of bits other than
 * FUTEX_BITSET_MATCH_ANY, and waking fewer than one are unsupported, and so are all other system calls.
 */
#include "model.h"

struct waiter {
    const unsigned *word;           /* null: waits for nothing */
    int shared, thread;
    struct waiter *next;
};
/* A thread's own, made when it first waits. No thread-local object: other threads write to it. */
static _Thread_local struct waiter *own;
static struct waiter *first;        /* sorted by thread number: one state for every order of arrival */

enum { WAIT = 0, WAKE = 1, WAIT_BITSET = 9, WAKE_BITSET = 10, PRIVATE = 128, REALTIME = 256 };

/* Part of a section. */
static void enter(const unsigned *word, int shared) {
    own->word = word;
    own->shared = shared;
    own->thread = __raddle_self();
    struct waiter **link = &first;
    while (*link && (*link)->thread < own->thread) link = &(*link)->next;
    own->next = *link;
    *link = own;
}

/* Part of a section. */
static void leave(struct waiter *waiter) {
    struct waiter **link = &first;
    while (*link != waiter) link = &(*link)->next;
    *link = waiter->next;
    *waiter = (struct waiter){0};
}

static long failed(int error) {
    raddle_errno = error;
    return -1;
}

static long wait(const unsigned *word, unsigned expected, int shared, int timed) {
    if (!own) own = (struct waiter *)__raddle_alloc(sizeof *own, RADDLE_INTERNAL);
    __raddle_begin();
    __raddle_touch(word, sizeof *word, 0);
    int differs = *word != expected;
    if (!differs) {
        __raddle_event(RADDLE_WAIT, word);
        enter(word, shared);
    }
    __raddle_end();
    if (differs) return failed(EAGAIN);

    int error = 0;
    __raddle_begin();
    if (own->word) {
        __raddle_pause(RADDLE_WAIT_OTHER, word, 0, timed ? RADDLE_TIMEOUT : RADDLE_SPURIOUS);
        int spurious = __raddle_setting(RADDLE_SETTING_SPURIOUS_WAKEUPS);
        unsigned long long end = __raddle_choose(spurious ? 2 + timed : 1);
        error = timed && end == 0 ? ETIMEDOUT : end == timed ? 0 : EINTR;
        leave(own);
    } else {
        __raddle_event(RADDLE_WAKE, word);
    }
    __raddle_end();
    return error ? failed(error) : 0;
}

static long wake(const unsigned *word, int limit, int shared) {
    long woken = 0;
    __raddle_begin();
    __raddle_event(limit == 1 ? RADDLE_SIGNAL : RADDLE_BROADCAST, word);
    for (; woken < limit; woken++) {
        int count = 0;
        for (struct waiter *waiter = first; waiter; waiter = waiter->next)
            count += waiter->word == word && waiter->shared == shared;
        if (!count) break;
        int skip = limit - woken >= count ? 0 : (int)__raddle_choose(count);
        struct waiter *waiter = first;
        while (waiter->word != word || waiter->shared != shared || skip--) waiter = waiter->next;
        leave(waiter);
    }
    __raddle_end();
    return woken;
}

/* Programs give a plain 0 for the null pointer: the upper half is indeterminate, and the kernel takes it for null. */
static int is_int_zero(const void *argument) {
    return !__raddle_is_determinate(argument, sizeof(void *)) && __raddle_is_determinate(argument, sizeof(int)) &&
        *(const int *)argument == 0;
}

static int waits(int operation) { return operation == WAIT || operation == WAIT_BITSET; }

#ifdef __LP64__
enum { CALL_GETPID = 39, CALL_GETTID = 186, CALL_FUTEX = 202 };
#else
enum { CALL_GETPID = 20, CALL_GETTID = 224, CALL_FUTEX = 240 };
#endif

/* syscall: waiting and waking by SYS_futex, SYS_gettid, SYS_getpid; others are unsupported */
long syscall(long number, ...) {
    if (number == CALL_GETPID) {
        __raddle_fixed("getpid() returns 1000");
        return 1000;
    }
    if (number == CALL_GETTID) {
        __raddle_fixed("gettid() returns numbers from 1000 on");
        return 999 + __raddle_self();
    }
    if (number != CALL_FUTEX) __raddle_unsupported("syscall: this number");
    va_list arguments;
    va_start(arguments, number);
    const unsigned *word = va_arg(arguments, const unsigned *);
    int flags = va_arg(arguments, int), operation = flags & ~(PRIVATE | REALTIME), shared = !(flags & PRIVATE);
    unsigned value = va_arg(arguments, unsigned);
    const struct raddle_timespec *until = 0;
    unsigned bits = ~0U;
    if (waits(operation)) {
        const struct raddle_timespec *given = va_arg(arguments, const struct raddle_timespec *);
        until = is_int_zero(&given) ? 0 : given;
    }
    if (operation == WAIT_BITSET || operation == WAKE_BITSET) {
        if (operation == WAKE_BITSET) va_arg(arguments, void *);
        va_arg(arguments, void *);
        bits = va_arg(arguments, unsigned);
    }
    va_end(arguments);
    if (bits != ~0U) __raddle_unsupported("syscall: a futex with a mask of bits");
    if (waits(operation)) {
        if (until && (!raddle_time_is_valid(until) || until->seconds < 0)) return failed(EINVAL);
        raddle_moment end = raddle_long_ago();
        if (until) end = operation == WAIT_BITSET ? raddle_moment_of(until) : raddle_moment_after(until);
        long failure = wait(word, value, shared, until != 0);
        if (failure) raddle_timed(raddle_errno, end);
        return failure;
    }
    if (operation != WAKE && operation != WAKE_BITSET) __raddle_unsupported("syscall: this operation of a futex");
    if ((int)value < 1) __raddle_unsupported("syscall: a futex that wakes fewer than one");
    return wake(word, (int)value, shared);
}
