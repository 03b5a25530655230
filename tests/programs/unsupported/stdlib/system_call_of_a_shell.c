// what: system starts another process
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
#include <stdlib.h>

int main(void) {
    return system("true"); //~ UNSUPPORTED
}
