// what: an error-checking or recursive mutex answers EPERM, and stays locked
// expect: assert=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static void *child(void *unused) {
    assert(pthread_mutex_unlock(&checked) == EPERM && pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_trylock(&checked) == EBUSY && pthread_mutex_trylock(&recursive) == EBUSY);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&checked);
    pthread_mutex_lock(&recursive);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    return 0;
}
