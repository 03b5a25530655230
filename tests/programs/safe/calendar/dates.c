// what: dates are computed in UTC, before 1970 and in leap years, too
// expect: assert=ok
// options: --property assert --property memsafety
// exit: 0
// output: Tue Feb 29 00:00:00 2000\nWed Dec 31 23:59:59 1969\n2024-02-29 23:59:59 Thu 060 W09 2024 UTC +0000\n11:59:59 PM|02/29/24|Thursday, 29 February\n7\n0\n
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void) {
    time_t times[] = {951782400, -1, 1709251199};
    struct tm parts;
    char text[100];
    for (int i = 0; i < 2; i++) printf("%s", asctime_r(gmtime_r(&times[i], &parts), text));
    localtime_r(&times[2], &parts);
    strftime(text, sizeof text, "%F %T %a %j W%V %G %Z %z", &parts);
    puts(text);
    strftime(text, sizeof text, "%r|%D|%A, %e %B", &parts);
    puts(text);
    printf("%d\n", (int)strftime(text, 8, "%b %y", &parts) + 1);
    printf("%d\n", (int)strftime(text, 6, "%b %y", &parts));
    parts.tm_mon += 13;
    parts.tm_sec -= 3600;
    assert(mktime(&parts) == 1743289199 && parts.tm_year == 125 && parts.tm_mon == 2 && parts.tm_mday == 29);
    assert(parts.tm_hour == 22 && parts.tm_wday == 6 && parts.tm_yday == 87);
    assert(timegm(&parts) == 1743289199);
    return 0;
}
