// what: the same two variables, written in turn: the second only after the first was seen
// expect: invariant=ok
// engines: explicit stateless
// proved: explicit stateless
// options: --property assert --invariant "!(left == 1 && right == 0)"
// why: left is written only where right was found written
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
    if (atomic_load(&right)) atomic_store(&left, 1);
    pthread_join(thread, 0);
    return 0;
}
