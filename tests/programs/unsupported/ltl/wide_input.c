// what: an input with four thousand million values is not tried value by value
// expect: ltl=unknown
// engines: explicit
// options: --property "ltl=[] !on" --prop "on=x == 77"
#include <raddle.h>

static int x;

int main(void) {
    x = raddle_any_int() & 7; //~ UNSUPPORTED
    return 0;
}
