// what: a second thread initialises the mutex again while the first holds it
// expect: locks=violated
// explicit: race=bounded (that the mutex is held tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    pthread_mutex_init(&mutex, NULL); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&mutex);
    return 0;
}
