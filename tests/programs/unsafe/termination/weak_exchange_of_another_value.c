// what: the twin of weak_exchange_is_retried: the value is never the one that is expected
// expect: termination=violated
// engines: explicit
// options: --property termination
// why: it fails because the comparison does, in every round
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 1;

static void *take(void *unused) {
    int seen = 0;
    while (!atomic_compare_exchange_weak(&value, &seen, 2)) { //~ TERMINATION
        seen = 0; //~ TERMINATION
    }
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, take, 0);
    pthread_join(one, 0); //~ TERMINATION
    return 0;
}
