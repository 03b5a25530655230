// what: %p reads more bytes than the int that is given
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    printf("%p\n", 3); //~ MEMSAFETY
    return 0;
}
