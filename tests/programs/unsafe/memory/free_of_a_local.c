// what: free gets the address of a local
// expect: memsafety=violated
#include <stdlib.h>

int main(void) {
    int local = 1;
    int *p = &local;
    free(p); //~ MEMSAFETY
    return 0;
}
