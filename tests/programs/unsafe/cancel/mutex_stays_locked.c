// what: a thread is cancelled while it holds a mutex and has no cleanup handler
// expect: deadlock=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_testcancel();
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_cancel(thread);
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return 0;
}
