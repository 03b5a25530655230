// what: the channel may lose every message: delivery is not promised without fairness of the channel
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=<> arrived" --prop "arrived=last >= 0"
// why: choices of input are not fair
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int message = -1, last = -1;

static void *receiver(void *unused) {
    for (;;) {
        int got = message;
        if (got >= 0)
            last = got;
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, receiver, 0);
    for (;;)
        message = raddle_any_bool() ? 0 : -1; //~ LTL
}
