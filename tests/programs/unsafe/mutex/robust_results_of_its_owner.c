// what: the owner of an inconsistent recursive mutex that expects every unlock to succeed
// expect: assert=violated
// explicit: race=bounded (ENOTRECOVERABLE tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *owner(void *argument) {
    pthread_mutex_lock(&mutex);
    return argument;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t thread;
    pthread_create(&thread, 0, owner, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_unlock(&mutex) == 0); //~ ASSERT
    return 0;
}
