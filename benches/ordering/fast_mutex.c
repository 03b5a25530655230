// Lamport's fast mutual exclusion (1987) of two threads, N rounds; a thread that does not get in gives up its round. With -DBAD the second gate is
// not checked again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int wants[2], door, gate, inside;

static void *run(void *argument) {
    int me = (int)(long)argument;
    for (int round = 0; round < N; round++) {
        atomic_store(&wants[me], 1);
        atomic_store(&door, me + 1);
        int enter = 0;
        if (atomic_load(&gate) == 0) {
            atomic_store(&gate, me + 1);
            if (atomic_load(&door) == me + 1) {
                enter = 1;
            } else {
                atomic_store(&wants[me], 0);
                while (atomic_load(&wants[1 - me]) != 0)
                    ;
#ifdef BAD
                enter = 1;
#else
                enter = atomic_load(&gate) == me + 1;
#endif
            }
        }
        if (enter) {
            atomic_store(&inside, me + 1);
            assert(atomic_load(&inside) == me + 1);
            atomic_store(&gate, 0);
        }
        atomic_store(&wants[me], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
