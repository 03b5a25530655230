/* Lamport's fast mutual exclusion (1987) for N threads that enter for ever: without contention it costs seven accesses,
 * however many threads there are. fast_mutex.pml is the same, step by step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
/* Threads have the numbers 1 to N; a `gate` of 0 is open. */
static atomic_int busy[N + 1], door, gate;
static int owner;

static void enter(int me) {
    for (;;) {
        busy[me] = 1;
        door = me;
        if (gate != 0) {
            busy[me] = 0;
            while (gate != 0) {
            }
            continue;
        }
        gate = me;
        if (door == me) return;
        busy[me] = 0;
        for (int other = 1; other <= N; other++) {
            while (busy[other]) {
            }
        }
        if (gate == me) return;
        while (gate != 0) {
        }
    }
}

static void *thread(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        enter(me);
        owner = me;
        assert(owner == me);
        gate = 0;
        busy[me] = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, (void *)(i + 1));
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
