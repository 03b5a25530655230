// what: a value that was never set is printed
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    int value;
    printf("%d\n", value); //~ MEMSAFETY
    return 0;
}
