// what: the flag is looked at before the mutex is taken, and the signal can come in between
// expect: deadlock=violated
// why: flag seen as 0, flag set, signal to nobody, wait for ever
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int flag;
static void *waiter(void *unused) {
    if (!flag) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&cond, &mutex); //~ DEADLOCK
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    flag = 1;
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
