// what: a weak compare-exchange that is retried succeeds at last
// expect: termination=ok
// engines: explicit
// proved: explicit
// options: --property termination
// why: the table: it does not fail spuriously for ever in a fair run
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *add(void *unused) {
    int seen = atomic_load(&value);
    while (!atomic_compare_exchange_weak(&value, &seen, seen + 1)) {
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
