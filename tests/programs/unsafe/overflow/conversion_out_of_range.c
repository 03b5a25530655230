// what: a double that no int can represent is converted: undefined (C11 6.3.1.4); the program goes on with some value
// expect: overflow=violated assert=ok
// explicit: all=unknown (the result is any value of its type)
#include <assert.h>

static int to_int(double x) { return (int)x; } //~ OVERFLOW

int main(void) {
    volatile int y = to_int(1e20);
    int z = y == 0 ? 1 : 2;
    assert(z == 1 || z == 2);
    return 0;
}
