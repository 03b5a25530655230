// what: the first index is constrained and the second is not: the fault is at the second
// expect: memsafety=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <raddle.h>

static int table[3];
int main(void) {
    unsigned first = raddle_any_uint();
    raddle_assume(first < 3);
    table[first] = 1;
    unsigned second = raddle_any_uint();
    table[second] = 1; //~ MEMSAFETY
    return 0;
}
