// what: a heap object is read after it was freed
// expect: memsafety=violated
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 3;
    free(p);
    return *p; //~ MEMSAFETY
}
