// what: two threads count up without a lock around the check; the static counter passes its limit
// expect: invariant=violated
// engines: explicit stateless
// options: --property assert --invariant "count <= 1"
// why: both threads see 0 and both add 1
#include <pthread.h>

static _Atomic int count;

static void *worker(void *unused) {
    if (count < 1)
        count++; //~ INVARIANT
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    worker(0);
    pthread_join(one, 0);
    return 0;
}
