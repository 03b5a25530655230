/* Clocks. One time, that every question moves forward by any amount, or not at all (a choice). Where a wait
 * until some time is over because of it, or a sleep ends, the clocks show that time or a later one.
 *
 * With --clock-stands-still every answer is the same.
 *
 * Deviations: 1. all clocks show the same time, which stays below 2 to the 32 seconds (31 where time_t has 32 bits).
 * 2. clock() counts microseconds of that time; what does not fit in a clock_t is -1, as ISO C says.
 * 3. The user and system time of getrusage are that time, too; its counts are any numbers.
 */
#include "model.h"

#define SECOND 1000000000U
#ifdef __LP64__
#define LIMIT (1ULL << 32)
#define CLOCKS "all clocks return the same monotonic time, below 2^32 seconds"
#else
#define LIMIT (1ULL << 31)
#define CLOCKS "all clocks return the same monotonic time, below 2^31 seconds"
#endif

/* Seconds and their part stay apart: a division of the whole would be hard on a solver. */
static raddle_moment latest;

/* Every moment of the clocks is within these bounds: taking its lower bits changes nothing. It is for analyses that know
 * which values depend on the time, and not what they are. */
#define WITHIN_SECONDS(seconds) ((seconds) & (LIMIT - 1))
#define WITHIN_NANOSECONDS(nanoseconds) ((nanoseconds) & ((1U << 30) - 1))

static int stands(void) { return __raddle_setting(RADDLE_SETTING_CLOCK_STANDS); }

/* The next reading. Where only the second counts, the least part of it stands for all. */
static raddle_moment now(int whole_seconds) {
    __raddle_fixed(CLOCKS);
    if (stands()) return (raddle_moment){1000000000, 0};
    __raddle_begin();
    __raddle_event(RADDLE_CLOCK, 0);
    unsigned long long before = latest.seconds, more = __raddle_choose(LIMIT - before);
    unsigned part = more ? 0 : latest.nanoseconds;
    unsigned long long seconds = WITHIN_SECONDS(before + more);
    unsigned nanoseconds = whole_seconds ? part : WITHIN_NANOSECONDS(part + (unsigned)__raddle_choose(SECOND - part));
    latest.seconds = seconds;
    latest.nanoseconds = nanoseconds;
    __raddle_end();
    return (raddle_moment){seconds, nanoseconds};
}

static int time_passes(void) { return __raddle_has_event(RADDLE_CLOCK) && !stands(); }

raddle_moment raddle_long_ago(void) { return (raddle_moment){0, 0}; }

raddle_moment raddle_moment_of(const struct raddle_timespec *time) {
    if (!time_passes() || time->seconds < 0) return raddle_long_ago();
    return (raddle_moment){(unsigned long long)time->seconds, (unsigned)time->nanoseconds};
}

raddle_moment raddle_moment_in(unsigned long long seconds, unsigned nanoseconds) {
    if (!time_passes()) return raddle_long_ago();
    __raddle_begin();
    raddle_moment moment = latest;
    __raddle_end();
    /* More than this never passes. */
    moment.seconds += seconds < LIMIT ? seconds : LIMIT;
    moment.nanoseconds += nanoseconds;
    if (moment.nanoseconds >= SECOND) {
        moment.nanoseconds -= SECOND;
        moment.seconds++;
    }
    return moment;
}

raddle_moment raddle_moment_after(const struct raddle_timespec *duration) {
    if (!time_passes()) return raddle_long_ago();
    return raddle_moment_in((unsigned long long)duration->seconds, (unsigned)duration->nanoseconds);
}

void raddle_time_is(raddle_moment moment) {
    if (!time_passes()) return;
    /* Such a wait is not over before the clocks end. */
    __raddle_assume(moment.seconds < LIMIT);
    unsigned long long seconds = WITHIN_SECONDS(moment.seconds);
    unsigned nanoseconds = WITHIN_NANOSECONDS(moment.nanoseconds);
    __raddle_begin();
    if (latest.seconds < seconds || (latest.seconds == seconds && latest.nanoseconds < nanoseconds)) {
        latest.seconds = seconds;
        latest.nanoseconds = nanoseconds;
    }
    __raddle_end();
}

struct timeval { long seconds, microseconds; };

/* time: any time not before the one previously returned */
RADDLE_ORDERED("always")
long time(long *result) {
    long seconds = (long)now(1).seconds;
    if (result) *result = seconds;
    return seconds;
}

/* gettimeofday: any time not before the one previously returned */
RADDLE_ORDERED("always")
int gettimeofday(struct timeval *result, void *zone) {
    raddle_moment time = now(0);
    if (zone) __raddle_unsupported("gettimeofday: time zones are not modelled");
    result->seconds = (long)time.seconds;
    result->microseconds = (long)(time.nanoseconds / 1000);
    return 0;
}

/* clock_gettime: any time not before the one previously returned; all clocks return the same time */
RADDLE_ORDERED("always")
int clock_gettime(int clock, struct raddle_timespec *result) {
    if (clock < 0 || clock > 11) {
        raddle_errno = EINVAL;
        return -1;
    }
    raddle_moment time = now(0);
    result->seconds = (long)time.seconds;
    result->nanoseconds = (long)time.nanoseconds;
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
    raddle_moment time = now(0);
    result->seconds = (long)time.seconds;
    result->nanoseconds = (long)time.nanoseconds;
    return 1;
}

/* clock: any time not before the one previously returned, in microseconds */
RADDLE_ORDERED("always")
long clock(void) {
    raddle_moment time = now(0);
    unsigned long long microseconds = time.seconds * 1000000 + time.nanoseconds / 1000;
    return microseconds > LONG_MAX ? -1 : (long)microseconds;
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
    raddle_moment time = now(0);
    result->user.seconds = (long)time.seconds;
    result->user.microseconds = (long)(time.nanoseconds / 1000);
    result->system = result->user;
    for (int i = 0; i < 14; i++) result->counts[i] = (long)__raddle_any(31);
    return 0;
}
