// what: what a variable of main points to when main returns is no leak, in a register or in memory
// expect: leak=ok
// options: --property leak
#include <stdlib.h>

static void set(char **place) { *place = malloc(1); }

int main(void) {
    char *kept = malloc(1), *set_elsewhere;
    set(&set_elsewhere);
    *kept = 1;
    return 0;
}
