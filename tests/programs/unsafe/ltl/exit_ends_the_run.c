// what: main returns before the worker has written: the run ends there, and the flag stays down for ever
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=<> up" --prop "up=flag"
// why: rule 7: for LTL the end of the process ends the run, and nothing is owed afterwards
#include <pthread.h>

static int flag;

static void *worker(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0); //~ LTL
    return 0;
}
