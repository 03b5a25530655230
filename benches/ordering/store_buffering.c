// N threads in a ring: each sets its own flag and reads that of the next. Not all of them read zero. With -DBAD the flag
// is set after the read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int flag[N];
static int seen[N];

static void *run(void *argument) {
    long me = (long)argument;
#ifdef BAD
    seen[me] = atomic_load(&flag[(me + 1) % N]);
    atomic_store(&flag[me], 1);
#else
    atomic_store(&flag[me], 1);
    seen[me] = atomic_load(&flag[(me + 1) % N]);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    int sum = 0;
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        sum += seen[i];
    }
    assert(sum > 0);
    return 0;
}
