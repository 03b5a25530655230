// N threads store to one variable: every order is a class of its own, N! in all.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 6
#endif

static atomic_long shared;

static void *store(void *own) {
    atomic_store(&shared, (long)own);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, store, (void *)(i + 1));
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
