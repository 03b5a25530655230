// what: a flag under the mutex, and no spurious wake-ups: the signal is not lost, and everything ends
// expect: termination=ok
// engines: explicit
// proved: explicit
// options: --property termination --no-spurious-wakeups
// why: with spurious wake-ups the waiter could take the mutex again and again: see unsafe/termination
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int signalled;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    while (!signalled)
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    signalled = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
