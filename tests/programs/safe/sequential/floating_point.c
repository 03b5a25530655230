// what: doubles and floats: arithmetic, comparison, conversion, infinity and NaN
// expect: assert=ok
// output: 0.30000000000000004 0\n16777216.0 16777217.0\n3 -3 200\n1 0 1 1\n1e+10 1e-10 1.234568e+04 0x1p-1\n18446744073709551616 0\n
#include <stdio.h>

int main(void) {
    double a = 0.1, b = 0.2, zero = 0.0;
    float f = 16777216.0f;
    printf("%.17g %d\n", a + b, a + b == 0.3);
    printf("%.1f %.1f\n", f + 1.0f, (double)f + 1.0);
    printf("%d %d %d\n", (int)3.99, (int)-3.99, (int)(unsigned char)200.7);
    double infinite = 1.0 / zero, nan = zero / zero;
    printf("%d %d %d %d\n", infinite > 1e308, nan == nan, nan != nan, -zero == zero);
    printf("%g %g %e %a\n", 1e10, 1e-10, 12345.678, 0.5);
    unsigned long long big = 18446744073709551615ull;
    printf("%.0f %d\n", (double)big, (long long)9007199254740993ll == (long long)(double)9007199254740993ll);
    return 0;
}
