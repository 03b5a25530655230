// what: free gets an address inside an object
// expect: memsafety=violated
#include <stdlib.h>

int main(void) {
    char *p = malloc(8);
    free(p + 4); //~ MEMSAFETY
    return 0;
}
