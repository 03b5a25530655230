// what: a request that is pending at fopen may be acted on there: the mutex stays locked
// expect: deadlock=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    fopen("name", "r");
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_cancel(thread);
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
