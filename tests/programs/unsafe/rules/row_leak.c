// what: the last pointer to a heap object is lost
// expect: leak=violated
// options: --property leak
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    p = NULL;
    return p != NULL;
}
