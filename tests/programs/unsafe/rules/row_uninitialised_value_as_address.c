// what: an uninitialised value as an index is a memory fault
// expect: memsafety=violated
#include <stdlib.h>

static int table[4];

int main(void) {
    int *index = malloc(sizeof *index);
    int x = table[*index]; //~ MEMSAFETY
    free(index);
    return x;
}
