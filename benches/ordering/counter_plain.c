// THREADS threads increment a counter N times without any lock. At least 2 is reached (with one increment each: 1). With -DBAD more is expected.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef THREADS
#define THREADS 2
#endif

static atomic_int counter;

static void *run(void *unused) {
    for (int i = 0; i < N; i++) atomic_store(&counter, atomic_load(&counter) + 1);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
#ifdef BAD
    assert(atomic_load(&counter) >= 3);
#else
    assert(atomic_load(&counter) >= (N > 1 ? 2 : 1));
#endif
    return 0;
}
