// Each thread works on a block of its own, in the heap, and then adds its sum under one lock inside the shared block.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 4
#endif

struct work {
    int from, to, sum;
};

struct total {
    pthread_mutex_t lock;
    int sum;
};

static struct total *total;

static void *add(void *argument) {
    struct work *work = argument;
    work->sum = 0;
    for (int i = work->from; i < work->to; i++) work->sum += i;
    pthread_mutex_lock(&total->lock);
    total->sum += work->sum;
    pthread_mutex_unlock(&total->lock);
    free(work);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    total = malloc(sizeof *total);
    pthread_mutex_init(&total->lock, NULL);
    total->sum = 0;
    for (int i = 0; i < N; i++) {
        struct work *work = malloc(sizeof *work);
        work->from = 2 * i;
        work->to = 2 * i + 2;
        pthread_create(&threads[i], NULL, add, work);
    }
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(total->sum == 2 * N * (2 * N - 1) / 2);
    return 0;
}
