// what: each of three threads gets a heap block of its own with the same content, and frees it
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *worker(void *argument) {
    int *amount = argument;
    pthread_mutex_lock(&mutex);
    sum += *amount;
    pthread_mutex_unlock(&mutex);
    free(amount);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        int *amount = malloc(sizeof *amount);
        *amount = 5;
        pthread_create(&threads[i], NULL, worker, amount);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(sum == 15);
    return 0;
}
