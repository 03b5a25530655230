/* Calendar times of <time.h>, in the C locale and the time zone UTC.
 *
 * localtime and gmtime share one result, asctime and ctime share one text, as in glibc: threads that use them race.
 * The others write only to what they are given.
 *
 * Deviations: 1. the time zone is UTC, whatever TZ says. 2. Unsupported: mktime with a positive tm_isdst; flags and widths
 * of strftime, and a field that is negative where a number is wanted.
 */
#include "model.h"

struct calendar {                   /* struct tm */
    int second, minute, hour, day, month, year, weekday, yearday, summer;
    long offset;
    const char *zone;
};

enum { DAY = 86400 };

static char utc[] = "UTC";
char *tzname[2] = {utc, utc}, *__tzname[2] = {utc, utc};
long timezone, __timezone;
int daylight, __daylight;

/* Of its own, so that it counts although the answer is not the result. */
static void fix_zone(void) { __raddle_fixed("the time zone is UTC"); }

static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September",
                                     "October", "November", "December"};

static long long divided(long long number, long long by) { return number / by - (number % by < 0); }
static long long rest(long long number, long long by) { return number - divided(number, by) * by; }
static int is_leap(long long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/* Days from 1970 to the first of a month; the month counts from 0. */
static long long days_before(long long year, int month) {
    static const short before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    long long last = year - 1;
    long long count = 365 * (year - 1970) + divided(last, 4) - divided(last, 100) + divided(last, 400) - 477;
    return count + before[month] + (month > 1 && is_leap(year));
}

/* 0: the year does not fit. */
static int split(long long time, struct calendar *result, const char *zone) {
    long long day = divided(time, DAY), year = 1970 + divided(day * 400, 146097);
    int seconds = (int)rest(time, DAY), month = 11;
    while (days_before(year + 1, 0) <= day) year++;
    while (days_before(year, 0) > day) year--;
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        raddle_errno = EOVERFLOW;
        return 0;
    }
    while (days_before(year, month) > day) month--;
    *result = (struct calendar){
        .second = seconds % 60, .minute = seconds / 60 % 60, .hour = seconds / 3600,
        .day = (int)(day - days_before(year, month)) + 1, .month = month, .year = (int)(year - 1900),
        .weekday = (int)rest(day + 4, 7), .yearday = (int)(day - days_before(year, 0)), .zone = zone};
    return 1;
}

static struct calendar *split_into(const long *time, struct calendar *result, const char *zone) {
    struct calendar made;
    if (!split(*time, &made, zone)) return 0;
    *result = made;
    return result;
}

static struct calendar localtime_result;

/* gmtime_r: the calendar time in UTC */
struct calendar *gmtime_r(const long *time, struct calendar *result) { return split_into(time, result, "GMT"); }

/* gmtime: the same, in the one object that localtime uses, too: threads that use it race */
struct calendar *gmtime(const long *time) { return split_into(time, &localtime_result, "GMT"); }

/* localtime_r: the calendar time; the time zone is UTC */
struct calendar *localtime_r(const long *time, struct calendar *result) {
    fix_zone();
    return split_into(time, result, utc);
}

/* localtime: the same, in one object: threads that use it race */
struct calendar *localtime(const long *time) {
    fix_zone();
    return split_into(time, &localtime_result, utc);
}

static long long seconds_of(const struct calendar *time) {
    long long year = (long long)time->year + 1900 + divided(time->month, 12);
    long long day = days_before(year, (int)rest(time->month, 12)) + time->day - 1;
    return day * DAY + time->hour * 3600LL + time->minute * 60LL + time->second;
}

static long join(struct calendar *time, const char *zone) {
    long long seconds = seconds_of(time);
    struct calendar made;
    if (seconds > LONG_MAX || seconds < LONG_MIN) {
        raddle_errno = EOVERFLOW;
        return -1;
    }
    if (!split(seconds, &made, zone)) return -1;
    *time = made;
    return (long)seconds;
}

