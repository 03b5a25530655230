// what: without fairness the thread that raises the flag may never run
// expect: termination=violated
// engines: explicit
// options: --property termination --no-fairness
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *raiser(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, raiser, 0);
    while (!flag) {} //~ TERMINATION
    pthread_join(t, 0);
    return 0;
}
