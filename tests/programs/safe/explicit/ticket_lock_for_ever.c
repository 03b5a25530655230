// what: a ticket lock whose tickets come round again, for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: with two threads at most two tickets are out, so sixteen values never collide; unsigned arithmetic wraps
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int owner;
static void *thread(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        unsigned old = atomic_load(&next);
        while (!atomic_compare_exchange_strong(&next, &old, (old + 1) % 16)) {
        }
        while (atomic_load(&serving) != old) {
        }
        owner = me;
        assert(owner == me);
        atomic_store(&serving, (old + 1) % 16);
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
