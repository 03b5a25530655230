// what: seq_cst 16-byte stores and loads: one of the two reads sees the other's store
// expect: assert=ok race=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic __int128 x, y;
static int a, b;

static void *left(void *unused) {
    atomic_fetch_add(&x, 1);
    a = (int)atomic_load(&y);
    return NULL;
}

static void *right(void *unused) {
    y = 1;
    b = (int)atomic_load(&x);
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
