// what: where main ends the process by exit, it has not returned: what its variables point to is no leak
// expect: leak=ok
// options: --property leak
#include <stdlib.h>

static void set(char **place) { *place = malloc(1); }

int main(void) {
    char *kept = malloc(1), *set_elsewhere;
    set(&set_elsewhere);
    *kept = 1;
    exit(0);
}
