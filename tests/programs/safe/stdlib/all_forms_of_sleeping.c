// what: every form of sleeping returns, and a wrong duration is refused
// expect: assert=ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec good = {0, 5}, bad = {0, -1};
    struct timeval short_time = {0, 1};
    assert(nanosleep(&good, NULL) == 0);
    assert(nanosleep(&bad, NULL) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &good, NULL) == 0);
    assert(poll(NULL, 0, 1) == 0);
    assert(select(0, NULL, NULL, NULL, &short_time) == 0);
    assert(sleep(0) == 0 && usleep(1) == 0 && sched_yield() == 0);
    return 0;
}
