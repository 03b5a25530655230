// what: attributes of condition variables, and waits by a clock
// expect: assert=ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    pthread_condattr_t a;
    pthread_cond_t cond;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct timespec until = {1, 0}, wrong = {1, -1};
    clockid_t clock;
    int shared;
    pthread_condattr_init(&a);
    assert(pthread_condattr_setclock(&a, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&a, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_condattr_getpshared(&a, &shared) == 0 && shared == PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&cond, &a);
    pthread_condattr_destroy(&a);
    pthread_mutex_lock(&mutex);
    int error = pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &until);
    assert(error == 0 || error == ETIMEDOUT);
    assert(pthread_cond_timedwait(&cond, &mutex, &wrong) == EINVAL);
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until) == 0);
    pthread_mutex_unlock(&mutex);
    assert(pthread_cond_destroy(&cond) == 0);
    return 0;
}
