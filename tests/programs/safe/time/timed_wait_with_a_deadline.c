// what: a wait with a deadline half a second ahead: whatever the clock shows, a flag is set or the time is up
// expect: assert=ok
// explicit: race=unknown (results of waits that time out: by types)
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, timed_out;

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
    until.tv_nsec += 500000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&m);
    while (!ready && !timed_out)
        if (pthread_cond_timedwait(&c, &m, &until) == ETIMEDOUT) timed_out = 1;
    assert(ready || timed_out);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
