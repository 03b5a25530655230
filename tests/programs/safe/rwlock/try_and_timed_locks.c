// what: the trying and timed forms fail with EBUSY and ETIMEDOUT, and only when they must or may
// expect: assert=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *child(void *unused) {
    struct timespec until = {1, 0};
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &until) == ETIMEDOUT);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    return 0;
}
