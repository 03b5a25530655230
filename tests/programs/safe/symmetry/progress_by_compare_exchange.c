// what: three equal threads raise a number by compare-exchange loops
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;

static void *worker(void *unused) {
    int seen = number;
    while (!atomic_compare_exchange_strong(&number, &seen, seen + 1)) {
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(number == 3);
    return 0;
}
