// what: the classic wait: test the predicate in a loop under the mutex
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready, value;
static void *producer(void *unused) {
    pthread_mutex_lock(&mutex);
    value = 9;
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_mutex_lock(&mutex);
    while (!is_ready) pthread_cond_wait(&ready, &mutex);
    assert(value == 9);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
