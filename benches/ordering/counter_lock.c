// THREADS threads increment a counter N times, under a lock. With -DBAD one of them forgets the lock the last time.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef THREADS
#define THREADS 2
#endif

static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
    long me = (long)argument;
    for (int i = 0; i < N; i++) {
        int locked = 1;
#ifdef BAD
        locked = !(me == 0 && i == N - 1);
#endif
        if (locked) pthread_mutex_lock(&mutex);
        counter++;
        if (locked) pthread_mutex_unlock(&mutex);
    }
    (void)me;
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(counter == THREADS * N);
    return 0;
}
