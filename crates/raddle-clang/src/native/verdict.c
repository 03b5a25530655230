/* The verdict: a thread of the runtime watches the turns, judges the end of the schedule, and ends the process. */
#include "raddle_native.h"
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_REPRODUCED = 1, EXIT_LOST = 3 };

static int report = 2;
static int said;

/* One line, `word: text`. */
void raddle_native_tell(const char *word, const char *format, ...) {
    char text[2048];
    int length = snprintf(text, sizeof text, report == 2 ? "raddle: %s: " : "%s: ", word);
    va_list arguments;
    va_start(arguments, format);
    length += vsnprintf(text + length, sizeof text - length - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof text - 2) length = sizeof text - 2;
    text[length++] = '\n';
    if (write(report, text, length) < 0) return;
}

/* Only the first verdict counts. */
static int first_verdict(void) { return !__atomic_exchange_n(&said, 1, __ATOMIC_SEQ_CST); }

/* For debuggers: the verdict has been given, all threads are where they are. */
__attribute__((noinline)) void raddle_native_end(const char *verdict) { __asm__ volatile("" ::: "memory"); }

static _Noreturn void end(int code, const char *verdict) {
    raddle_native_end(verdict);
    if (getenv("RADDLE_NATIVE_STAY")) raddle_native_hang();
    fflush(stdout);
    _exit(code);
}

#define VERDICT(word, format) \
    char text[2000]; \
    va_list arguments; \
    va_start(arguments, format); \
    vsnprintf(text, sizeof text, format, arguments); \
    va_end(arguments); \
    if (!first_verdict()) raddle_native_hang(); \
    raddle_native_tell(word, "%s", text)

void raddle_native_diverged(const char *format, ...) {
    VERDICT("diverged", format);
    raddle_native_tell("steps", "%u %u", raddle_native_next, raddle_native_step_count);
    end(EXIT_LOST, text);
}

void raddle_native_reproduced(const char *format, ...) {
    VERDICT("reproduced", format);
    end(EXIT_REPRODUCED, text);
}

void raddle_native_failing(const char *assertion) {
    struct raddle_native_thread *t = &raddle_native_threads[raddle_native_self];
    char here[512];
    raddle_native_where(t->call, here, sizeof here);
    if (!t->released || raddle_native_goal != GOAL_CALL)
        raddle_native_diverged("thread T%u fails the assertion `%s` at %s, which the schedule does not",
                               NUMBER(raddle_native_self), assertion, here);
    if (!first_verdict()) raddle_native_hang();
    raddle_native_tell("reproduced", "thread T%u fails the assertion `%s` at %s", NUMBER(raddle_native_self), assertion, here);
    fflush(stdout);
    raddle_native_end("reproduced");
}

/* The thread has executed its failure, and goes on. */
void raddle_native_survived(void) {
    char here[512];
    raddle_native_where(raddle_native_targets[0].point, here, sizeof here);
    if (raddle_native_goal == GOAL_MEMORY)
        raddle_native_reproduced("thread T%u made the faulty access at %s; the processor did not stop it: %s",
                                 NUMBER(raddle_native_self), here, raddle_native_failure);
    raddle_native_diverged("thread T%u goes on after %s, which does not fail", NUMBER(raddle_native_self), here);
}

/* -- memory ------------------------------------------------------------------------------------------------------- */

struct block {
    const char *begin;
    unsigned long size;
    int freed;
};
static struct block *blocks;
static unsigned block_count, block_room;
static pthread_mutex_t block_gate = PTHREAD_MUTEX_INITIALIZER;

void raddle_native_allocated(const void *block, unsigned long size) {
    if (!block) return;
    pthread_mutex_lock(&block_gate);
    for (unsigned i = 0; i < block_count; i++)
        if (blocks[i].begin < (const char *)block + size && (const char *)block < blocks[i].begin + blocks[i].size && blocks[i].freed)
            blocks[i--] = blocks[--block_count];
    if (block_count == block_room) {
        block_room = block_room ? 2 * block_room : 64;
        blocks = realloc(blocks, block_room * sizeof *blocks);
    }
    blocks[block_count++] = (struct block){block, size, 0};
    pthread_mutex_unlock(&block_gate);
}

