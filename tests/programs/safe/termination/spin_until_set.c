// what: main spins on a flag that a thread raises: with fairness the spinning ends
// expect: termination=ok
// engines: explicit
// proved: explicit
// options: --property termination
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
    while (!flag) {}
    pthread_join(t, 0);
    return 0;
}
