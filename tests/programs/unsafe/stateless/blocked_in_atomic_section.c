// what: a section waits for a mutex that another thread holds
// expect: deadlock=violated
// why: a switch when the other thread has the mutex; preemptions: 1
// explicit: race=bounded (synchronisation inside an atomic section may hide an order: rule 6)
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *hold(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *section(void *unused) {
    raddle_atomic_begin();
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, hold, NULL);
    pthread_create(&b, NULL, section, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
