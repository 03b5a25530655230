// N writers store their number, two readers read twice each. The second reader does not see two values in the opposite order
// of the first one. With -DBAD it may see them in any other order than that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x;
static int seen[2][2];

static void *write(void *argument) {
    atomic_store(&x, (int)(long)argument + 1);
    return NULL;
}

static void *read(void *argument) {
    long me = (long)argument;
    for (int i = 0; i < 2; i++) seen[me][i] = atomic_load(&x);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, read, (void *)i);
    for (long i = 0; i < N; i++) pthread_create(&threads[i + 2], NULL, write, (void *)i);
    for (int i = 0; i < N + 2; i++) pthread_join(threads[i], NULL);
#ifdef BAD
    assert(!(seen[0][0] == 1 && seen[0][1] == N && seen[1][0] == 1 && seen[1][1] == N - 1));
#else
    assert(!(seen[0][0] != seen[0][1] && seen[0][0] == seen[1][1] && seen[0][1] == seen[1][0]));
#endif
    return 0;
}
