// what: a worker that never ends does not keep the process from ending
// expect: termination=ok
// engines: explicit
// proved: explicit
// options: --property termination
// why: rule 7: main is scheduled at last and ends the process
#include <pthread.h>

static volatile int x;

static void *worker(void *unused) {
    for (;;)
        x = !x;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    return 0;
}
