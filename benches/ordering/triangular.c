// Two threads, each of which sets its variable N times to one more than the other one's. Neither gets beyond 2 N + 1. With -DBAD one
// less is expected.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifdef BAD
#define MOST (2 * N)
#else
#define MOST (2 * N + 1)
#endif

static atomic_int left, right = 1;

static void *raise_left(void *unused) {
    for (int i = 0; i < N; i++) atomic_store(&left, atomic_load(&right) + 1);
    return unused;
}

static void *raise_right(void *unused) {
    for (int i = 0; i < N; i++) atomic_store(&right, atomic_load(&left) + 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, raise_left, NULL);
    pthread_create(&threads[1], NULL, raise_right, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(atomic_load(&left) <= MOST && atomic_load(&right) <= MOST);
    return 0;
}
