// what: two threads wait on one condition variable with different mutexes
// expect: locks=violated deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void *child(void *argument) {
    pthread_mutex_t *mutex = &mutexes[(long)argument];
    pthread_mutex_lock(mutex);
    pthread_cond_wait(&cond, mutex); //~ LOCKS //~ DEADLOCK
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, (void *)0);
    pthread_create(&b, NULL, child, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
