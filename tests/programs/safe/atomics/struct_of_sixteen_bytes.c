// what: an atomic struct of two longs is read and written whole
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair { long long a, b; };
static _Atomic struct pair shared;
static void *writer(void *unused) {
    struct pair p = {1, 1};
    atomic_store(&shared, p);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    struct pair p = atomic_load(&shared);
    assert(p.a == p.b);
    pthread_join(thread, NULL);
    return 0;
}
