// what: after a sleep the clocks show that its time is over
// expect: assert=ok
// explicit: assert=unknown (a time is an input too wide to try: rule 9)
#include <assert.h>
#include <poll.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec second = {1, 0}, half = {0, 500000000}, a, b;
    time_t start = time(NULL);
    sleep(3);
    time_t end = time(NULL);
    assert(end - start >= 3);
    nanosleep(&second, NULL);
    assert(time(NULL) > end);
    clock_gettime(CLOCK_MONOTONIC, &a);
    thrd_sleep(&half, NULL);
    usleep(500000);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(b.tv_sec > a.tv_sec);
    b.tv_sec += 7;
    if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &b, NULL) == 0) assert(time(NULL) >= b.tv_sec);
    start = time(NULL);
    if (poll(NULL, 0, 2000) == 0) assert(time(NULL) - start >= 2);
    return 0;
}
