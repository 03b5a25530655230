// what: under sequential consistency at least one of two threads sees the other's store
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;
static void *first(void *unused) {
    atomic_store(&x, 1);
    seen_y = atomic_load(&y);
    return NULL;
}
static void *second(void *unused) {
    atomic_store(&y, 1);
    seen_x = atomic_load(&x);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_x || seen_y);
    return 0;
}
