// what: the handler is pushed before the lock, so that cancellation may come before it is held
// expect: locks=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void unlock(void *unused) { pthread_mutex_unlock(&mutex); } //~ LOCKS
static void *child(void *unused) {
    pthread_cleanup_push(unlock, NULL);
    pthread_testcancel();
    pthread_mutex_lock(&mutex);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
