// N threads draw two numbers each. No number is drawn twice. With -DBAD the second one is drawn by a load and a store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int next;
static int first[N], second[N];

static void *run(void *argument) {
    long me = (long)argument;
    first[me] = atomic_fetch_add(&next, 1);
#ifdef BAD
    second[me] = atomic_load(&next);
    atomic_store(&next, second[me] + 1);
#else
    second[me] = atomic_fetch_add(&next, 1);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 1; i < N; i++) assert(first[i] != first[0] && second[i] != second[0] && first[i] != second[0]);
    return 0;
}
