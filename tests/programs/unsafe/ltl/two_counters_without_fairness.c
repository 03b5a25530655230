// what: the same two threads without fairness: one may be left out for ever
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=[]<> one && []<> two" --prop "one=x == 1" --prop "two=y == 1" --no-fairness
#include <pthread.h>

static volatile int x, y;

static void *other(void *unused) {
    for (;;) {
        y = 1;
        y = 0;
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    for (;;) {
        x = 1;
        x = 0; //~ LTL
    }
}
