// what: runs in which the assumption fails are none, so in all that are left the value is 1
// expect: ltl=ok
// engines: explicit
// proved: explicit
// options: --property "ltl=<>[] one" --prop "one=x == 1"
// why: rule 8: a run with a failed assumption is no LTL run
#include <raddle.h>

static int x;

int main(void) {
    x = raddle_any_in(0, 3);
    raddle_assume(x == 1);
    for (;;)
        raddle_yield();
}
