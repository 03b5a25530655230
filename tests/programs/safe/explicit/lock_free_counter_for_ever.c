// what: two threads count modulo three by compare-and-swap, for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: only values below three are ever stored
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static void *thread(void *unused) {
    for (;;) {
        int old = atomic_load(&counter);
        while (!atomic_compare_exchange_strong(&counter, &old, (old + 1) % 3)) {
        }
        assert(atomic_load(&counter) < 3);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
