// what: the owner of a robust mutex: unlocking an inconsistent recursive one, trying an error-checking one
// expect: assert=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
// why: glibc gives ENOTRECOVERABLE for each unlock of an inconsistent recursive mutex but the last, and EDEADLK where an
//      error-checking one is tried by its owner; without robustness these are 0 and EBUSY.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive, checking;

static void make(pthread_mutex_t *mutex, int type, int robust) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setrobust(&attributes, robust);
    pthread_mutex_init(mutex, &attributes);
}

static void *owner(void *argument) {
    pthread_mutex_lock(&recursive);
    return argument;
}

int main(void) {
    pthread_t thread;
    make(&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ROBUST);
    pthread_create(&thread, 0, owner, 0);
    pthread_join(thread, 0);
    assert(pthread_mutex_lock(&recursive) == EOWNERDEAD);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == ENOTRECOVERABLE);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_lock(&recursive) == ENOTRECOVERABLE);

    make(&checking, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutex_lock(&checking) == 0 && pthread_mutex_trylock(&checking) == EDEADLK);
    assert(pthread_mutex_unlock(&checking) == 0);
    make(&checking, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
    assert(pthread_mutex_lock(&checking) == 0 && pthread_mutex_trylock(&checking) == EBUSY);
    assert(pthread_mutex_unlock(&checking) == 0);
    return 0;
}
