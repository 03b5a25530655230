// what: threads add to one variable under a mutex in several rounds
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3, ROUNDS = 2 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *add(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        int seen = x;
        x = seen + 1;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(x == THREADS * ROUNDS);
    return 0;
}
