/* A bounded buffer of CAPACITY places with a mutex and two condition variables; PRODUCERS and CONSUMERS that work for
 * ever. Producers put their number in. buffer.pml is the same, step by step, spurious wake-ups included. */
#include <assert.h>
#include <pthread.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int places[CAPACITY], in, out, count;

static void put(int item) {
    pthread_mutex_lock(&mutex);
    while (count == CAPACITY) pthread_cond_wait(&not_full, &mutex);
    int at = in;
    places[at] = item;
    in = (at + 1) % CAPACITY;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int get(void) {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&not_empty, &mutex);
    int at = out, item = places[at];
    places[at] = 0;
    out = (at + 1) % CAPACITY;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void *producer(void *argument) {
    for (;;) put((int)(long)argument);
    return NULL;
}

static void *consumer(void *unused) {
    for (;;) assert(get() > 0);
    return NULL;
}

int main(void) {
    pthread_t threads[PRODUCERS + CONSUMERS];
    for (long i = 0; i < PRODUCERS; i++) pthread_create(&threads[i], NULL, producer, (void *)(i + 1));
    for (int i = 0; i < CONSUMERS; i++) pthread_create(&threads[PRODUCERS + i], NULL, consumer, NULL);
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++) pthread_join(threads[i], NULL);
    return 0;
}
