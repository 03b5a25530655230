// what: Peterson's algorithm without the turn: both want, and both wait for ever
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=[] (want0 -> <> in0)" --prop "want0=flag[0]" --prop "in0=inside[0]"
// why: both raise their flags, and neither takes its own down
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2];
static volatile int inside[2];

static void *process(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
    for (;;) {
        flag[me] = 1;
        while (flag[other]) {} //~ LTL
        inside[me] = 1;
        inside[me] = 0;
        flag[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, process, (void *)1);
    process((void *)0);
    return 0;
}
