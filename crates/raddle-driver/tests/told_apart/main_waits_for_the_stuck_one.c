// what: main holds what one of two equal threads needs while it joins that one; the other runs for ever
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int first, noise;

static void *worker(void *unused) {
    if (first++ == 0)
        for (;;) noise = 231;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    noise = 231;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
