// what: the result of malloc is thrown away, and the process ends by exit
// expect: leak=violated
// engines: explicit stateless
// options: --property leak
// why: what nobody will read again is no pointer of the program
#include <stdlib.h>

int main(void) {
    malloc(sizeof(int)); //~ leak
    exit(0);
}
