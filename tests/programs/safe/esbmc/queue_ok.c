// what: a queue under a mutex; what is dequeued is what was enqueued, in order
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

enum { SIZE = 3 };
static struct { int element[SIZE], head, tail, amount; } queue;
static int stored[SIZE], enqueued;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *producer(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        queue.element[queue.tail] = 10 + i;
        queue.tail = (queue.tail + 1) % SIZE;
        queue.amount++;
        stored[enqueued++] = 10 + i;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *consumer(void *unused) {
    int taken = 0;
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        if (queue.amount > 0) {
            assert(queue.element[queue.head] == stored[taken++]);
            queue.head = (queue.head + 1) % SIZE;
            queue.amount--;
        }
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
    assert(queue.amount >= 0 && queue.amount <= SIZE);
    return 0;
}
