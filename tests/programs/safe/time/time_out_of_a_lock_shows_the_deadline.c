// what: a lock that times out: the clocks show the deadline
// expect: assert=ok
// explicit: assert=unknown race=unknown locks=unknown (a time is an input too wide to try: rule 9)
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    if (pthread_mutex_timedlock(&m, &until) == ETIMEDOUT) {
        time_t now = time(NULL);
        assert(now >= until.tv_sec);
    } else {
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
