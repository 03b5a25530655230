// what: three threads that nothing tells apart, their handles in a heap block, add under one mutex
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t *threads = malloc(3 * sizeof *threads);
    if (!threads) return 1;
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    free(threads);
    assert(sum == 3);
    return 0;
}
