// what: a negative index
// expect: memsafety=violated
#include <stdlib.h>

int main(void) {
    char *block = calloc(4, 1);
    int index = -1;
    char c = block[index]; //~ MEMSAFETY
    free(block);
    return c;
}
