// what: attributes of read-write locks and barriers, and locks by a clock
// expect: assert=ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    pthread_rwlockattr_t a;
    pthread_barrierattr_t b;
    pthread_rwlock_t lock;
    struct timespec until = {1, 0};
    int value;
    pthread_rwlockattr_init(&a);
    assert(pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NP) == 0);
    assert(pthread_rwlockattr_getkind_np(&a, &value) == 0 && value == PTHREAD_RWLOCK_PREFER_WRITER_NP);
    assert(pthread_rwlockattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_getpshared(&a, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&lock, &a);
    pthread_rwlockattr_destroy(&a);
    assert(pthread_rwlock_timedrdlock(&lock, &until) == 0);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &until) == 0);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &until) == 0);
    pthread_rwlock_unlock(&lock);
    pthread_barrierattr_init(&b);
    assert(pthread_barrierattr_setpshared(&b, 1) == 0 && pthread_barrierattr_getpshared(&b, &value) == 0 && value == 1);
    pthread_barrierattr_destroy(&b);
    return 0;
}
