// what: what was written before a release of a 24-byte object may be read after its acquire
// expect: assert=ok race=ok
// explicit: all=bounded (weaker orders: rule 2)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct triple { long long a, b, c; };
static _Atomic struct triple shared;
static int message;

static void *writer(void *unused) {
    message = 42;
    atomic_store_explicit(&shared, ((struct triple){1, 1, 1}), memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    struct triple p = atomic_load_explicit(&shared, memory_order_acquire);
    assert(p.a == p.c);
    if (p.a) assert(message == 42);
    pthread_join(thread, NULL);
    return 0;
}
