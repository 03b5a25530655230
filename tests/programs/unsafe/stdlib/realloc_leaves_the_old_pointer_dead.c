// what: the old address is used after realloc
// expect: memsafety=violated
#include <stdlib.h>

int main(void) {
    int *a = malloc(4 * sizeof *a);
    a[0] = 1;
    int *b = realloc(a, 8 * sizeof *b);
    b[0] = 2;
    int stale = a[0]; //~ MEMSAFETY
    free(b);
    return stale;
}
