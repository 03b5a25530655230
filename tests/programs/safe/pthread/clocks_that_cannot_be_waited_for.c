// what: waiting by a clock that is none gives EINVAL
// expect: assert=ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    struct timespec until = {0, 0};
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    pthread_mutex_lock(&mutex);
    assert(pthread_cond_clockwait(&cond, &mutex, 77, &until) == EINVAL);
    pthread_mutex_unlock(&mutex);
    assert(pthread_rwlock_clockrdlock(&lock, 77, &until) == EINVAL);
    assert(pthread_rwlock_clockwrlock(&lock, 77, &until) == EINVAL);
    assert(sem_clockwait(&semaphore, 77, &until) == -1 && errno == EINVAL);
    return 0;
}
