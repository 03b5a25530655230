/* Signals: none arrives from outside, unless a thread waits for it. Sets of signals and masks work as such. A handler runs
 * where a thread raises its signal, and nowhere else: that is a bound, and no row is proved in a program that installs one.
 *
 * Deviations: 1. masks are not kept; querying the old one is unsupported. 2. A signal that a thread waits for may come at
 * any time, blocked or not, and who sent it is unsupported. 3. The mask and the flags that sigaction was given are
 * forgotten: the old ones are empty. 4. A handler of three parameters (SA_SIGINFO) that is raised is unsupported; sending to
 * another thread is.
 */
#include "model.h"

/* glibc's sigset_t: 128 bytes. */
struct signal_set { unsigned long words[128 / sizeof(unsigned long)]; };

enum { BITS = 8 * sizeof(unsigned long), SIGNALS = 64 };

/* A function of its own, so that it counts whether or not the caller uses a result. */
static void raddle_no_signals(void) { __raddle_fixed("no signals are delivered from outside"); }

static void raddle_no_old_flags(void) { __raddle_fixed("the old mask and flags of sigaction are empty"); }

static int is_signal(int number) {
    if (number >= 1 && number <= SIGNALS) return 1;
    raddle_errno = EINVAL;
    return 0;
}

/* Two signals are glibc's own. */
static int is_users(int number) {
    if (number != 32 && number != 33) return is_signal(number);
    raddle_errno = EINVAL;
    return 0;
}

/* sigemptyset: no signals */
int sigemptyset(struct signal_set *set) { __builtin_memset(set, 0, sizeof *set); return 0; }

/* sigfillset: all signals but glibc's own */
int sigfillset(struct signal_set *set) {
    __builtin_memset(set, 255, sizeof *set);
    for (int number = 32; number <= 33; number++) set->words[(number - 1) / BITS] &= ~(1UL << (number - 1) % BITS);
    return 0;
}

/* sigaddset: adds a signal */
int sigaddset(struct signal_set *set, int number) {
    if (!is_users(number)) return -1;
    set->words[(number - 1) / BITS] |= 1UL << (number - 1) % BITS;
    return 0;
}

/* sigdelset: takes a signal out */
int sigdelset(struct signal_set *set, int number) {
    if (!is_users(number)) return -1;
    set->words[(number - 1) / BITS] &= ~(1UL << (number - 1) % BITS);
    return 0;
}

/* sigismember: is it in the set */
int sigismember(const struct signal_set *set, int number) {
    if (!is_signal(number)) return -1;
    return (set->words[(number - 1) / BITS] >> (number - 1) % BITS) & 1;
}

/* pthread_sigmask: accepted: no signals are delivered; querying the old mask is unsupported */
int pthread_sigmask(int how, const struct signal_set *set, struct signal_set *old) {
    raddle_no_signals();
    if (set) raddle_look_at(set, sizeof *set);
    if (set && (how < 0 || how > 2)) return EINVAL;
    if (old) __raddle_unsupported("pthread_sigmask: the old mask is not kept");
    return 0;
}

/* sigprocmask: accepted: no signals are delivered; querying the old mask is unsupported */
int sigprocmask(int how, const struct signal_set *set, struct signal_set *old) {
    raddle_no_signals();
    if (set) raddle_look_at(set, sizeof *set);
    if (set && (how < 0 || how > 2)) {
        raddle_errno = EINVAL;
        return -1;
    }
    if (old) __raddle_unsupported("sigprocmask: the old mask is not kept");
    return 0;
}

/* What was set: a handler, or one of these. */
#define BY_DEFAULT ((void *)0)
#define IGNORED ((void *)1)
static void *handlers[SIGNALS + 1];
static unsigned char has_information[SIGNALS + 1];

/* The bounds of an answer have it. */
static void installed(void *handler) {
    if (handler != BY_DEFAULT && handler != IGNORED)
        __raddle_fixed("bound with callbacks: signal handlers run only where a thread calls raise()");
}

static void *set(int number, void *handler, int information) {
    installed(handler);
    __raddle_begin();
    void *before = handlers[number];
    handlers[number] = handler;
    has_information[number] = (unsigned char)information;
    __raddle_end();
    return before;
}

