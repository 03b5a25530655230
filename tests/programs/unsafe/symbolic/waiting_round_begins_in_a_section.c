// what: the first round of a waiting loop ends the atomic section before it, and so shows what that wrote
// expect: assert=violated race=violated
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int go, ready;

static void *worker(void *unused) {
    __VERIFIER_atomic_begin();
    ready = 1;
    while (!go) __VERIFIER_atomic_end();
    assert(0); //~ ASSERT
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    while (!ready) {
    }
    go = 1;
    return 0;
}
