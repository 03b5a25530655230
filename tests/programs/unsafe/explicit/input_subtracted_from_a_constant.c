// what: one of four thousand million inputs breaks the assertion, others overflow
// expect: assert=violated overflow=violated
// engines: explicit
// why: 10 - x overflows for the ten least ints, and is 3 for x = 7 only
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int distance = 10 - x; //~ OVERFLOW
    int near = distance == 3;
    assert(!near); //~ ASSERT
    return 0;
}
