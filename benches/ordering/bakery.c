// Lamport's bakery algorithm, one round of N threads. With -DBAD no thread waits for another that is choosing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int choosing[N], number[N], inside;

static void *run(void *argument) {
    long me = (long)argument;
    atomic_store(&choosing[me], 1);
    int most = 0;
    for (int i = 0; i < N; i++) {
        int there = atomic_load(&number[i]);
        if (there > most) most = there;
    }
    atomic_store(&number[me], most + 1);
    atomic_store(&choosing[me], 0);
    for (int i = 0; i < N; i++) {
        if (i == me) continue;
#ifndef BAD
        while (atomic_load(&choosing[i]))
            ;
#endif
        for (;;) {
            int there = atomic_load(&number[i]);
            if (there == 0 || there > most + 1 || (there == most + 1 && i > me)) break;
        }
    }
    atomic_store(&inside, me);
    assert(atomic_load(&inside) == me);
    atomic_store(&number[me], 0);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
