// N threads write two pieces of data, each under its own lock; a reader that sees the first expects the second to fit.
// Wrong with -DBAD, where the reader may come in between; without it a writer keeps the first lock until the second
// piece is written. A family of the SCT benchmarks (twostage).
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static int data_a, data_b;

static void *writer(void *unused) {
    pthread_mutex_lock(&lock_a);
    data_a = 1;
#ifdef BAD
    pthread_mutex_unlock(&lock_a);
#endif
    pthread_mutex_lock(&lock_b);
    data_b = data_a + 1;
    pthread_mutex_unlock(&lock_b);
#ifndef BAD
    pthread_mutex_unlock(&lock_a);
#endif
    return unused;
}

static void *reader(void *unused) {
    pthread_mutex_lock(&lock_a);
    int first = data_a;
    pthread_mutex_unlock(&lock_a);
    if (first == 0) return unused;
    pthread_mutex_lock(&lock_b);
    int second = data_b;
    pthread_mutex_unlock(&lock_b);
    assert(second == first + 1);
    return unused;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, writer, NULL);
    pthread_create(&threads[N], NULL, reader, NULL);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    return 0;
}
