// A token goes twice around a ring of N threads; who has it adds one to a counter. With -DBAD the token is handed on before the counter is stored.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int turn, counter;

static void *run(void *argument) {
    int me = (int)(long)argument;
    for (int round = 0; round < 2; round++) {
        while (atomic_load(&turn) != me + round * N)
            ;
        int value = atomic_load(&counter);
#ifdef BAD
        atomic_store(&turn, me + round * N + 1);
        atomic_store(&counter, value + 1);
#else
        atomic_store(&counter, value + 1);
        atomic_store(&turn, me + round * N + 1);
#endif
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(atomic_load(&counter) == 2 * N);
    return 0;
}
