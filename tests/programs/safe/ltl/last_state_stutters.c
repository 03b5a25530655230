// what: main waits for the worker, so at the end the flag is up, and stays so
// expect: ltl=ok
// engines: explicit
// proved: explicit
// options: --property "ltl=<>[] up" --prop "up=flag"
#include <pthread.h>

static int flag;

static void *worker(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
