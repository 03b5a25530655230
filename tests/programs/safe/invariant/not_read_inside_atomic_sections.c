// what: two variables that are equal between atomic sections, and differ only inside
// expect: invariant=ok
// engines: explicit stateless
// proved: explicit
// options: --property assert --invariant "a == b"
// why: rule 11: invariants are not read inside atomic sections
#include <pthread.h>
#include <raddle.h>

static int a, b;

static void *worker(void *unused) {
    raddle_atomic_begin();
    a++;
    b++;
    raddle_atomic_end();
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
