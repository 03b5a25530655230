// what: a loop polls under a mutex; another thread sees by a failed try that the mutex is held in a later round
// expect: assert=violated
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
// why: the first round is over when `turns` is set; the second one holds the mutex while main tries it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turns, is_done;

static void *poller(void *unused) {
    while (!is_done) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        turns = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, poller, NULL);
    while (!turns) {
    }
    assert(pthread_mutex_trylock(&mutex) == 0);
    is_done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
