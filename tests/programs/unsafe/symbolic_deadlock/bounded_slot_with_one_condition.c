// what: a slot of one item with one condition for both sides: the signal may wake the wrong side
// expect: deadlock=violated
// schedules: 100000
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nonempty = PTHREAD_COND_INITIALIZER;
#define nonfull nonempty
static int full;
static void *producer(void *unused) {
    pthread_mutex_lock(&mutex);
    while (full) pthread_cond_wait(&nonfull, &mutex); //~ DEADLOCK
    full = 1;
    pthread_cond_signal(&nonempty);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!full) pthread_cond_wait(&nonempty, &mutex); //~ DEADLOCK
    full = 0;
    pthread_cond_signal(&nonfull);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i % 2 ? producer : consumer, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL); //~ DEADLOCK
    return 0;
}
