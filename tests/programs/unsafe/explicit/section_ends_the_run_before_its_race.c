// what: an access inside an atomic section conflicts with one outside, but every run with the outer one behind ends before it
// expect: assert=violated
// explicit: race=unknown (rule 6: two threads stand before conflicting accesses, and no run has both unordered)
// why: if the exchange comes first it fails, and the assertion ends the run; if the addition comes first, it is ordered before the exchange
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

_Atomic int y;

static void *thread(void *p) {
    __VERIFIER_atomic_begin();
    int seen = 1;
    atomic_compare_exchange_strong(&y, &seen, 2);
    *(int *)&y = seen;
    assert(seen != 0); //~ ASSERT
    __VERIFIER_atomic_end();
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    atomic_fetch_add(&y, 1);
    pthread_exit(0);
}
