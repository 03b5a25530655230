// what: sprintf writes more than the buffer holds
// expect: memsafety=violated
#include <stdio.h>

int main(void) {
    char buffer[4];
    sprintf(buffer, "%d", 12345); //~ MEMSAFETY
    return buffer[0];
}
