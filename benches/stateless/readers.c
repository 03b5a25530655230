// One thread stores, N threads load: each of them sees the value before or after, so there are 2^N classes.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif

static atomic_int shared;

static void *store(void *unused) {
    atomic_store(&shared, 1);
    return unused;
}

static void *load(void *unused) {
    (void)atomic_load(&shared);
    return unused;
}

int main(void) {
    pthread_t writer, readers[N];
    pthread_create(&writer, NULL, store, NULL);
    for (int i = 0; i < N; i++) pthread_create(&readers[i], NULL, load, NULL);
    pthread_join(writer, NULL);
    for (int i = 0; i < N; i++) pthread_join(readers[i], NULL);
    return 0;
}
