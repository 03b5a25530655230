// Dekker's algorithm without its turn: a thread that meets the other gives up its round. N rounds of two threads. With -DBAD the flag is
// read before the own one is set.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int flag[2], shared;

static void *run(void *argument) {
    long me = (long)argument, other = 1 - me;
    for (int i = 0; i < N; i++) {
#ifdef BAD
        int busy = atomic_load(&flag[other]);
        atomic_store(&flag[me], 1);
#else
        atomic_store(&flag[me], 1);
        int busy = atomic_load(&flag[other]);
#endif
        if (!busy) {
            atomic_store(&shared, me + 1);
            assert(atomic_load(&shared) == me + 1);
        }
        atomic_store(&flag[me], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
