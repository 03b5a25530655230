// what: -1.0 has no value of unsigned type; -0.5 has, it is 0
// expect: overflow=violated
// explicit: all=unknown (the result is any value of its type)
#include <assert.h>

static unsigned to_unsigned(double x) {
    return (unsigned)x; //~ OVERFLOW
}

int main(void) {
    assert(to_unsigned(-0.5) == 0);
    return to_unsigned(-1.0) == 7;
}
