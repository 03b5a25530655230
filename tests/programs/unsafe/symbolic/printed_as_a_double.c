// what: %f takes a double, and an int is given
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    printf("%f\n", 5); //~ MEMSAFETY
    return 0;
}
