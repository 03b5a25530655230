// what: with --malloc-may-fail the unchecked result is null in some runs
// expect: memsafety=violated
// options: --malloc-may-fail
#include <stdlib.h>

int main(void) {
    int *a = malloc(sizeof *a);
    *a = 1; //~ MEMSAFETY
    free(a);
    return 0;
}
