// what: the signal comes before the wait and is lost, since nothing remembers it
// expect: termination=violated
// engines: explicit
// options: --property termination
// why: the waiter wakes up only spuriously, finds nothing, and waits again, for ever
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int signalled;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    do
        pthread_cond_wait(&ready, &lock); //~ TERMINATION
    while (!signalled);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_cond_signal(&ready); /* nobody may be waiting yet, and nothing is remembered */
    pthread_join(t, 0);
    return 0;
}