void raddle_native_freed(const void *block, unsigned long size) {
    pthread_mutex_lock(&block_gate);
    for (unsigned i = 0; i < block_count; i++)
        if (blocks[i].begin == block) blocks[i].freed = 1;
    pthread_mutex_unlock(&block_gate);
}

/* What is wrong with an address: null when it lies in a living block. */
static const char *judge(const char *address, unsigned size, const char **unknown) {
    const char *verdict = 0;
    *unknown = 0;
    if ((uintptr_t)address < 4096) return "a null pointer";
    int found = 0;
    pthread_mutex_lock(&block_gate);
    for (unsigned i = 0; i < block_count && !found; i++) {
        struct block *b = &blocks[i];
        unsigned long room = b->size ? b->size : 1;
        if (address >= b->begin && address < b->begin + room) {
            found = 1;
            if (b->freed) verdict = "in a block that was freed";
            else if (address + size > b->begin + b->size) verdict = "across the end of a heap block";
        }
    }
    for (unsigned i = 0; i < block_count && !found; i++) {
        struct block *b = &blocks[i];
        if (address >= b->begin - 32 && address < b->begin + b->size + 32) {
            found = 1;
            verdict = address < b->begin ? "before the begin of a heap block" : "behind the end of a heap block";
        }
    }
    pthread_mutex_unlock(&block_gate);
    if (!found) *unknown = "which no heap block has near it";
    return verdict;
}

/* -- signals ------------------------------------------------------------------------------------------------------ */

static void on_signal(int number) {
    signal(number, SIG_DFL);
    const char *name = number == SIGSEGV ? "SIGSEGV" : number == SIGBUS ? "SIGBUS" : number == SIGFPE ? "SIGFPE" : "SIGILL";
    char here[512] = "a place that is not known";
    if (raddle_native_self != NONE) {
        struct raddle_native_thread *t = &raddle_native_threads[raddle_native_self];
        raddle_native_where(t->point, here, sizeof here);
        if (t->released) {
            if (first_verdict())
                raddle_native_tell("reproduced", "thread T%u gets %s at %s", NUMBER(raddle_native_self), name, here);
            raddle_native_end("reproduced");
            return; /* the instruction fails again, now without this handler */
        }
    }
    raddle_native_diverged("%s after %s, before the schedule is over", name, here);
}

/* -- the end of the schedule -------------------------------------------------------------------------------------- */

/* Whether the thread's wait would go on: by trying it on the real object. Null: it would not; `how` says. */
static const char *blocked(const struct raddle_native_thread *t, const char **how) {
    int result = 0;
    *how = "the lock is free";
    switch (t->wait) {
    case WAIT_MUTEX:
        result = pthread_mutex_trylock(t->object);
        return result == EBUSY ? "waits for a mutex that is held" : 0;
    case WAIT_READ:
        return pthread_rwlock_tryrdlock(t->object) == EBUSY ? "waits for a read-write lock that is held" : 0;
    case WAIT_WRITE:
        return pthread_rwlock_trywrlock(t->object) == EBUSY ? "waits for a read-write lock that is held" : 0;
    case WAIT_SPIN:
        return pthread_spin_trylock(t->object) == EBUSY ? "waits for a spin lock that is held" : 0;
    case WAIT_SEMAPHORE:
        *how = "the semaphore is not zero";
        return sem_trywait(t->object) != 0 ? "waits for a semaphore that is zero" : 0;
    case WAIT_CONDITION:
        if (!raddle_native_is_signalled(t - raddle_native_threads)) return "waits for a signal that does not come";
        *how = "it was signalled and the mutex is free";
        return pthread_mutex_trylock(t->mutex) == EBUSY ? "was signalled and waits for a mutex that is held" : 0;
    case WAIT_BARRIER:
        *how = "all threads have arrived at the barrier";
        return t->phase == 1 && raddle_native_rounds(t->object) == t->round ? "waits at a barrier where too few threads arrive" : 0;
    case WAIT_ONCE:
        *how = "no call of the routine is in progress";
        return raddle_native_rounds(t->object) == 1 ? "waits for a call of pthread_once that does not end" : 0;
    case WAIT_JOIN: {
        *how = "the thread that it joins has ended";
        for (unsigned i = 0; i < raddle_native_thread_count; i++)
            if (raddle_native_threads[i].state != ABSENT && pthread_equal(raddle_native_threads[i].id, (pthread_t)t->object))
                return raddle_native_threads[i].state != ENDED ? "joins a thread that does not end" : 0;
        return 0;
    }
    case WAIT_NOTHING: break;
    }
    *how = "it is at no call that the runtime can judge";
    return 0;
}

