// what: a slot of one item with a condition for each side; two producers, two consumers
// expect: deadlock=ok
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nonempty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t nonfull = PTHREAD_COND_INITIALIZER;
static int full;
static void *producer(void *unused) {
    pthread_mutex_lock(&mutex);
    while (full) pthread_cond_wait(&nonfull, &mutex);
    full = 1;
    pthread_cond_signal(&nonempty);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!full) pthread_cond_wait(&nonempty, &mutex);
    full = 0;
    pthread_cond_signal(&nonfull);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i % 2 ? producer : consumer, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return 0;
}
