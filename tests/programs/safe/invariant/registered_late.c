// what: an invariant counts from the moment at which it is registered, not before
// expect: invariant=ok
// engines: explicit stateless
// proved: explicit stateless
// options: --property assert
#include <raddle.h>

static int ready;
static int is_ready(void) { return ready; }

int main(void) {
    ready = 1;
    raddle_invariant(is_ready);
    raddle_invariant(is_ready);
    ready = 2;
    return 0;
}
