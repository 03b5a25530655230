// what: two threads increment and add up counters that they share without a lock, by atomic operations: none overflows
// expect: assert=ok overflow=ok
// proved: order
// options: --property assert --property overflow
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint passed;
static _Atomic unsigned char low;
static int totals[2];
static void *worker(void *argument) {
    for (int i = 0; i < 40; i++) {
        passed++;
        low++;
    }
    int seen = passed + low;
    totals[(long)argument] = seen + seen;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(totals[0] < 512 && totals[1] < 512);
    return 0;
}
