// what: a branch depends on heap bytes that were never written
// expect: memsafety=violated
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p), result = 0;
    p[0] = 1;
    if (p[1]) result = 1; //~ MEMSAFETY
    free(p);
    return result;
}
