// what: a robust mutex whose owner died is taken, given back, destroyed and initialised again
// expect: locks=ok assert=ok
// proved: explicit
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static void *dying(void *unused) {
    pthread_mutex_lock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, dying, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_destroy(&mutex) == 0);
    assert(pthread_mutex_init(&mutex, NULL) == 0);
    return 0;
}
