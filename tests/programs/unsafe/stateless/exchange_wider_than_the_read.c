// what: a compare-exchange of eight bytes, of which one thread writes the upper half and another reads the lower
// expect: assert=violated
// why: the read, then the write, then the exchange, which touches what was read only when it succeeds; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
    _Atomic long whole;
    atomic_int half[2];
} u;
static int exchanged, seen;

static void *p(void *unused) {
    long expected = 1L << 32;
    exchanged = atomic_compare_exchange_strong(&u.whole, &expected, 7);
    return NULL;
}
static void *q(void *unused) {
    u.half[1] = 1;
    return NULL;
}
static void *r(void *unused) {
    seen = u.half[0];
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, p, NULL);
    pthread_create(&b, NULL, q, NULL);
    pthread_create(&c, NULL, r, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(!exchanged || seen == 7); //~ ASSERT
    return 0;
}
