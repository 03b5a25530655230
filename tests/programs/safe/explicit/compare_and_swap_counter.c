// what: three threads count by compare-and-swap; none is lost
// expect: assert=ok
// proved: explicit
// why: a swap succeeds only on the value that was read
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static void *thread(void *unused) {
    int old = atomic_load(&counter);
    while (!atomic_compare_exchange_strong(&counter, &old, old + 1)) {
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
