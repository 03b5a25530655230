// what: the condition variable is destroyed while a thread still waits on it
// expect: locks=violated deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, go;
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting = 1;
    if (!go) pthread_cond_wait(&cond, &mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    int destroy = waiting;
    pthread_mutex_unlock(&mutex);
    if (destroy) pthread_cond_destroy(&cond); //~ LOCKS
    pthread_join(thread, NULL);
    return 0;
}
