// A sequence lock: a writer changes two cells N times, a reader reads them once and keeps what it has read if no writer
// interfered. With -DBAD the second number is not compared.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int version, a, b;

static void *write(void *unused) {
    for (int i = 1; i <= N; i++) {
        atomic_store(&version, 2 * i - 1);
        atomic_store(&a, i);
        atomic_store(&b, i);
        atomic_store(&version, 2 * i);
    }
    return unused;
}

static void *read(void *unused) {
    for (int i = 0; i < N; i++) {
        int before = atomic_load(&version), x = atomic_load(&a), y = atomic_load(&b);
#ifdef BAD
        int after = before;
#else
        int after = atomic_load(&version);
#endif
        if (before % 2 == 0 && before == after) assert(x == y);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, write, NULL);
    pthread_create(&threads[1], NULL, read, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
