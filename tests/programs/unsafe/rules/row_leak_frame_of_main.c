// what: after main has returned, its variables no longer count: what only they point to is a leak
// expect: leak=violated
// options: --property leak
#include <stdlib.h>

static void set(char **place) { *place = malloc(1); } //~ LEAK

int main(void) {
    char *kept = malloc(1), *set_elsewhere; //~ LEAK
    set(&set_elsewhere);
    *kept = 1;
    return 0;
}
