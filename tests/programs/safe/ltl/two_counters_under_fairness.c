// what: two threads that never wait for each other: with fairness, both get on for ever
// expect: ltl=ok
// engines: explicit
// proved: explicit
// options: --property "ltl=[]<> one && []<> two" --prop "one=x == 1" --prop "two=y == 1"
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
        x = 0;
    }
}
