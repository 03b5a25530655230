// what: two cleanup paths free the same object
// expect: memsafety=violated
#include <stdlib.h>

int main(void) {
    void *p = malloc(8), *q = p;
    free(p);
    free(q); //~ MEMSAFETY
    return 0;
}
