// what: three equal threads exclude each other by a spinning exchange, for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int inside;

static void *worker(void *unused) {
    for (;;) {
        while (atomic_exchange(&taken, 1)) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        taken = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
