// what: a thread is cancelled at a join while it holds the mutex that its own child waits for
// expect: deadlock=violated
// explicit: race=bounded (whether the thread is cancelled comes without an order: rule 6)
// why: while the canceller runs, the waiter at the join is in no set of blocked threads (rule 5); once it is cancelled, the owner is finished
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t grandchild;
static void *taker(void *unused) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    return NULL;
}
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_create(&grandchild, NULL, taker, NULL);
    pthread_join(grandchild, NULL); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
