// what: each round of a waiting loop raises a flag and lowers it again; another thread sees it raised after it was lowered once
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int raised, rounds, is_open;

static void *waiter(void *unused) {
    while (!is_open) {
        raised = 1;
        raised = 0;
        rounds = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    while (!rounds) {
    }
    assert(!raised);
    is_open = 1;
    pthread_join(thread, NULL);
    return 0;
}
