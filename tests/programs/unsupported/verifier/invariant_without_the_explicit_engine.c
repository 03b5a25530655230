// what: an invariant can only be checked by the explicit engine
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
// engines: run random pct
#include <raddle.h>

static int x;
static int holds(void) { return x < 3; }

int main(void) {
    raddle_invariant(holds); //~ UNSUPPORTED
    x = 1;
    return 0;
}
