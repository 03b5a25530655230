// what: ENOTRECOVERABLE tells what another thread did with the mutex, and orders nothing
// expect: race=violated
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int data;
static void *dying(void *unused) {
    pthread_mutex_lock(&mutex);
    return NULL;
}
static void *spoiling(void *unused) {
    data = 1; //~ RACE
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&first, NULL, dying, NULL);
    pthread_join(first, NULL);
    pthread_create(&second, NULL, spoiling, NULL);
    int error = pthread_mutex_lock(&mutex);
    if (error == ENOTRECOVERABLE) data = 2; //~ RACE
    if (error == EOWNERDEAD) pthread_mutex_unlock(&mutex);
    pthread_join(second, NULL);
    return 0;
}
