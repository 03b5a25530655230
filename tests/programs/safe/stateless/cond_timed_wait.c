// what: a timed wait ends by the signal or by time
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int flag;
static void *wait(void *unused) {
    struct timespec until = {1, 0};
    pthread_mutex_lock(&mutex);
    if (!flag) pthread_cond_timedwait(&condition, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *wake(void *unused) {
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, wait, NULL);
    pthread_create(&b, NULL, wake, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(flag);
    return 0;
}
