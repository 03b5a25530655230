// what: abs and div of all widths, the environment, qsort with a context
// expect: assert=ok
// output: -3 -1 -3 2 14 2\n3 4 5\n1\n3 2 1\n-12 123456789012 0.125 2.50\n-9 255\n
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int order(const void *a, const void *b, void *sign) { return (*(const int *)a - *(const int *)b) * *(int *)sign; }

int main(void) {
    div_t d = div(-7, 2);
    ldiv_t l = ldiv(17, -5);
    lldiv_t ll = lldiv(100, 7);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
    printf("%d %ld %lld\n", abs(-3), labs(4), llabs(-5));
    printf("%d\n", getenv("RADDLE_IS_NOT_SET") == NULL);
    int values[] = {3, 1, 2}, sign = -1;
    qsort_r(values, 3, sizeof *values, order, &sign);
    printf("%d %d %d\n", values[0], values[1], values[2]);
    printf("%ld %lld %.3f %.2f\n", atol("-12"), atoll("123456789012"), atof("0.125"), strtof("2.5", NULL));
    printf("%jd %ju\n", strtoimax("-9", NULL, 10), strtoumax("ff", NULL, 16));
    return 0;
}
