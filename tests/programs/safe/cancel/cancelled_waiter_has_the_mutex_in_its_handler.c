// what: the cleanup handler of a cancelled wait runs with the mutex held
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int inside;
static void cleanup(void *unused) {
    assert(inside == 0);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&mutex);
}
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(cleanup, NULL);
    pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_cancel(thread);
    pthread_mutex_lock(&mutex);
    assert(inside == 0);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
