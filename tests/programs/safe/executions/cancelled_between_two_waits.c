// what: a thread that waits for ever is cancelled, perhaps after it woke without a signal
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void unlock(void *unused) {
    cleaned++;
    pthread_mutex_unlock(&mutex);
}
static void *wait(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    for (;;) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t waiter;
    void *result;
    pthread_create(&waiter, NULL, wait, NULL);
    pthread_cancel(waiter);
    pthread_join(waiter, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
