// what: a negative duration of select, and a clock that nothing can sleep by, are errors
// expect: assert=ok
// output: -1 22\n22 22 22\n0\n
// exit: 0
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/select.h>
#include <time.h>

int main(void) {
    struct timeval negative = {0, -1}, none = {0, 0};
    struct timespec moment = {0, 1};
    errno = 0;
    int result = select(0, 0, 0, 0, &negative);
    printf("%d %d\n", result, errno);
    int unknown = clock_nanosleep(77, 0, &moment, 0), of_thread = clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &moment, 0);
    moment.tv_nsec = -1;
    printf("%d %d %d\n", unknown, of_thread, clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, 0));
    printf("%d\n", select(0, 0, 0, 0, &none));
    return 0;
}
