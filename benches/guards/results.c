// Threads compute results in blocks of their own and hand each over through a slot with a lock, in the heap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 4
#endif

struct result {
    int input, output;
};

struct slots {
    pthread_mutex_t lock;
    struct result *results[N];
    int ready;
};

static struct slots *slots;

static void *compute(void *argument) {
    struct result *result = malloc(sizeof *result);
    result->input = (int)(long)argument;
    result->output = 1;
    for (int i = 0; i < 2; i++) result->output += result->input;
    pthread_mutex_lock(&slots->lock);
    slots->results[slots->ready++] = result;
    pthread_mutex_unlock(&slots->lock);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    slots = malloc(sizeof *slots);
    pthread_mutex_init(&slots->lock, NULL);
    slots->ready = 0;
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, compute, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++) {
        assert(slots->results[i]->output == 2 * slots->results[i]->input + 1);
        free(slots->results[i]);
    }
    return 0;
}
