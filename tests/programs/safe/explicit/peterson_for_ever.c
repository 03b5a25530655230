// what: Peterson's algorithm, entered for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the algorithm is right under sequential consistency, and its atomics order the plain accesses inside
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[2], turn;
static int owner;
static void *thread(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
    for (;;) {
        flags[me] = 1;
        turn = other;
        while (flags[other] && turn == other) {
        }
        owner = me;
        assert(owner == me);
        flags[me] = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)0);
    pthread_create(&b, NULL, thread, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
