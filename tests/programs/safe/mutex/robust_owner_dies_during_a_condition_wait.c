// what: a waiter is signalled, then the owner of the robust mutex dies holding it: the wait gives EOWNERDEAD
// expect: assert=ok deadlock=ok
// options: --no-spurious-wakeups
// explicit: race=bounded (without spurious wake-ups a signal tells of another thread: rule 6)
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static void *dying(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&cond);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, dying, NULL);
    int error = pthread_mutex_lock(&mutex);
    while (!ready && !error) error = pthread_cond_wait(&cond, &mutex);
    assert(error == EOWNERDEAD && ready);
    pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&mutex);
    return 0;
}
