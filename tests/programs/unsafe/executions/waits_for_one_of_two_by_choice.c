// what: a loop that yields looks at one of two flags in each turn, which one is an input
// expect: assert=violated
// why: it looks at x first, and at y when that is set; all switches are after yields; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
static atomic_int begun, x, y;

static void *wait_for_one(void *unused) {
    begun = 1;
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            if (y) break;
        } else {
            if (x) break;
        }
        sched_yield();
    }
    assert(0); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait_for_one, NULL);
    while (!begun) sched_yield();
    y = 1;
    pthread_join(waiter, NULL);
    return 0;
}
