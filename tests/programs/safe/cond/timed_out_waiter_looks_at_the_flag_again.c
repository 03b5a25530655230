// what: after a time-out the flag is read again under the mutex, so a late signal is no surprise
// expect: assert=ok
// proved: explicit stateless
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
    int error = 0;
    while (!flag && !error) error = pthread_cond_timedwait(&cond, &mutex, &until);
    assert(flag || error == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
