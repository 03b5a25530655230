// what: a thread waits for a mutex inside an atomic section: nobody can release it
// expect: deadlock=violated
// explicit: race=bounded (synchronisation inside an atomic section orders less than it excludes)
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    raddle_atomic_begin();
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    raddle_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
