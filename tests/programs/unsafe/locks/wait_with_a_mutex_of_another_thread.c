// what: a thread waits on a condition variable with a mutex that main holds
// expect: locks=violated
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void *child(void *unused) {
    struct timespec until = {1, 0};
    pthread_cond_timedwait(&cond, &mutex, &until); //~ LOCKS
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    return 0;
}
