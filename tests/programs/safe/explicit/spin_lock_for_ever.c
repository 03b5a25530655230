// what: two threads take a spin lock for ever; what it guards is never seen by two
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the exchange gives 0 to one thread only until it stores 0; the states repeat
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int owner;
static void *thread(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        while (atomic_exchange(&lock, 1)) {
        }
        owner = me;
        assert(owner == me);
        atomic_store(&lock, 0);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)1);
    pthread_create(&b, NULL, thread, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
