// what: the second compare-exchange succeeds only after the first
// expect: assert=ok race=ok deadlock=ok
// why: two classes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *first(void *unused) {
    int expected = 0;
    atomic_compare_exchange_strong(&x, &expected, 1);
    return NULL;
}
static void *second(void *unused) {
    int expected = 1;
    atomic_compare_exchange_strong(&x, &expected, 2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
