// what: the waiter wakes up spuriously for ever, and holds the mutex whenever main tries to take it
// expect: termination=violated
// engines: explicit
// options: --property termination
// why: main is disabled again and again, so weak fairness owes it nothing (with strong fairness it would get in)
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int signalled;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    while (!signalled) //~ TERMINATION
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
