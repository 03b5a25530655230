/* POSIX threads: create, join, detach, exit, identity.
 *
 * A pthread_t is the thread's number. The id is stored after the spawn, as an ordinary write of the creator, so a
 * child that reads it races, as it does in reality. A thrd_t is stored before the child begins (C11 7.26.5.1).
 *
 * When the last thread ends, it runs the exit handlers; what the others did happens before.
 *
 * Deviations:
 *  1. pthread_create never fails.
 *  2. A join of a thread that does not exist, is detached or was joined is a `locks` fault; then the call gives ESRCH
 *     or EINVAL. Joining oneself gives EDEADLK, as glibc does.
 *  3. Scheduling parameters, names and affinity are accepted and forgotten.
 * Misses: pthread_kill with a signal; two threads that join the same one at the same time are reported only when the
 * second comes to it.
 */
#include "model.h"

struct raddle_thread __raddle_main_tcb;

/* Threads that have not ended, less one; counted only in programs with exit handlers. */
static int others;

static void body(void *block) {
    struct raddle_thread *thread = (struct raddle_thread *)block;
    __raddle_begin();
    void *start = thread->start, *argument = thread->argument;
    int is_c11 = thread->is_c11;
    thread->start = 0;
    thread->argument = 0;
    __raddle_end();
    void *result;
    if (is_c11) result = (void *)(intptr_t)((int (*)(void *))start)(argument);
    else result = ((void *(*)(void *))start)(argument);
    raddle_thread_finish(result);
}

int raddle_thread_create(void *start, void *argument, int detached, unsigned long *c11_id) {
    __raddle_begin();
    if (c11_id) __raddle_touch(c11_id, sizeof *c11_id, 1);
    struct raddle_thread *thread = (struct raddle_thread *)__raddle_alloc(sizeof *thread, RADDLE_INTERNAL);
    thread->start = start;
    thread->argument = argument;
    thread->detached = detached;
    thread->is_c11 = c11_id != 0;
    int number = __raddle_spawn(body, thread);
    if (__raddle_has_event(RADDLE_AT_EXIT)) others++;
    if (c11_id) *c11_id = (unsigned long)number;
    __raddle_end();
    return number;
}

/* The thread's very last steps: destructors of thread-specific data, then one section that is its end. */
_Noreturn void raddle_thread_finish(void *result) {
    struct raddle_thread *thread = raddle_current();
    __raddle_begin();
    if (thread->values) {
        __raddle_end();
        raddle_key_destructors();
        __raddle_begin();
    }
    thread->result = thread->detached ? 0 : result;
    thread->cleanup = 0;
    thread->cleanup_kind = 0;
    thread->cancel_requested = 0;
    thread->cancel_disabled = 0;
    thread->cancel_asynchronous = 0;
    thread->ending = 0;
    if (__raddle_has_event(RADDLE_AT_EXIT) && others-- == 0) {
        /* The last thread: the process ends as if by exit(0). */
        __raddle_acquire(&others, 0);
        __raddle_end();
        raddle_run_exit_handlers(0);
        __raddle_begin();
    }
    __raddle_release(&others, 0);
    __raddle_release(thread, 0);
    __raddle_thread_exit();
}

/* A pthread_t that no longer names a thread, or never did: a null block. */
static struct raddle_thread *named(unsigned long number) {
    if (number == 0 || number > INT_MAX) return 0;
    return (struct raddle_thread *)__raddle_tcb((int)number);
}

/* `result` is written inside the section, to a local of the caller. */
int raddle_thread_join(unsigned long number, void **result, int how) {
    int waits = 0;
    *result = 0;
    __raddle_begin();
    struct raddle_thread *self = raddle_current();
    struct raddle_thread *thread = named(number);
    for (;;) {
        /* A request that comes while it waits, after the other's end, need not be acted on; glibc does not act on an
         * earlier one either when the other has ended. */
        if (how != RADDLE_TRIES && raddle_cancel_due(self) &&
            (!__raddle_finished((int)number) || __raddle_choose(2))) {
            __raddle_end();
            raddle_cancelled();
        }
        if (!thread) {
            __raddle_fault(RADDLE_LOCKS, "join of a thread that does not exist", 0);
            __raddle_end();
            return ESRCH;
        }
        if (thread->detached || thread->joined) {
            __raddle_fault(RADDLE_LOCKS, thread->joined ? "join of a thread that was already joined"
                                                        : "join of a detached thread", 0);
            __raddle_end();
            return EINVAL;
        }
        if (thread == self) {
            __raddle_end();
            return EDEADLK;
        }
        if (__raddle_finished((int)number)) break;
        if (how == RADDLE_TRIES) {
            __raddle_end();
            return EBUSY;
        }
        if (!waits && __raddle_has_event(RADDLE_CANCEL)) {
            waits = 1;
            __raddle_end();
            __raddle_begin();
            continue;
        }
        if (how == RADDLE_WAITS) __raddle_block(RADDLE_WAIT_JOIN, thread, (int)number);
        __raddle_pause(RADDLE_WAIT_JOIN, thread, (int)number, RADDLE_TIMEOUT);
        __raddle_end();
        return ETIMEDOUT;
    }
    __raddle_acquire(thread, 0);
    __raddle_event(RADDLE_JOIN, thread);
    *result = thread->result;
    thread->result = 0;
    thread->joined = 1;
    __raddle_end();
    return 0;
}

