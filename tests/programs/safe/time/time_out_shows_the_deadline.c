// what: after a time-out the clocks show the deadline or a later time, whatever was waited for
// expect: assert=ok
// explicit: assert=unknown overflow=unknown (a time is an input too wide to try: rule 9)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static struct timespec until;

static void over(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec > until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));
}

static void in(int seconds) {
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
}

int main(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    mtx_t held;
    cnd_t d;
    sem_t s;
    cnd_init(&d);
    mtx_init(&held, mtx_plain);
    sem_init(&s, 0, 0);
    pthread_mutex_lock(&m);
    in(1);
    if (pthread_cond_timedwait(&c, &m, &until) == ETIMEDOUT) over();
    pthread_mutex_unlock(&m);
    in(2);
    if (sem_timedwait(&s, &until) && errno == ETIMEDOUT) over();
    mtx_lock(&held);
    in(3);
    if (cnd_timedwait(&d, &held, &until) == thrd_timedout) over();
    mtx_unlock(&held);
    return 0;
}
