// what: three equal threads try one lock; who fails leaves
// expect: assert=ok
// explicit: race=bounded (a failed trylock orders nothing)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker(void *unused) {
    if (pthread_mutex_trylock(&mutex) == 0) {
        inside++;
        assert(inside == 1);
        inside--;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
