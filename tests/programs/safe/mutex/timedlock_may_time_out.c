// what: a timed lock of a held mutex may give up, and only then is ETIMEDOUT seen
// expect: assert=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *child(void *unused) {
    struct timespec until = {10, 0};
    int error = pthread_mutex_timedlock(&mutex, &until);
    assert(error == 0 || error == ETIMEDOUT);
    if (error) return NULL;
    shared++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timespec wrong = {10, 2000000000};
    pthread_create(&thread, NULL, child, NULL);
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(shared == 1 || shared == 2);
    assert(pthread_mutex_timedlock(&mutex, &wrong) == 0);
    return 0;
}
