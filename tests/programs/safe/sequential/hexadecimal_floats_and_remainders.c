// what: strtod of hexadecimal numbers, and fmod
// expect: assert=ok
// output: 10 0.1 -1.5 255 x\n1 -1 0.3 4.94066e-324 0\n
// exit: 0
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *end, *none;
    double a = strtod("0xAp0", 0), b = strtod("0x1.999999999999ap-4", 0), c = strtod("-0X.CP1", 0);
    double d = strtod("0xffx", &end);
    errno = 0;
    double most = strtod("0x1p1024", 0);
    assert(errno == ERANGE && most > 1e308 && strtod("0x", &none) == 0 && *none == 'x');
    printf("%g %g %g %g %s\n", a, b, c, d, end);
    double e = fmod(7, 3), f = fmod(-7, 3), g = fmod(5.3, 1), h = fmod(5e-324 * 7, 5e-324 * 3), i = fmod(6, 3);
    assert(f < 0 && fmodf(5.5f, 2.0f) == 1.5f && fmod(1e300, 7) < 7 && fmod(1, INFINITY) == 1);
    errno = 0;
    assert(isnan(fmod(1, 0)) && errno == EDOM && isnan(fmod(INFINITY, 1)));
    printf("%g %g %.1f %g %g\n", e, f, g, h, i);
    return 0;
}
