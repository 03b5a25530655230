// what: an invalid time is an error only where the mutex is held
// expect: assert=ok
// explicit: race=bounded (that the mutex is held tells of another thread and orders nothing: rule 6)
// proved: stateless
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    struct timespec wrong = {0, -1};
    assert(pthread_mutex_timedlock(&mutex, &wrong) == EINVAL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timespec wrong = {0, -1};
    assert(pthread_mutex_timedlock(&mutex, &wrong) == 0);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&mutex);
    return 0;
}
