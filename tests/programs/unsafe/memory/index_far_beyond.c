// what: an index of hundreds of megabytes is out of bounds, not an access to another object
// expect: memsafety=violated
#include <stdlib.h>

int main(void) {
    char *p = calloc(1, 16), *q = calloc(1, 16);
    long far = q - p;
    p[far] = 5; //~ MEMSAFETY
    return *q;
}