RADDLE_ENDS_JOINS
int raddle_thread_detach(unsigned long number) {
    int error = 0;
    __raddle_begin();
    struct raddle_thread *thread = named(number);
    if (!thread) {
        __raddle_fault(RADDLE_LOCKS, "detach of a thread that does not exist", 0);
        error = ESRCH;
    } else if (thread->joined || thread->detached) {
        __raddle_fault(RADDLE_LOCKS, thread->joined ? "detach of a thread that was already joined"
                                                    : "detach of a thread that is already detached", 0);
        error = EINVAL;
    } else {
        thread->detached = 1;
        thread->result = 0;
    }
    __raddle_end();
    return error;
}

static int join(unsigned long thread, void **result, int how) {
    void *value;
    int error = raddle_thread_join(thread, &value, how);
    if (!error && result) *result = value;
    return error;
}

int raddle_attr_detached(const void *attributes);

/* pthread_create: starts a thread; never fails; the id is stored after the start, as a step of its own */
RADDLE_ORDERED("always") RADDLE_CREATES
int pthread_create(unsigned long *id, const void *attributes, void *(*start)(void *), void *argument) {
    int detached = attributes ? raddle_attr_detached(attributes) : 0;
    int number = raddle_thread_create((void *)start, argument, detached, 0);
    *id = (unsigned long)number;
    return 0;
}

/* pthread_join: waits for the end of a thread; a cancellation point */
RADDLE_ORDERED("0 1 35 130") RADDLE_JOINS
int pthread_join(unsigned long thread, void **result) { return join(thread, result, RADDLE_WAITS); }

/* pthread_tryjoin_np: EBUSY while the thread runs */
RADDLE_ORDERED("0 35 16 110")
int pthread_tryjoin_np(unsigned long thread, void **result) { return join(thread, result, RADDLE_TRIES); }

/* pthread_timedjoin_np: may time out whenever the thread has not ended */
RADDLE_ORDERED("0 35 16 110")
int pthread_timedjoin_np(unsigned long thread, void **result, const struct raddle_timespec *until) {
    if (!until) return join(thread, result, RADDLE_WAITS);
    if (!raddle_time_is_valid(until)) return EINVAL;
    raddle_moment end = raddle_moment_of(until);
    return raddle_timed(join(thread, result, RADDLE_WAITS_UNTIL), end);
}

/* pthread_clockjoin_np: as pthread_timedjoin_np; which clock does not matter */
RADDLE_ORDERED("0 35 16 110")
int pthread_clockjoin_np(unsigned long thread, void **result, int clock, const struct raddle_timespec *until) {
    if (until && !raddle_clock_is_valid(clock)) return EINVAL;
    return pthread_timedjoin_np(thread, result, until);
}

/* pthread_detach: the thread will not be joined; detaching twice is a locks fault */
RADDLE_ORDERED("0 1 35 130")
int pthread_detach(unsigned long thread) { return raddle_thread_detach(thread); }

/* pthread_exit: cleanup handlers, destructors of keys, then the thread ends; in main the others go on */
_Noreturn void pthread_exit(void *result) { raddle_thread_unwind(result); }

/* pthread_self: the thread's number */
unsigned long pthread_self(void) { return (unsigned long)__raddle_self(); }

/* pthread_equal: compares two ids */
int pthread_equal(unsigned long left, unsigned long right) { return left == right; }

/* pthread_setname_np: accepted and forgotten */
int pthread_setname_np(unsigned long thread, const char *name) {
    return raddle_string_length(name) > 15 ? ERANGE : 0;
}

static int concurrency;

/* pthread_setconcurrency: kept, without effect */
int pthread_setconcurrency(int level) {
    if (level < 0) return EINVAL;
    __raddle_begin();
    concurrency = level;
    __raddle_end();
    return 0;
}

/* pthread_getconcurrency: what was set, else 0 */
int pthread_getconcurrency(void) {
    __raddle_begin();
    int level = concurrency;
    __raddle_end();
    return level;
}

/* pthread_setschedparam: accepted and forgotten: every schedule is possible anyway */
int pthread_setschedparam(unsigned long thread, int policy, const void *parameters) {
    raddle_look_at(parameters, sizeof(int));
    __raddle_fixed("setting scheduling parameters never fails");
    return 0;
}

/* pthread_setschedprio: accepted and forgotten: every schedule is possible anyway */
int pthread_setschedprio(unsigned long thread, int priority) {
    __raddle_fixed("setting scheduling parameters never fails");
    return 0;
}

/* pthread_setaffinity_np: accepted and forgotten: every schedule is possible anyway */
int pthread_setaffinity_np(unsigned long thread, size_t size, const void *set) {
    raddle_look_at(set, size);
    __raddle_fixed("setting scheduling parameters never fails");
    return 0;
}

/* pthread_kill: signal 0: existence check; other signals are unsupported */
int pthread_kill(unsigned long thread, int signal) {
    if (signal != 0) __raddle_unsupported("pthread_kill: signals are not modelled");
    __raddle_begin();
    int error = named(thread) ? 0 : ESRCH;
    __raddle_end();
    return error;
}

/* pthread_atfork: accepted; fork itself is not modelled */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) { return 0; }