/* mktime: the time of a calendar time, whose fields are brought into their ranges; the time zone is UTC */
long mktime(struct calendar *time) {
    fix_zone();
    if (time->summer > 0) __raddle_unsupported("mktime: tm_isdst is positive");
    return join(time, utc);
}

/* timelocal: the old name of mktime */
long timelocal(struct calendar *time) { return mktime(time); }

/* timegm: the same in UTC */
long timegm(struct calendar *time) { return join(time, "GMT"); }

/* tzset: nothing to do: the time zone is UTC */
void tzset(void) { fix_zone(); }

static int put(char *buffer, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = __raddle_format(buffer, size, format, arguments);
    va_end(arguments);
    return count;
}

enum { TEXT = 26, ASCTIME_TEXT = 64 };
static char asctime_text[ASCTIME_TEXT];

static char *text_of(const struct calendar *time, char *buffer, size_t size) {
    char text[ASCTIME_TEXT];
    const char *day = time->weekday < 0 || time->weekday > 6 ? "???" : days[time->weekday];
    const char *month = time->month < 0 || time->month > 11 ? "???" : months[time->month];
    int count = time->year > INT_MAX - 1900 ? ASCTIME_TEXT
        : put(text, ASCTIME_TEXT, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month, time->day, time->hour, time->minute,
              time->second, 1900 + time->year);
    if (count >= (int)size) {
        raddle_errno = EOVERFLOW;
        return 0;
    }
    for (int i = 0; i <= count; i++) buffer[i] = text[i];
    return buffer;
}

/* asctime_r: the calendar time as a text of 25 characters; null with EOVERFLOW when it is longer */
char *asctime_r(const struct calendar *time, char *buffer) { return text_of(time, buffer, TEXT); }

/* asctime: the same, in one object: threads that use it race */
char *asctime(const struct calendar *time) { return text_of(time, asctime_text, ASCTIME_TEXT); }

/* ctime_r: the time as a text; the time zone is UTC */
char *ctime_r(const long *time, char *buffer) {
    struct calendar made;
    fix_zone();
    return split_into(time, &made, utc) ? text_of(&made, buffer, TEXT) : 0;
}

/* ctime: asctime of localtime: threads that use it race */
char *ctime(const long *time) {
    fix_zone();
    return split_into(time, &localtime_result, utc) ? text_of(&localtime_result, asctime_text, ASCTIME_TEXT) : 0;
}

/* -- strftime ----------------------------------------------------------------------------------------------------- */

/* Year and number of the week of ISO 8601. */
static long long iso_year(const struct calendar *time, int *week) {
    long long year = (long long)time->year + 1900;
    int monday = (time->weekday + 6) % 7, day = time->yearday - monday + 3; /* this week's Thursday */
    if (day < 0) {
        year--;
        day += 365 + is_leap(year);
    } else if (day >= 365 + is_leap(year)) {
        day -= 365 + is_leap(year);
        year++;
    }
    *week = day / 7 + 1;
    return year;
}

struct target {
    char *buffer;
    size_t size, used;
};

static int add(struct target *target, const char *text) {
    size_t length = raddle_string_length(text);
    if (length >= target->size - target->used) return 0;
    for (size_t i = 0; i < length; i++) target->buffer[target->used++] = text[i];
    return 1;
}

static int add_number(struct target *target, const char *format, long long number) {
    char text[32];
    if (number < 0) __raddle_unsupported("strftime: a field is negative");
    put(text, sizeof text, format, number);
    return add(target, text);
}

static int add_name(struct target *target, const char *const *names, int count, int index, const char *format) {
    char text[16];
    if (index < 0 || index >= count) return add(target, "?");
    put(text, sizeof text, format, names[index]);
    return add(target, text);
}

static int twelve(int hour) { return hour % 12 ? hour % 12 : 12; }

static int convert_all(struct target *target, const char *format, const struct calendar *time);

