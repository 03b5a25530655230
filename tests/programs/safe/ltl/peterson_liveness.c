// what: Peterson's algorithm: who wants to enter enters at last, and never both are inside
// expect: ltl=ok
// engines: explicit
// proved: explicit
// options: --property "ltl=[] (want0 -> <> in0)" --property "ltl=[] (want1 -> <> in1)" --property "ltl=[] !(in0 && in1)" --prop "want0=flag[0]" --prop "want1=flag[1]" --prop "in0=inside[0]" --prop "in1=inside[1]"
// why: Peterson 1981: the turn lets the other in first, once
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static volatile int inside[2];

static void *process(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
    for (;;) {
        flag[me] = 1;
        turn = other;
        while (flag[other] && turn == other) {}
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
