// what: a server that never ends, but passes a mark of progress in every round: no livelock
// expect: termination=ok
// engines: explicit
// proved: explicit
// options: --property termination
#include <raddle.h>

static int served;

int main(void) {
    for (;;) {
        served = !served;
        raddle_progress();
    }
}
