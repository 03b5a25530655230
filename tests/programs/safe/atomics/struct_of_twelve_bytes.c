// what: an atomic struct of an odd size: load, store, exchange and compare-exchange are whole
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct triple { int a, b, c; };
static _Atomic struct triple shared;
static void *writer(void *argument) {
    int v = (int)(long)argument;
    struct triple mine = {v, v, v}, old = atomic_exchange(&shared, mine);
    assert(old.a == old.b && old.b == old.c);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, (void *)1);
    pthread_create(&b, NULL, writer, (void *)2);
    struct triple seen = atomic_load(&shared), next = {9, 9, 9};
    assert(seen.a == seen.b && seen.b == seen.c);
    if (!atomic_compare_exchange_strong(&shared, &seen, next)) assert(seen.a == seen.c);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
