// what: an error-checking mutex gives EDEADLK and EPERM instead of misbehaving
// expect: assert=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static void *child(void *unused) {
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}
