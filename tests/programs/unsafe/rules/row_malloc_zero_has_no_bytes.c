// what: an object of size 0 has no byte to write
// expect: memsafety=violated
#include <stdlib.h>

int main(void) {
    char *a = malloc(0);
    a[0] = 1; //~ MEMSAFETY
    free(a);
    return 0;
}
