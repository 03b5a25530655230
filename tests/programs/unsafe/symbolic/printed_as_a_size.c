// what: %zu reads more bytes than the int that is given
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    printf("%zu\n", 3); //~ MEMSAFETY
    return 0;
}
