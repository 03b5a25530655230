// what: a waiter whose time is up still stands at the mutex while another thread sets the flag and signals
// expect: assert=violated
// why: POSIX, pthread_cond_timedwait: leaving the set of waiters and taking the mutex again are two steps
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, flag;
static void *waker(void *unused) {
    pthread_mutex_lock(&mutex);
    if (waiting) {
        flag = 1;
        pthread_cond_signal(&cond);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timespec until = {0, 0};
    pthread_create(&thread, NULL, waker, NULL);
    pthread_mutex_lock(&mutex);
    waiting = 1;
    if (pthread_cond_timedwait(&cond, &mutex, &until) == ETIMEDOUT) assert(!flag); //~ ASSERT
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
