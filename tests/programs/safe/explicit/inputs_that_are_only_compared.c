// what: wide inputs that are compared, switched over and subtracted from a constant
// expect: assert=ok
// engines: explicit
// proved: explicit
// options: --havoc sysconf_like --property assert
// why: from each test on, only the outcome counts; one input of each kind is tried
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);
int sysconf_like(int name);

int main(void) {
    int kind = 0, size = 1;
    long x = __VERIFIER_nondet_long();
    if (8192 < x) size = 2;
    int y = __VERIFIER_nondet_int();
    if (y == 123456789) kind = 1;
    int z = __VERIFIER_nondet_int();
    switch (z) {
    case -1: kind |= 2; break;
    case 7: case 8: kind |= 4; break;
    case 1000000: kind |= 6; break;
    }
    int n = sysconf_like(1);
    if (n == 4096) kind |= 8;
    unsigned u = __VERIFIER_nondet_int();
    if (10 - u < 3) kind |= 16;
    int first = __VERIFIER_nondet_int();
    if (first > 5) {
        __VERIFIER_assume(first < 3); /* contradicts */
        kind = 99;
    }
    assert(size <= 2 && kind <= 31);
    return 0;
}
