// THREADS threads increment a counter N times by compare-exchange, with as many attempts as can fail. With -DBAD one
// attempt is missing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef THREADS
#define THREADS 2
#endif
#ifdef BAD
#define ATTEMPTS ((THREADS - 1) * N)
#else
#define ATTEMPTS ((THREADS - 1) * N + 1)
#endif

static atomic_int counter;

static void *run(void *unused) {
    for (int i = 0; i < N; i++) {
        int old = atomic_load(&counter), done = 0;
        for (int j = 0; j < ATTEMPTS && !done; j++)
            done = atomic_compare_exchange_strong(&counter, &old, old + 1);
        assert(done);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(atomic_load(&counter) == THREADS * N);
    return 0;
}
