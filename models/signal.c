/* Signals: none arrives from outside. Sets of signals and masks work as such; ignoring a signal or asking for its
 * default is accepted; installing a handler, and sending, are unsupported.
 *
 * Deviation: masks are not kept; querying the old one is unsupported.
 */
#include "model.h"

/* glibc's sigset_t: 128 bytes. */
struct signal_set { unsigned long words[128 / sizeof(unsigned long)]; };

enum { BITS = 8 * sizeof(unsigned long), SIGNALS = 64 };

/* A function of its own, so that it counts whether or not the caller uses a result. */
static void raddle_no_signals(void) { __raddle_fixed("no signals are delivered from outside"); }

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
    if (set && (how < 0 || how > 2)) return EINVAL;
    if (old) __raddle_unsupported("pthread_sigmask: the old mask is not kept");
    return 0;
}

/* sigprocmask: accepted: no signals are delivered; querying the old mask is unsupported */
int sigprocmask(int how, const struct signal_set *set, struct signal_set *old) {
    raddle_no_signals();
    if (set && (how < 0 || how > 2)) {
        raddle_errno = EINVAL;
        return -1;
    }
    if (old) __raddle_unsupported("sigprocmask: the old mask is not kept");
    return 0;
}

static unsigned char ignored[SIGNALS + 1];

/* signal: only to ignore or to reset; a handler is unsupported */
void *signal(int number, void *handler) {
    raddle_no_signals();
    if (!is_users(number)) return (void *)-1;
    if (number == 9 || number == 19) { /* SIGKILL, SIGSTOP */
        raddle_errno = EINVAL;
        return (void *)-1;
    }
    if (handler != (void *)0 && handler != (void *)1) __raddle_unsupported("signal: handlers are not modelled");
    __raddle_begin();
    int before = ignored[number];
    ignored[number] = handler != (void *)0;
    __raddle_end();
    return before ? (void *)1 : (void *)0;
}

/* raise: SIGABRT aborts; others are unsupported */
int raise(int number) {
    if (number == 6) __raddle_process_exit(134, 1);
    __raddle_unsupported("raise: signals are not modelled");
}
