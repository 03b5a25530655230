// what: -1 << 1 is undefined for every amount, although the product is representable
// expect: overflow=violated
// why: C11 6.5.7: the base must not be negative
#include <assert.h>

int main(void) {
    volatile int base = -1;
    int twice = base << 1; //~ OVERFLOW
    assert(twice == -2);
    return 0;
}
