// what: two producers and a consumer share one condition variable, and signal instead of broadcast
// expect: deadlock=violated
// engines: explicit
// why: with both kinds asleep, a producer's signal can wake the other producer, which sleeps again; then all sleep. A
// spurious wake-up would help, but is not owed
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;
static void *producer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (full) pthread_cond_wait(&changed, &mutex); //~ DEADLOCK
        full = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *consumer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (!full) pthread_cond_wait(&changed, &mutex); //~ DEADLOCK
        full = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
