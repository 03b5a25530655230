// Treiber's stack of indices: N threads push one node each, with as many attempts as can fail; then main finds them all. With
// -DBAD the top is stored without a comparison.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int top, below[N + 1];

static void *push(void *argument) {
    int me = (int)(long)argument + 1;
    int old = atomic_load(&top), done = 0;
    for (int i = 0; i < N && !done; i++) {
        atomic_store(&below[me], old);
#ifdef BAD
        atomic_store(&top, me);
        done = 1;
#else
        done = atomic_compare_exchange_strong(&top, &old, me);
#endif
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, push, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    int at = atomic_load(&top), count = 0;
    for (int i = 0; i < N && at; i++) {
        count++;
        at = atomic_load(&below[at]);
    }
    assert(count == N);
    return 0;
}
