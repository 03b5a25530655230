// A spin lock by compare-exchange around a counter, one round of N threads. With -DBAD it is taken by a load and a store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int lock, counter;

static void *run(void *unused) {
#ifdef BAD
    while (atomic_load(&lock))
        ;
    atomic_store(&lock, 1);
#else
    int zero = 0;
    while (!atomic_compare_exchange_strong(&lock, &zero, 1)) zero = 0;
#endif
    atomic_store(&counter, atomic_load(&counter) + 1);
    atomic_store(&lock, 0);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(atomic_load(&counter) == N);
    return 0;
}
