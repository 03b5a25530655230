// A message is handed on by N threads: each waits for its flag, adds one to the data and sets the next flag. With -DBAD the
// flag is set before the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int flag[N + 1];
static atomic_int data;

static void *run(void *argument) {
    long me = (long)argument;
    while (!atomic_load(&flag[me]))
        ;
#ifdef BAD
    atomic_store(&flag[me + 1], 1);
    atomic_store(&data, atomic_load(&data) + 1);
#else
    atomic_store(&data, atomic_load(&data) + 1);
    atomic_store(&flag[me + 1], 1);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    atomic_store(&flag[0], 1);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(atomic_load(&data) == N);
    return 0;
}
