/* The frame of a generated program. Each thread notes what it observes in a log of its own; the logs together are the
 * outcome, which the last thread hands over.
 *
 * Natively the outcome is printed, DELAY() waits for a random time, and a timed wait ends after a random time. In the
 * model (RADDLE is defined) nothing is printed and every schedule and every time-out is a choice anyway; with EXPECTED
 * and the logs EXPECTED_0 to EXPECTED_MAIN (the count, then the values), an assertion fails when the outcome is exactly
 * this one. A thread that notes anything else is blocked there: the run cannot have this outcome.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/futex.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define LOGS 4
#define LOG_SIZE 64

struct notes {
    int count;
    int value[LOG_SIZE];
};

/* One a thread, objects of their own: the last one is main's. */
static struct notes notes_0, notes_1, notes_2, notes_main;

#define NOTE(observed) do { int observed_ = (int)(observed); note(me, observed_); } while (0)
#define SIGN(number) (((number) > 0) - ((number) < 0))
/* What a call returns and, when it is negative, the error that it left. */
#define NOTE_ERRNO(call) do { errno = 0; int result_ = (int)(call); NOTE(result_); NOTE(result_ < 0 ? errno : 0); } while (0)

/* Texts and blocks are noted as a number: the same for the same bytes. */
static inline int of_bytes(const void *bytes, size_t size) {
    unsigned sum = 2166136261u;
    for (size_t i = 0; i < size; i++) sum = (sum ^ ((const unsigned char *)bytes)[i]) * 16777619u;
    return (int)(sum >> 8);
}
static inline int of_text(const char *text) {
    unsigned sum = 2166136261u;
    if (!text) return -1;
    for (; *text; text++) sum = (sum ^ (unsigned char)*text) * 16777619u;
    return (int)(sum >> 8);
}
/* A place in a block, or -1. */
static inline int place(const void *base, const void *at) { return at ? (int)((const char *)at - (const char *)base) : -1; }
/* A floating-point number, as its bits. */
static inline int of_double(double number) { return of_bytes(&number, sizeof number); }

static inline struct notes *log_of(int number) {
    return number == 0 ? &notes_0 : number == 1 ? &notes_1 : number == 2 ? &notes_2 : &notes_main;
}

#ifdef RADDLE

#define DELAY() ((void)0)
#define NAME(text) "/" text

static const struct timespec some_time = {1, 0};
static inline const struct timespec *until(clockid_t clock) { return &some_time; }
static inline void begin(void) {}

#ifdef EXPECTED

extern void __VERIFIER_assume(int);

static const int expected_0[] = {EXPECTED_0}, expected_1[] = {EXPECTED_1}, expected_2[] = {EXPECTED_2};
static const int expected_main[] = {EXPECTED_MAIN};

static inline void note(struct notes *me, int observed) {
    const int *expected = me == &notes_0 ? expected_0 : me == &notes_1 ? expected_1
                        : me == &notes_2 ? expected_2 : expected_main;
    int at = me->count++;
    if (at >= expected[0] || expected[at + 1] != observed) __VERIFIER_assume(0);
}

static inline void finish(void) {
    if (notes_0.count == expected_0[0] && notes_1.count == expected_1[0] && notes_2.count == expected_2[0] &&
        notes_main.count == expected_main[0])
        assert(!"the outcome is reached");
}

#else

static inline void note(struct notes *me, int observed) { me->value[me->count++] = observed; }
static inline void finish(void) {}

#endif

#else

#include <sys/syscall.h>

static unsigned long seed;
static atomic_int threads_seen;
static _Thread_local unsigned long random_state;

static unsigned long random_number(void) {
    if (!random_state) {
        random_state = (seed + 1) * 0x9e3779b97f4a7c15ul + 0x2545f4914f6cdd1dul * ++threads_seen;
        random_state |= 1;
    }
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state * 0x2545f4914f6cdd1dul) >> 20;
}

/* A system call by its number: the library's own sleeping functions are cancellation points. */
static void pause_for(unsigned long microseconds) {
    struct timespec time = {0, (long)microseconds * 1000};
    int error = errno;
    syscall(SYS_nanosleep, &time, (void *)0);
    errno = error;
}

#define DELAY() delay()
static void delay(void) {
    unsigned long number = random_number();
    switch (number % 16) {
    case 0: case 1: case 2: pause_for(20); break;
    case 3: pause_for(100 + (number >> 8) % 400); break;
    case 4: pause_for(500 + (number >> 8) % 1500); break;
    case 5: case 6: syscall(SYS_sched_yield); break;
    case 7: case 8: for (volatile unsigned i = 0; i < (number >> 8) % 3000; i++) {} break;
    }
}

/* A different name in every process. */
#define NAME(text) unique_name(text)
static const char *unique_name(const char *text) {
    static _Thread_local char name[64];
    snprintf(name, sizeof name, "/native-%d-%s", (int)getpid(), text);
    return name;
}

static const struct timespec *until(clockid_t clock) {
    static _Thread_local struct timespec time;
    static const long durations[] = {0, 30000, 100000, 400000, 1500000, 4000000};
    clock_gettime(clock, &time);
    time.tv_nsec += durations[random_number() % 6];
    if (time.tv_nsec >= 1000000000) time.tv_sec++, time.tv_nsec -= 1000000000;
    return &time;
}

static void begin(void) {
    const char *text = getenv("NATIVE_SEED");
    seed = text ? strtoul(text, 0, 10) : 0;
    /* A run that is blocked for ever ends without an outcome. */
    alarm(2);
}

static void note(struct notes *me, int observed) {
    if (me->count == LOG_SIZE) abort();
    me->value[me->count++] = observed;
}

static void finish(void) {
    char line[12 * LOGS * LOG_SIZE + 64];
    int length = sprintf(line, "\noutcome: ");
    for (int i = 0; i < LOGS; i++) {
        struct notes *notes = log_of(i);
        length += sprintf(line + length, "%s%d", i ? ";" : "", notes->count);
        for (int k = 0; k < notes->count; k++) length += sprintf(line + length, ",%d", notes->value[k]);
    }
    length += sprintf(line + length, "\n");
    if (write(1, line, (size_t)length) != length) abort();
}

#endif
