// what: each of two equal threads chooses a number up to 2; the sum stays below 5
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int sum;

static void *worker(void *unused) {
    sum += raddle_any_in(0, 2);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(sum <= 4);
    return 0;
}
