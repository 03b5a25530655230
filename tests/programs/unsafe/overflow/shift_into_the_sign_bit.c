// what: 1 << 31 of an int is not representable; LLVM's shift has no sign
// expect: overflow=violated
// why: C11 6.5.7: for a signed base the product with a power of two must be representable
#include <assert.h>

int main(void) {
    volatile int amount = 31;
    int mask = 1 << amount; //~ OVERFLOW
    assert(mask == -2147483647 - 1); // it wraps, and the run goes on
    return 0;
}
