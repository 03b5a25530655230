// what: equal threads are created in two loops and by one call more, and joined in one
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    static pthread_t threads[4];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 2; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    pthread_create(&threads[3], NULL, worker, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert(sum == 4);
    return 0;
}
