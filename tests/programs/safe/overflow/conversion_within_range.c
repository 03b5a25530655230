// what: conversions at the limits of the integer types are no overflow
// expect: overflow=ok assert=ok
#include <assert.h>
#include <limits.h>

static int to_int(double x) { return (int)x; }
static unsigned char to_byte(float x) { return (unsigned char)x; }
static long long to_long(double x) { return (long long)x; }

int main(void) {
    assert(to_int(2147483647.9) == INT_MAX);
    assert(to_int(-2147483648.9) == INT_MIN);
    assert(to_byte(255.5f) == 255);
    assert(to_long(-9223372036854775808.0) == LLONG_MIN);
    return 0;
}
