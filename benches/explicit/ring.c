/* Dijkstra's token ring with K states a machine (1974), N threads, started with one token. Who sees that it has the
 * token works and passes it on; the others look again, for ever. ring.pml is the same, step by step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 4
#endif
static atomic_int states[N];
static int worker;

static void *machine(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        int before = states[(me + N - 1) % N];
        int mine = states[me];
        if (me == 0 ? before == mine : before != mine) {
            worker = me;
            assert(worker == me);
            states[me] = me == 0 ? (mine + 1) % K : before;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, machine, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
