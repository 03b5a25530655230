// what: the ranges of the other random functions
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srandom(1);
    srand48(1);
    long a = lrand48(), b = mrand48();
    double c = drand48();
    assert(a >= 0 && a <= 2147483647l);
    assert(b >= -2147483647l - 1 && b <= 2147483647l);
    assert(c >= 0.0 && c < 1.0);
    return 0;
}
