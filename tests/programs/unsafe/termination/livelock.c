// what: two threads back off for each other again and again; the mark of progress is never passed
// expect: termination=violated
// engines: explicit
// options: --property termination
// why: both take their own, see the other's taken, and give back, in step
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int taken[2];

static void *polite(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        taken[me] = 1; //~ TERMINATION
        if (taken[1 - me]) {
            taken[me] = 0;
            continue;
        }
        raddle_progress();
        taken[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, polite, (void *)1);
    polite((void *)0);
    return 0;
}
