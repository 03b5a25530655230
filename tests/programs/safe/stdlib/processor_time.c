// what: getrusage gives a time that is one, and counts that are not negative
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
// options: --property assert
// says: user and system time are that of the clocks
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/resource.h>

int main(void) {
    struct rusage usage;
    assert(getrusage((enum __rusage_who)7, &usage) == -1 && errno == EINVAL);
    assert(getrusage(RUSAGE_SELF, &usage) == 0);
    assert(usage.ru_utime.tv_usec < 1000000 && usage.ru_maxrss >= 0);
    return 0;
}
