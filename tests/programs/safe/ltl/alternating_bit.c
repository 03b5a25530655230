// what: the alternating bit protocol over a channel of one place that may lose messages: what arrives alternates
// expect: ltl=ok
// engines: explicit
// proved: explicit
// options: --property "ltl=[] (wrong -> false)" --property "ltl=[]<> delivers -> []<> zero && []<> one" --prop "wrong=error" --prop "delivers=changed" --prop "zero=last == 0" --prop "one=last == 1"
// why: Bartlett, Scantlebury, Wilkinson 1969: the receiver takes a message only with the bit that it expects
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int message = -1, acknowledgement = -1; /* -1: empty */
static atomic_int last = -1, changed, error;

static void *receiver(void *unused) {
    int expected = 0;
    for (;;) {
        int got = message;
        if (got == expected) {
            if (last == expected)
                error = 1;
            last = got;
            changed = 1;
            changed = 0;
            expected = !expected;
        }
        if (got >= 0)
            acknowledgement = got;
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, receiver, 0);
    int bit = 0;
    for (;;) {
        message = raddle_any_bool() ? bit : -1; /* lost */
        if (acknowledgement == bit)
            bit = !bit;
    }
}
