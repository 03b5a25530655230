// A barrier of an atomic counter: N threads store their part before it, and add those of their neighbours after it. With
// -DBAD it opens one arrival too early.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifdef BAD
#define ENOUGH (N - 1)
#else
#define ENOUGH N
#endif

static atomic_int arrived, part[N];

static void *run(void *argument) {
    int me = (int)(long)argument;
    atomic_store(&part[me], me + 1);
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < ENOUGH)
        ;
    int sum = 0;
    for (int i = 0; i < N; i++) sum += atomic_load(&part[i]);
    assert(sum == N * (N + 1) / 2);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
