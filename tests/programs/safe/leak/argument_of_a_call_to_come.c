// what: the process ends inside the second argument of a call, while the first one points to a block
// expect: leak=ok
// engines: explicit stateless
// proved: explicit stateless
// options: --property leak
// why: the first argument is still to be handed over
#include <stdlib.h>

static int *kept;

static int leave(void) { exit(0); }

static void keep(int *block, int unused) { kept = block; }

int main(void) {
    keep(malloc(sizeof(int)), leave());
    return 0;
}
