// what: clocks are choices, but never go back
// expect: assert=ok
// explicit: assert=unknown (a time is an input too wide to try: rule 9)
#include <assert.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec a, b;
    struct timeval v;
    clock_gettime(CLOCK_MONOTONIC, &a);
    usleep(10);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
    assert(b.tv_nsec >= 0 && b.tv_nsec < 1000000000);
    gettimeofday(&v, NULL);
    assert(v.tv_sec >= b.tv_sec && v.tv_usec >= 0 && v.tv_usec < 1000000);
    assert(time(NULL) >= v.tv_sec);
    return 0;
}
