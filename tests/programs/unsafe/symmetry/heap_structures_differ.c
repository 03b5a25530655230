// what: each of three threads gets a heap block of its own; their contents differ, and one order of them breaks it
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int trail;

static void *worker(void *argument) {
    int *digit = argument;
    pthread_mutex_lock(&mutex);
    trail = 4 * trail + *digit;
    pthread_mutex_unlock(&mutex);
    free(digit);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        int *digit = malloc(sizeof *digit);
        *digit = i + 1;
        pthread_create(&threads[i], NULL, worker, digit);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(trail != 4 * (4 * 2 + 3) + 1); //~ ASSERT
    return 0;
}
