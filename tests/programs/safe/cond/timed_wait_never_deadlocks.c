// what: nobody signals, but a timed wait always times out in the end
// expect: assert=ok
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec until = {1, 500};
    pthread_mutex_lock(&mutex);
    int error = pthread_cond_timedwait(&never, &mutex, &until);
    assert(error == ETIMEDOUT || error == 0);
    pthread_mutex_unlock(&mutex);
    return 0;
}
