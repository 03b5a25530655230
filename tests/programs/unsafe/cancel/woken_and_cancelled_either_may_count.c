// what: a waiter that was signalled and then cancelled may act on the cancellation before it returns
// expect: assert=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
// why: POSIX 2.9.5: the event came before the request was acted on, so it is unspecified which counts
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, woken;
static void unlock(void *unused) { pthread_mutex_unlock(&mutex); }
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    waiting = 1;
    pthread_cond_wait(&cond, &mutex);
    woken = 1;
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    int signalled = waiting;
    if (signalled) pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    if (signalled) assert(woken); //~ ASSERT
    return 0;
}