/* SIGKILL and SIGSTOP. */
static int is_fixed(int number) { return number == 9 || number == 19; }

/* signal: a handler runs only by raise, which is a bound */
void *signal(int number, void *handler) {
    raddle_no_signals();
    if (!is_users(number)) return (void *)-1;
    if (is_fixed(number)) {
        raddle_errno = EINVAL;
        return (void *)-1;
    }
    return set(number, handler, 0);
}

struct action {                     /* struct sigaction */
    void *handler;
    struct signal_set mask;
    int flags;
    void (*restorer)(void);
};

/* sigaction: a handler runs only by raise, which is a bound */
int sigaction(int number, const struct action *action, struct action *old) {
    raddle_no_signals();
    if (!is_users(number)) return -1;
    if (action && is_fixed(number)) {
        raddle_errno = EINVAL;
        return -1;
    }
    void *before;
    if (action) {
        raddle_look_at(action, sizeof *action);
        before = set(number, action->handler, action->flags & 4);
    } else {
        __raddle_begin();
        before = handlers[number];
        __raddle_end();
    }
    if (old) {
        raddle_no_old_flags();
        struct action was = {.handler = before};
        *old = was;
    }
    return 0;
}

/* One of the set, as the waiting thread has read it; 0: the time is up. The wait ends at any time. */
static int await(const struct signal_set *set, int timed) {
    struct signal_set wanted = *set;
    int count = 0, found = 0;
    for (int number = 1; number <= SIGNALS; number++)
        if (!is_fixed(number)) count += (wanted.words[(number - 1) / BITS] >> (number - 1) % BITS) & 1;
    __raddle_begin();
    if (raddle_cancel_due(raddle_current())) {
        __raddle_end();
        raddle_cancelled();
    }
    if (!count && !timed) __raddle_block(RADDLE_WAIT_OTHER, set, 0);
    __raddle_pause(RADDLE_WAIT_OTHER, set, 0, RADDLE_TIMEOUT);
    int index = (int)__raddle_choose(count + timed);
    __raddle_end();
    for (int number = 1; number <= SIGNALS; number++)
        if (!is_fixed(number) && (wanted.words[(number - 1) / BITS] >> (number - 1) % BITS) & 1 && index-- == 0)
            found = number;
    return found;
}

/* sigwait: any signal of the set, at any time (a choice); a cancellation point */
RADDLE_ORDERED("always")
int sigwait(const struct signal_set *set, int *number) {
    *number = await(set, 0);
    return 0;
}

/* sigwaitinfo: the same; who sent it is unsupported */
RADDLE_ORDERED("always")
int sigwaitinfo(const struct signal_set *set, void *information) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    if (information) __raddle_unsupported("sigwaitinfo: who sent a signal is not modelled");
    return await(set, 0);
}

/* sigtimedwait: the same, or EAGAIN at any time */
RADDLE_ORDERED("always")
int sigtimedwait(const struct signal_set *set, void *information, const struct raddle_timespec *duration) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    if (information) __raddle_unsupported("sigtimedwait: who sent a signal is not modelled");
    if (duration && (!raddle_time_is_valid(duration) || duration->seconds < 0)) {
        raddle_errno = EINVAL;
        return -1;
    }
    raddle_moment end = duration ? raddle_moment_after(duration) : raddle_long_ago();
    int number = await(set, duration != 0);
    if (number) return number;
    raddle_time_is(end);
    raddle_errno = EAGAIN;
    return -1;
}

/* raise: runs the handler; without one, most signals end the process */
int raise(int number) {
    if (!is_users(number)) return -1;
    __raddle_begin();
    void *handler = handlers[number];
    int information = has_information[number];
    __raddle_end();
    if (handler == BY_DEFAULT) {
        /* Stopping and continuing a process are not modelled; three are ignored. */
        if (number == 17 || number == 23 || number == 28) return 0;
        if (number >= 18 && number <= 22) __raddle_unsupported("raise: stopping or continuing the process");
        __raddle_process_exit(128 + number, 1);
    }
    if (handler == IGNORED) return 0;
    if (information) __raddle_unsupported("raise: a handler with information about the signal (SA_SIGINFO)");
    ((void (*)(int))handler)(number);
    return 0;
}
