// what: the bits of floats as integers and back, classes of floats by the macros of math.h, vectors seen as numbers
// expect: assert=ok
// exit: 0
#include <assert.h>
#include <math.h>
#include <string.h>

typedef unsigned char bytes __attribute__((vector_size(4)));
typedef float pair __attribute__((vector_size(8)));

volatile double large = 1e308, tiny = 1e-310;
volatile float minus_zero = -0.0f;
volatile unsigned one = 0x3f800000, number = 0x01020304;

static float float_of(unsigned bits) {
    union { float f; unsigned u; } both;
    both.u = bits;
    return both.f;
}

static unsigned long bits_of(double value) {
    unsigned long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

int main(void) {
    assert(float_of(one) == 1.0f);
    assert(bits_of(float_of(one)) == 0x3ff0000000000000);

    double infinite = large * 10, none = infinite - infinite;
    assert(isinf(infinite) && !isinf(large) && isinf(-infinite));
    assert(isnan(none) && !isnan(infinite));
    assert(isfinite(large) && !isfinite(none));
    assert(isnormal(large) && !isnormal(tiny) && !isnormal(minus_zero));
    assert(signbit(minus_zero) && !signbit(large));
    assert(fpclassify(tiny) == FP_SUBNORMAL && fpclassify(minus_zero) == FP_ZERO);
    assert(fpclassify(infinite) == FP_INFINITE && fpclassify(none) == FP_NAN && fpclassify(large) == FP_NORMAL);

    bytes part = (bytes)number;
    assert(part[0] == 4 && part[3] == 1);
    bytes turned = {part[3], part[2], part[1], part[0]};
    assert((unsigned)turned == 0x04030201);
    pair both = {float_of(one), 2};
    assert((unsigned long)both == 0x400000003f800000);
    return 0;
}
