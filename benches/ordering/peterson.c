// Peterson's algorithm, N rounds of two threads. With -DBAD the turn is given before the flag is set.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int flag[2], turn, inside;

static void *run(void *argument) {
    long me = (long)argument, other = 1 - me;
    for (int i = 0; i < N; i++) {
#ifdef BAD
        atomic_store(&turn, other);
        atomic_store(&flag[me], 1);
#else
        atomic_store(&flag[me], 1);
        atomic_store(&turn, other);
#endif
        while (atomic_load(&flag[other]) && atomic_load(&turn) == other)
            ;
        atomic_store(&inside, me);
        assert(atomic_load(&inside) == me);
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
