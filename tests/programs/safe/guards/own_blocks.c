// what: threads fill blocks of their own and add them to a sum under a lock
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the blocks are never shared, and the sum has a lock
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 3

struct work {
    int numbers[2];
};

struct total {
    pthread_mutex_t lock;
    int sum;
};

static struct total *total;

static void *add(void *argument) {
    struct work *work = malloc(sizeof *work);
    for (int i = 0; i < 2; i++) work->numbers[i] = i + 1;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&total->lock);
        total->sum += work->numbers[i];
        pthread_mutex_unlock(&total->lock);
    }
    free(work);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    total = malloc(sizeof *total);
    pthread_mutex_init(&total->lock, NULL);
    total->sum = 0;
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(total->sum == 3 * N);
    return 0;
}
