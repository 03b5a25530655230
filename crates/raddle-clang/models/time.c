/* Clocks. One time, in nanoseconds, that every question moves forward by any amount, or not at all (a choice).
 *
 * With --clock-stands-still every answer is the same.
 *
 * Deviations: 1. all clocks show the same time, which stays below 2 to the 32 seconds (31 where time_t has 32 bits).
 * 2. clock() counts microseconds of that time; what does not fit in a clock_t is -1, as ISO C says.
 * 3. The user and system time of getrusage are that time, too; its counts are any numbers.
 */
#include "model.h"

typedef unsigned long long nanoseconds;
#define SECOND 1000000000ULL
#ifdef __LP64__
#define LIMIT ((1ULL << 32) * SECOND)
#else
#define LIMIT ((1ULL << 31) * SECOND)
#endif

static nanoseconds latest;

static nanoseconds now(void) {
    __raddle_fixed("all clocks return the same monotonic time");
    if (__raddle_setting(RADDLE_SETTING_CLOCK_STANDS)) return 1000000000 * SECOND;
    __raddle_begin();
    nanoseconds time = latest + __raddle_choose(LIMIT - latest);
    latest = time;
    __raddle_end();
    return time;
}

struct timeval { long seconds, microseconds; };

/* time: any time not before the one previously returned */
RADDLE_ORDERED("always")
long time(long *result) {
    long seconds = (long)(now() / SECOND);
    if (result) *result = seconds;
    return seconds;
}

/* gettimeofday: any time not before the one previously returned */
RADDLE_ORDERED("always")
int gettimeofday(struct timeval *result, void *zone) {
    nanoseconds time = now();
    if (zone) __raddle_unsupported("gettimeofday: time zones are not modelled");
    result->seconds = (long)(time / SECOND);
    result->microseconds = (long)(time % SECOND / 1000);
    return 0;
}

/* clock_gettime: any time not before the one previously returned; all clocks return the same time */
RADDLE_ORDERED("always")
int clock_gettime(int clock, struct raddle_timespec *result) {
    if (clock < 0 || clock > 11) {
        raddle_errno = EINVAL;
        return -1;
    }
    nanoseconds time = now();
    result->seconds = (long)(time / SECOND);
    result->nanoseconds = (long)(time % SECOND);
    return 0;
}

/* Of its own, so that it counts although the answer is not the result. */
static void fix_resolution(void) { __raddle_fixed("clock resolution is 1 ns (clock_getres)"); }

/* clock_getres: one nanosecond */
int clock_getres(int clock, struct raddle_timespec *result) {
    fix_resolution();
    if (clock < 0 || clock > 11) {
        raddle_errno = EINVAL;
        return -1;
    }
    if (result) {
        result->seconds = 0;
        result->nanoseconds = 1;
    }
    return 0;
}

/* timespec_get: any time not before the one previously returned */
RADDLE_ORDERED("always")
int timespec_get(struct raddle_timespec *result, int base) {
    if (base != 1) return 0;
    nanoseconds time = now();
    result->seconds = (long)(time / SECOND);
    result->nanoseconds = (long)(time % SECOND);
    return 1;
}

/* clock: any time not before the one previously returned, in microseconds */
RADDLE_ORDERED("always")
long clock(void) {
    nanoseconds time = now();
    if (time / 1000 > LONG_MAX) return -1;
    return (long)(time / 1000);
}

/* difftime: the difference in seconds */
double difftime(long later, long earlier) { return (double)later - (double)earlier; }

struct usage { struct timeval user, system; long counts[14]; };

/* Of its own, so that it counts although the answer is not the result. */
static void fix_processor_time(void) { __raddle_fixed("user and system time are that of the clocks (getrusage)"); }

/* getrusage: the time of the clocks; any counts (a choice) */
RADDLE_ORDERED("always")
int getrusage(int who, struct usage *result) {
    fix_processor_time();
    if (who < -1 || who > 1) {
        raddle_errno = EINVAL;
        return -1;
    }
    nanoseconds time = now();
    result->user.seconds = (long)(time / SECOND);
    result->user.microseconds = (long)(time % SECOND / 1000);
    result->system = result->user;
    for (int i = 0; i < 14; i++) result->counts[i] = (long)__raddle_any(31);
    return 0;
}
