// what: an exchange that is repeated for ever may fail spuriously now and then, for ever
// expect: ltl=violated
// engines: explicit
// options: --prop "fails=failures == 1" --property ltl="<>[] !fails"
// why: between two failures it succeeds, so the run is fair
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
int failures;

static void *toggle(void *unused) {
    for (;;) {
        int seen = 0;
        if (atomic_compare_exchange_weak(&value, &seen, 0))
            failures = 0;
        else
            failures = 1;
    }
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, toggle, 0);
    pthread_join(one, 0);
    return 0;
}
