// N workers wait for a gate, read what was prepared and count themselves; main opens the gate, waits for the count and
// expects all results. With -DBAD the gate is opened before the last piece is prepared.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int gate, done, prepared[2];
static int result[N];

static void *run(void *argument) {
    long me = (long)argument;
    while (!atomic_load(&gate))
        ;
    result[me] = atomic_load(&prepared[0]) + atomic_load(&prepared[1]);
    atomic_fetch_add(&done, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    atomic_store(&prepared[0], 3);
#ifdef BAD
    atomic_store(&gate, 1);
    atomic_store(&prepared[1], 4);
#else
    atomic_store(&prepared[1], 4);
    atomic_store(&gate, 1);
#endif
    while (atomic_load(&done) != N)
        ;
    for (int i = 0; i < N; i++) assert(result[i] == 7);
    return 0;
}
