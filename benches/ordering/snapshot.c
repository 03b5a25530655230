// One thread counts two cells up together, N times, the first one first; N others read the second one and then the first one, which is
// not behind. With -DBAD they read them in the other order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int first, second;

static void *count(void *unused) {
    for (int i = 1; i <= N; i++) {
        atomic_store(&first, i);
        atomic_store(&second, i);
    }
    return unused;
}

static void *look(void *unused) {
#ifdef BAD
    int a = atomic_load(&first), b = atomic_load(&second);
#else
    int b = atomic_load(&second), a = atomic_load(&first);
#endif
    assert(a >= b);
    return unused;
}

int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[N], NULL, count, NULL);
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, look, NULL);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    return 0;
}
