// what: between two joins main destroys a mutex that a thread not yet joined locks
// expect: locks=violated
// explicit: race=bounded (that the mutex is held tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *idle(void *unused) { return NULL; }

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex); //~ LOCKS
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, idle, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_mutex_destroy(&mutex); //~ LOCKS
    pthread_join(second, NULL);
    return 0;
}
