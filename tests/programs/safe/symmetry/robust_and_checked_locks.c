// what: equal threads take a robust error-checking mutex; who comes first ends with it, and the others are told
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int first = 1, told;

static void *worker(void *unused) {
    int error = pthread_mutex_lock(&mutex);
    if (error == EOWNERDEAD) {
        told++;
        pthread_mutex_consistent(&mutex);
    }
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    if (first) {
        first = 0;
        return NULL;
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(told == 1);
    return 0;
}
