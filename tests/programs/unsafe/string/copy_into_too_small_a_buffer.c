// what: strcpy of seven bytes into six
// expect: memsafety=violated
#include <string.h>

int main(void) {
    char small[6];
    strcpy(small, "raddle"); //~ MEMSAFETY
    return small[0];
}
