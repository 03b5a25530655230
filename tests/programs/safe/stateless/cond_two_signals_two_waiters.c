// what: each signal wakes any one of the waiters
// expect: assert=ok race=ok deadlock=ok
// why: which waiter a signal wakes is a choice in a section
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int permits;
static void *take(void *unused) {
    pthread_mutex_lock(&mutex);
    while (permits == 0) pthread_cond_wait(&condition, &mutex);
    permits--;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_mutex_lock(&mutex);
    permits++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    permits++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(permits == 0);
    return 0;
}
