// what: equal threads count themselves before a barrier; behind it each sees all
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int arrived;

static void *worker(void *unused) {
    arrived++;
    pthread_barrier_wait(&barrier);
    assert(arrived == 3);
    return NULL;
}

int main(void) {
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
