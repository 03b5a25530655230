// what: main takes it that the thread it created first leads
// expect: assert=violated
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
    assert(pthread_equal(leader, threads[0])); //~ ASSERT
    return 0;
}
