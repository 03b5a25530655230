// what: an atomic section that is never left: what follows it cannot be observed
// expect: ltl=unknown
// engines: explicit
// options: --property "ltl=[] !on" --prop "on=flag"
// why: the section spins on a flag that nobody can raise while it lasts
#include <pthread.h>
#include <raddle.h>

static volatile int flag;

int main(void) {
    raddle_atomic_begin();
    while (!flag) {} //~ UNSUPPORTED
    raddle_atomic_end();
    return 0;
}
