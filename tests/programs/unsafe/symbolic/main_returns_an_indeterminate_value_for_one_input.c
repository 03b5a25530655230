// what: the value that main returns is indeterminate for one of all inputs of 32 bits
// expect: memsafety=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <raddle.h>

int main(void) { //~ MEMSAFETY
    int n = raddle_any_int(), code;
    if (n != 5) code = n;
    return code; //~ MEMSAFETY
}
