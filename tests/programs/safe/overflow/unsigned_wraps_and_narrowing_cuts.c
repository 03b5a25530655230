// what: unsigned arithmetic wraps, narrow types are computed as int, and conversion cuts: no overflow
// expect: assert=ok
#include <assert.h>
#include <limits.h>

int main(void) {
    unsigned u = UINT_MAX;
    signed char c = 127;
    unsigned char b = 255;
    u++;
    c++;
    b += 2;
    short s = (short)(30000 + 30000);
    assert(u == 0 && c == -128 && b == 1 && s == -5536);
    assert((int)(0u - 1u) == -1);
    return 0;
}
