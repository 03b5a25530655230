// THREADS threads add to one variable N times each, under a lock; none of the additions may be lost. With -DBAD there is no
// lock. The paper's synthetic program (micro), which grows in threads and in visible operations.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef N
#define N 2
#endif

static int total;
#ifdef BAD
#define LOCK
#define UNLOCK
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&mutex);
#define UNLOCK pthread_mutex_unlock(&mutex);
#endif

static void *add(void *unused) {
    for (int i = 0; i < N; i++) {
        LOCK
        int seen = total;
        total = seen + 1;
        UNLOCK
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(total == THREADS * N);
    return 0;
}
