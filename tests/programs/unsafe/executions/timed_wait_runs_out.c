// what: a timed wait may run out, or wake without a signal
// expect: assert=violated
// why: nobody signals: the time runs out; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static struct timespec soon;

int main(void) {
    pthread_mutex_lock(&mutex);
    int answer = pthread_cond_timedwait(&condition, &mutex, &soon);
    assert(answer == 0); //~ ASSERT
    pthread_mutex_unlock(&mutex);
    return 0;
}
