// what: a mutex is destroyed that a waiter on a condition variable will take again
// expect: locks=violated
// options: --no-spurious-wakeups
// explicit: race=bounded (without spurious wake-ups a signal tells of another thread: rule 6)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting;
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting = 1;
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    int destroy = waiting;
    pthread_mutex_unlock(&mutex);
    if (destroy) {
        pthread_mutex_destroy(&mutex); //~ LOCKS
        pthread_cond_signal(&cond);
        pthread_join(thread, NULL);
    }
    return 0;
}