static void describe(char *text, unsigned size, const char *format, ...) {
    unsigned length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* All targets are reached. With the gate. */
static void conclude(void) {
    char text[1800] = "", here[512];
    const struct raddle_native_target *targets = raddle_native_targets;
    struct raddle_native_thread *t = &raddle_native_threads[targets[0].thread];
    raddle_native_where(targets[0].point, here, sizeof here);
    switch (raddle_native_goal) {
    case GOAL_DEADLOCK:
        for (unsigned i = 0; i < raddle_native_target_count; i++) {
            const char *how;
            t = &raddle_native_threads[targets[i].thread];
            const char *why = blocked(t, &how);
            raddle_native_where(targets[i].point, here, sizeof here);
            if (!why) raddle_native_diverged("thread T%u at %s is not blocked: %s", NUMBER(targets[i].thread), here, how);
            describe(text, sizeof text, "%sthread T%u at %s %s", i ? "; " : "", NUMBER(targets[i].thread), here, why);
        }
        raddle_native_reproduced("deadlock: %s", text);
    case GOAL_RACE: {
        struct raddle_native_thread *u = &raddle_native_threads[targets[1].thread];
        char there[512];
        raddle_native_where(targets[1].point, there, sizeof there);
        const char *a = t->address, *b = u->address;
        unsigned long m = raddle_native_points[targets[0].point].size, n = raddle_native_points[targets[1].point].size;
        if (a && b && m && n && (a + m <= b || b + n <= a))
            raddle_native_diverged("the two accesses at %s and %s are to different addresses, %p and %p", here, there, a, b);
        if (a && b)
            describe(text, sizeof text, " (address %p)", (const void *)(a > b ? a : b));
        raddle_native_reproduced("data race: both threads are at the two accesses now, T%u at %s and T%u at %s%s",
                                 NUMBER(targets[0].thread), here, NUMBER(targets[1].thread), there, text);
    }
    case GOAL_ORDER:
        raddle_native_reproduced("data race: thread T%u is at %s now, the second of the two accesses; the first was made, and "
                                 "nothing orders them", NUMBER(targets[0].thread), here);
    case GOAL_MEMORY: {
        const char *unknown = 0, *wrong = t->address ? judge(t->address, raddle_native_points[targets[0].point].size, &unknown) : 0;
        if ((uintptr_t)t->address >= 4096 && wrong)
            raddle_native_reproduced("thread T%u at %s accesses address %p, %s", NUMBER(targets[0].thread), here, t->address, wrong);
        if (raddle_native_points[targets[0].point].call)
            raddle_native_reproduced("thread T%u makes the faulty call at %s: %s", NUMBER(targets[0].thread), here, raddle_native_failure);
        if (unknown && (uintptr_t)t->address >= 65536)
            raddle_native_reproduced("thread T%u is at the faulty access at %s now, address %p: %s", NUMBER(targets[0].thread), here,
                                     t->address, raddle_native_failure);
        t->released = 1; /* null, or not known: it is executed */
        pthread_cond_broadcast(&raddle_native_moved);
        return;
    }
    case GOAL_CALL:
        if (!raddle_native_points[targets[0].point].asserts)
            raddle_native_reproduced("thread T%u makes the call at %s: %s", NUMBER(targets[0].thread), here, raddle_native_failure);
        t->released = 1;
        pthread_cond_broadcast(&raddle_native_moved);
        return;
    case GOAL_REACHED:
        raddle_native_reproduced("thread T%u comes to %s: %s", NUMBER(targets[0].thread), here, raddle_native_failure);
    }
}

static const char *doing(const struct raddle_native_thread *t) {
    switch (t->state) {
    case ABSENT: return "was not created";
    case RUNNING: return "runs since";
    case WAITING: return "waits for its turn at";
    case AT_TARGET: return "is at";
    case PARKED: return "needs no further turn at";
    case EXITED: return "has ended the process after";
    case ENDED: return "has ended after";
    }
    return "";
}

static void give_up(const char *why) {
    char text[1500] = "", here[512];
    for (unsigned i = 0; i < raddle_native_thread_count; i++) {
        raddle_native_where(raddle_native_threads[i].point, here, sizeof here);
        if (raddle_native_threads[i].state == ABSENT) describe(text, sizeof text, "; T%u was not created", NUMBER(i));
        else describe(text, sizeof text, "; T%u %s %s", NUMBER(i), doing(&raddle_native_threads[i]), here);
    }
    char needed[600] = "";
    if (raddle_native_next < raddle_native_step_count) {
        const struct raddle_native_step *step = &raddle_native_steps[raddle_native_next];
        raddle_native_where(step->point, here, sizeof here);
        snprintf(needed, sizeof needed, "; the next turn is that of T%u at %s", NUMBER(step->thread), here);
    }
    raddle_native_diverged("%s%s%s", why, needed, text);
}

static void *watch(void *unused) {
    double limit = 10;
    const char *given = getenv("RADDLE_NATIVE_TIMEOUT");
    if (given && atof(given) > 0) limit = atof(given);
    unsigned last = NONE, concluded = 0;
    unsigned long last_states = 0;
    double idle = 0, quiet = 0;
    pthread_mutex_lock(&raddle_native_gate);
    for (;;) {
        int reached = raddle_native_next >= raddle_native_from, anything = 0, needed = 0;
        unsigned long states = 0;
        for (unsigned i = 0; i < raddle_native_target_count; i++)
            reached &= raddle_native_threads[raddle_native_targets[i].thread].state == AT_TARGET;
        for (unsigned i = 0; i < raddle_native_thread_count; i++) {
            struct raddle_native_thread *t = &raddle_native_threads[i];
            states = states * 31 + t->state * 7 + t->point;
            anything |= t->state == RUNNING;
            needed |= t->state == WAITING && raddle_native_next == t->cursor;
        }
        if (reached && !concluded) {
            concluded = 1;
            conclude();
        }
        int progress = last != raddle_native_next || states != last_states;
        last = raddle_native_next;
        last_states = states;
        idle = progress ? 0 : idle;
        quiet = progress || anything || needed ? 0 : quiet;
        if (quiet > 0.3 && !concluded) give_up("no thread goes on");
        if (idle > limit) give_up("no turn was taken for too long");
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50 * 1000 * 1000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        if (pthread_cond_timedwait(&raddle_native_moved, &raddle_native_gate, &until) == ETIMEDOUT) {
            idle += 0.05;
            quiet += 0.05;
        }
    }
    return unused;
}

void raddle_native_watch(void) {
    const char *file = getenv("RADDLE_NATIVE_REPORT");
    if (file) {
        int opened = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
        if (opened >= 0) report = opened;
    }
    int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], on_signal);
    pthread_t watcher;
    if (pthread_create(&watcher, 0, watch, 0)) raddle_native_diverged("the runtime cannot create its own thread");
}
