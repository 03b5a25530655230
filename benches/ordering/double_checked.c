// N threads use a value that the first of them makes under a lock; a flag says that it is there. With -DBAD the flag is set before the
// value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int ready, value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&mutex);
        if (!atomic_load(&ready)) {
#ifdef BAD
            atomic_store(&ready, 1);
            atomic_store(&value, atomic_load(&value) + 7);
#else
            atomic_store(&value, atomic_load(&value) + 7);
            atomic_store(&ready, 1);
#endif
        }
        pthread_mutex_unlock(&mutex);
    }
    assert(atomic_load(&value) == 7);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
