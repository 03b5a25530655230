// what: a gate that opens once, by a broadcast, for two threads
// expect: assert=ok
// proved: explicit
// why: who comes late sees that it is open; who waits is woken; the flag is under the mutex
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open_now, value;
static void *thread(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!open_now) pthread_cond_wait(&opened, &mutex);
    pthread_mutex_unlock(&mutex);
    assert(value == 7);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    value = 7;
    pthread_mutex_lock(&mutex);
    open_now = 1;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
