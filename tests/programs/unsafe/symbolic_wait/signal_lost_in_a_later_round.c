// what: the signal is sent without the mutex once the waiter has waited: only a spurious wake-up lets it be lost
// expect: deadlock=violated
// why: woken, the waiter finds no flag; before it waits again, the flag is set and the signal has no waiter
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int waits;
static atomic_int is_ready;

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!is_ready) {
        waits = 1;
        pthread_cond_wait(&ready, &mutex);
    }

    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    int seen = 0;
    while (!seen) {
        pthread_mutex_lock(&mutex);
        seen = waits;
        pthread_mutex_unlock(&mutex);
    }

    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_join(thread, NULL);
    return 0;
}
