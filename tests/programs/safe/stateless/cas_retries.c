// what: an increment by compare-exchange, tried until it succeeds
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *add(void *unused) {
    int old = x;
    while (!atomic_compare_exchange_strong(&x, &old, old + 1)) {
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
