// what: the exact functions of math.h
// expect: assert=ok
// output: 0 0 0 0 0\n-0 -0 -0 -0 0\n0 1 0 1 0.5\n-1 -0 -0 -1 0.5\n1 2 1 2 1.5\n-2 -1 -1 -2 1.5\n2 3 2 2 2.25\n-3 -2 -2 -3 2.75\n1e+18 1e+18 1e+18 1e+18 1e+18\n4.5036e+15 4.5036e+15 4.5036e+15 4.5036e+15 4.5036e+15\n-2 1.5 3.5 -1.5\n-3 -2 -2 -3 2.5\n2 -2 -2.5 1 -1\n
#include <math.h>
#include <stdio.h>

int main(void) {
    double values[] = {0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.25, -2.75, 1e18, 4503599627370495.5};
    for (int i = 0; i < 10; i++) {
        volatile double x = values[i];
        printf("%g %g %g %g %g\n", floor(x), ceil(x), trunc(x), round(x), fabs(x));
    }
    volatile double a = 1.5, b = -2.0;
    volatile float f = -2.5f;
    printf("%g %g %g %g\n", fmin(a, b), fmax(a, b), fdim(a, b), copysign(a, b));
    printf("%g %g %g %g %g\n", floorf(f), ceilf(f), truncf(f), roundf(f), fabsf(f));
    printf("%ld %lld %g %g %g\n", lround(a), llround(b), fminf(f, 1), fmaxf(f, 1), copysignf(1, f));
    return 0;
}
