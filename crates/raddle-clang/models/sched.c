/* Yielding and sleeping: a step that touches nothing. A sleep may end before or after anything else; in programs that read
 * clocks, these show afterwards that its time is over. Sleeping is a cancellation point. A sleep is never interrupted.
 */
#include "model.h"

enum { TIMER_ABSTIME = 1 };

static void rest_until(raddle_moment moment) {
    __raddle_yield();
    raddle_cancellation_point();
    raddle_time_is(moment);
}

/* sched_yield: a step that touches nothing */
int sched_yield(void) { __raddle_yield(); return 0; }

/* pthread_yield: a step that touches nothing */
int pthread_yield(void) { __raddle_yield(); return 0; }

/* sleep: a yield */
RADDLE_ORDERED("always")
unsigned sleep(unsigned seconds) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    rest_until(raddle_moment_in(seconds, 0));
    return 0;
}

/* usleep: a yield */
RADDLE_ORDERED("always")
int usleep(unsigned microseconds) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    rest_until(raddle_moment_in(microseconds / 1000000, microseconds % 1000000 * 1000));
    return 0;
}

/* nanosleep: a yield; EINVAL for a time that is none */
RADDLE_ORDERED("always")
int nanosleep(const struct raddle_timespec *duration, struct raddle_timespec *remaining) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    if (!raddle_time_is_valid(duration) || duration->seconds < 0) {
        raddle_errno = EINVAL;
        return -1;
    }
    rest_until(raddle_moment_after(duration));
    return 0;
}

/* clock_nanosleep: a yield; EINVAL for a time that is none, or a clock that is none or a thread's */
RADDLE_ORDERED("always")
int clock_nanosleep(int clock, int flags, const struct raddle_timespec *duration, struct raddle_timespec *remaining) {
    __raddle_fixed("no signals are delivered: sleeping and waiting are never interrupted");
    if (clock < 0 || clock > 11 || clock == 3) return EINVAL;
    if (!raddle_time_is_valid(duration) || duration->seconds < 0) return EINVAL;
    rest_until(flags & TIMER_ABSTIME ? raddle_moment_of(duration) : raddle_moment_after(duration));
    return 0;
}

/* sched_getcpu: always 0 */
int sched_getcpu(void) {
    __raddle_fixed("every thread runs on processor 0 (sched_getcpu)");
    return 0;
}