static int convert(struct target *target, char kind, const struct calendar *time) {
    long long year = (long long)time->year + 1900;
    int week;
    switch (kind) {
    case 'a': return add_name(target, days, 7, time->weekday, "%.3s");
    case 'A': return add_name(target, days, 7, time->weekday, "%s");
    case 'b': case 'h': return add_name(target, months, 12, time->month, "%.3s");
    case 'B': return add_name(target, months, 12, time->month, "%s");
    case 'c': return convert_all(target, "%a %b %e %H:%M:%S %Y", time);
    case 'C': return add_number(target, "%02lld", divided(year, 100));
    case 'd': return add_number(target, "%02lld", time->day);
    case 'D': case 'x': return convert_all(target, "%m/%d/%y", time);
    case 'e': return add_number(target, "%2lld", time->day);
    case 'F': return convert_all(target, "%Y-%m-%d", time);
    case 'g': return add_number(target, "%02lld", rest(iso_year(time, &week), 100));
    case 'G': return add_number(target, "%lld", iso_year(time, &week));
    case 'H': return add_number(target, "%02lld", time->hour);
    case 'I': return add_number(target, "%02lld", twelve(time->hour));
    case 'j': return add_number(target, "%03lld", time->yearday + 1LL);
    case 'k': return add_number(target, "%2lld", time->hour);
    case 'l': return add_number(target, "%2lld", twelve(time->hour));
    case 'm': return add_number(target, "%02lld", time->month + 1LL);
    case 'M': return add_number(target, "%02lld", time->minute);
    case 'n': return add(target, "\n");
    case 'p': return add(target, time->hour > 11 ? "PM" : "AM");
    case 'P': return add(target, time->hour > 11 ? "pm" : "am");
    case 'r': return convert_all(target, "%I:%M:%S %p", time);
    case 'R': return convert_all(target, "%H:%M", time);
    case 's': {
        if (time->summer > 0) __raddle_unsupported("strftime: tm_isdst is positive");
        return add_number(target, "%lld", seconds_of(time));
    }
    case 'S': return add_number(target, "%02lld", time->second);
    case 't': return add(target, "\t");
    case 'T': case 'X': return convert_all(target, "%H:%M:%S", time);
    case 'u': return add_number(target, "%lld", (time->weekday + 6) % 7 + 1);
    case 'U': return add_number(target, "%02lld", (time->yearday - time->weekday + 7) / 7);
    case 'V': iso_year(time, &week); return add_number(target, "%02lld", week);
    case 'w': return add_number(target, "%lld", time->weekday);
    case 'W': return add_number(target, "%02lld", (time->yearday - (time->weekday + 6) % 7 + 7) / 7);
    case 'y': return add_number(target, "%02lld", rest(year, 100));
    case 'Y': return add_number(target, "%lld", year);
    case 'z': {
        if (time->summer < 0) return 1;
        long minutes = time->offset / 60;
        if (!add(target, time->offset < 0 ? "-" : "+")) return 0;
        if (minutes < 0) minutes = -minutes;
        return add_number(target, "%04lld", minutes / 60 * 100 + minutes % 60);
    }
    case 'Z': return add(target, time->zone ? time->zone : "");
    case '%': return add(target, "%");
    }
    __raddle_unsupported("strftime: this conversion");
}

static int convert_all(struct target *target, const char *format, const struct calendar *time) {
    for (; *format; format++) {
        if (*format != '%') {
            char text[2] = {*format, 0};
            if (!add(target, text)) return 0;
            continue;
        }
        format++;
        if (*format == 'E' || *format == 'O') format++;
        if (!convert(target, *format, time)) return 0;
    }
    return 1;
}

/* strftime: the C locale; flags and widths are unsupported */
size_t strftime(char *buffer, size_t size, const char *format, const struct calendar *time) {
    __raddle_fixed("the locale is C");
    struct target target = {buffer, size, 0};
    if (!convert_all(&target, format, time) || !size) return 0;
    buffer[target.used] = 0;
    return target.used;
}
