// what: a thread cancelled in a condition wait owns the mutex in its cleanup handler
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
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    for (;;) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, child, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    pthread_mutex_lock(&mutex);
    assert(result == PTHREAD_CANCELED && cleaned == 1);
    pthread_mutex_unlock(&mutex);
    return 0;
}
