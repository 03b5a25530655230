// what: a timed lock of one's own mutex times out: no deadlock
// expect: assert=ok
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    pthread_mutex_t mutex;
    struct timespec until = {1, 0};
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    return 0;
}
