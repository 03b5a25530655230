// what: the signal comes before the wait, without a predicate: the waiter waits for ever
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static void *signaller(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, signaller, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
