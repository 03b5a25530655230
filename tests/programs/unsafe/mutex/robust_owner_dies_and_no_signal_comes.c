// what: the owner of a robust mutex dies without a signal: a condition wait that nothing ends is a deadlock
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static void *dying(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, dying, NULL);
    if (pthread_mutex_lock(&mutex) == 0)
        while (!ready && pthread_cond_wait(&cond, &mutex) == 0) //~ DEADLOCK
            ;
    return 0;
}
