// A ticket lock around a counter, one round of N threads. With -DBAD a ticket is drawn by a load and a store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int next, serving, counter;

static void *run(void *unused) {
#ifdef BAD
    int mine = atomic_load(&next);
    atomic_store(&next, mine + 1);
#else
    int mine = atomic_fetch_add(&next, 1);
#endif
    while (atomic_load(&serving) != mine)
        ;
    atomic_store(&counter, atomic_load(&counter) + 1);
    atomic_store(&serving, mine + 1);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(atomic_load(&counter) == N);
    return 0;
}
