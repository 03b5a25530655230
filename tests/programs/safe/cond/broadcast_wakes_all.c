// what: a broadcast wakes two waiters; destroying the condition variable afterwards is right
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open_gate = PTHREAD_COND_INITIALIZER;
static int is_open, passed;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!is_open) pthread_cond_wait(&open_gate, &mutex);
    passed++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_mutex_lock(&mutex);
    is_open = 1;
    pthread_cond_broadcast(&open_gate);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(passed == 2);
    assert(pthread_cond_destroy(&open_gate) == 0);
    return 0;
}
