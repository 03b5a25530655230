// what: relaxed 16-byte stores and loads: sequential consistency alone forbids both reads to miss
// expect: assert=ok race=ok
// explicit: all=bounded (weaker orders: rule 2)
// why: on real machines the assertion may fail, so nothing is proved
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic __int128 x, y;
static int a, b;

static void *left(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = (int)atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

static void *right(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = (int)atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&other, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(a || b);
    return 0;
}
