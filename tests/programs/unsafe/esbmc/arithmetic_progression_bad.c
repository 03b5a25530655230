// what: a producer and a consumer of numbers; the sum is not what the program believes
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

enum { COUNT = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
static int number, total;
static void *producer(void *unused) {
    for (int i = 1; i <= COUNT; i++) {
        pthread_mutex_lock(&mutex);
        while (number != 0) pthread_cond_wait(&empty, &mutex);
        number = i;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *consumer(void *unused) {
    for (int i = 1; i <= COUNT; i++) {
        pthread_mutex_lock(&mutex);
        while (number == 0) pthread_cond_wait(&full, &mutex);
        total += number;
        number = 0;
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    assert(total != COUNT * (COUNT + 1) / 2); //~ ASSERT
    return 0;
}
