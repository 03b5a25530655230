// what: two threads write two variables that only the invariant connects: no thread reads either
// expect: invariant=violated
// engines: explicit stateless
// options: --property assert --invariant "!(left == 1 && right == 0)"
// why: the writes touch different bytes, and the state between them is seen in one order only
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, right;

static void *write_right(void *unused) {
    atomic_store(&right, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write_right, 0);
    atomic_store(&left, 1); //~ invariant
    pthread_join(thread, 0);
    return 0;
}
