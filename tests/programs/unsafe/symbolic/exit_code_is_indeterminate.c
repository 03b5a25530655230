// what: the code given to exit is indeterminate on one path
// expect: memsafety=violated
#include <raddle.h>
#include <stdlib.h>

int main(void) {
    int code;
    if (raddle_any_bool()) code = 1;
    exit(code); //~ MEMSAFETY
}
