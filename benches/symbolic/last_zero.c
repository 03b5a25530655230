// Thread i stores one more than its left neighbour's cell into its own, while one thread walks from the right end to the
// first cell that is zero. With -DBAD it must not get further than the last cell but one. Known as lastzero (Abdulla,
// Aronis, Jonsson, Sagonas, POPL 2014).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int cell[N + 1];

static void *walk(void *unused) {
    int at = N;
    while (atomic_load(&cell[at]) != 0) at--;
#ifdef BAD
    assert(at >= N - 1);
#else
    assert(at >= 0);
#endif
    return unused;
}

static void *grow(void *own) {
    long at = (long)own;
    int left = atomic_load(&cell[at - 1]);
    atomic_store(&cell[at], left + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, walk, NULL);
    for (long i = 1; i <= N; i++) pthread_create(&threads[i], NULL, grow, (void *)i);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    return 0;
}
