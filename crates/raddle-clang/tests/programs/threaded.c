/* A queue between threads: mutexes, conditions, atomics, thread-locals, a variable-length array. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
    char kind;
    long key;
    struct item *next;
    double weight;
    short tail[3];
};

struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct item *head;
    unsigned count : 5, closed : 1;
    uint64_t total;
    unsigned char slack[16 - sizeof(void *) * 1];
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static _Thread_local int mine;
atomic_int hits;
_Atomic(struct item *) last;

void *worker(void *argument) {
    int copies[*(int *)argument];
    memset(copies, 0, sizeof copies);
    pthread_mutex_lock(&queue.lock);
    while (!queue.head && !queue.closed)
        pthread_cond_wait(&queue.filled, &queue.lock);
    struct item *item = queue.head;
    if (item) {
        queue.head = item->next;
        queue.count--;
    }
    pthread_mutex_unlock(&queue.lock);
    mine += atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);
    struct item *expected = NULL;
    while (!atomic_compare_exchange_weak(&last, &expected, item))
        copies[0]++;
    atomic_thread_fence(memory_order_acquire);
    return (void *)(intptr_t)(copies[0] + mine);
}

int main(void) {
    pthread_t threads[3];
    int size = 4;
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, worker, &size) != 0)
            return errno;
    queue.total += 1;
    pthread_cond_broadcast(&queue.filled);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(hits == 3);
    printf("%d %p\n", hits, (void *)last);
    return 0;
}
