// what: a late thread locks a mutex that main has destroyed
// expect: locks=violated
// explicit: race=bounded (that the mutex is destroyed tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex); //~ LOCKS
    pthread_mutex_unlock(&mutex); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_mutex_destroy(&mutex); //~ LOCKS
    pthread_join(thread, NULL);
    return 0;
}
