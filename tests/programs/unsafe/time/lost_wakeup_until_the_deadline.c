// what: a waiter that gives up at its deadline finds the work undone
// expect: assert=violated
// explicit: assert=unknown race=unknown (a time is an input too wide to try: rule 9)
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    struct timespec until;
    pthread_create(&t, NULL, worker, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&m);
    while (!ready)
        if (pthread_cond_timedwait(&c, &m, &until) == ETIMEDOUT) break;
    assert(ready); //~ ASSERT
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
