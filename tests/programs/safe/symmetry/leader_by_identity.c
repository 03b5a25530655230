// what: equal threads elect the first by its identity: exactly one leads
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int has_leader, led;
static pthread_t leader;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    if (!has_leader) {
        has_leader = 1;
        leader = pthread_self();
    }
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    if (pthread_equal(leader, pthread_self())) led++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(led == 1);
    return 0;
}
