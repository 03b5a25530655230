// what: one producer, one consumer, a buffer of one place, two condition variables
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int full, item;
static void *producer(void *unused) {
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&mutex);
        while (full) pthread_cond_wait(&emptied, &mutex);
        item = i;
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&mutex);
        while (!full) pthread_cond_wait(&filled, &mutex);
        assert(item == i);
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return 0;
}
