// what: a cancelled waiter runs its cleanup handler only when it has the mutex again; others come before
// expect: assert=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, flag;
static void cleanup(void *unused) {
    assert(!flag); //~ ASSERT
    pthread_mutex_unlock(&mutex);
}
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting = 1;
    pthread_cleanup_push(cleanup, NULL);
    pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(0);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *setter(void *unused) {
    pthread_mutex_lock(&mutex);
    if (waiting) flag = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, waiter, NULL);
    pthread_create(&second, NULL, setter, NULL);
    pthread_cancel(first);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
