// what: a weak compare-exchange in a loop succeeds in the end
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *child(void *unused) {
    int seen = x;
    while (!atomic_compare_exchange_weak(&x, &seen, seen + 1)) {}
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    child(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
