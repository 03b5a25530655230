// what: what has no effect on the meaning of a program is accepted
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *child(void *unused) { return NULL; }

int main(void) {
    pthread_t thread;
    struct timespec until = {1, 0};
    struct sched_param parameters = {.sched_priority = 0};
    pthread_create(&thread, NULL, child, NULL);
    assert(pthread_setname_np(thread, "worker") == 0);
    assert(pthread_setname_np(thread, "a name that is too long") == ERANGE);
    assert(pthread_setconcurrency(2) == 0 && pthread_getconcurrency() >= 0);
    assert(pthread_setschedparam(thread, SCHED_OTHER, &parameters) == 0);
    assert(pthread_kill(thread, 0) == 0);
    int error = pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until);
    assert(error == 0 || error == ETIMEDOUT);
    return 0;
}
