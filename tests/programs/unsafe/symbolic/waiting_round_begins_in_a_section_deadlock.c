// what: as waiting_round_begins_in_a_section, with a thread that locks twice behind the loop
// expect: deadlock=violated locks=violated
// options: --property deadlock --property locks
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int go, ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    __VERIFIER_atomic_begin();
    ready = 1;
    while (!go) __VERIFIER_atomic_end();
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    __VERIFIER_atomic_begin();
    int seen = ready;
    __VERIFIER_atomic_end();
    if (seen) {
        __VERIFIER_atomic_begin();
        go = 1;
        __VERIFIER_atomic_end();
    }
    return 0;
}
