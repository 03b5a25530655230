// what: with --clock-stands-still a deadline is no input: the loop that waits for it is proved by states
// expect: assert=ok race=ok deadlock=ok memsafety=ok
// options: --clock-stands-still
// says: clocks stand still (--clock-stands-still)
// proved: auto
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, timed_out;

static void *producer(void *unused) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec deadline;
    pthread_create(&thread, 0, producer, 0);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 2;
    deadline.tv_nsec += 500000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_nsec -= 1000000000;
        deadline.tv_sec++;
    }
    pthread_mutex_lock(&m);
    while (!ready && !timed_out)
        if (pthread_cond_timedwait(&c, &m, &deadline) == ETIMEDOUT) timed_out = 1;
    assert(ready || timed_out);
    pthread_mutex_unlock(&m);
    pthread_join(thread, 0);
    assert(time(0) == time(0));
    return 0;
}
