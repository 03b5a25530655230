// what: strtol and its kin, atoi, sscanf
// expect: assert=ok
// output: -12 abc\n31 15 1295\n4294967295 18446744073709551615\n9223372036854775807 1\n77 0 2.75\n4 10 32 hello !\n
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *end;
    long a = strtol(" -12abc", &end, 10);
    printf("%ld %s\n", a, end);
    printf("%ld %ld %ld\n", strtol("0x1f", NULL, 0), strtol("017", NULL, 0), strtol("zz", NULL, 36));
    printf("%lu %llu\n", strtoul("4294967295", NULL, 10), strtoull("18446744073709551615", NULL, 10));
    errno = 0;
    long long big = strtoll("99999999999999999999", NULL, 10);
    printf("%lld %d\n", big, errno == ERANGE);
    printf("%d %d %.2f\n", atoi("77x"), atoi("x"), strtod("2.75", NULL));
    int x, y, n;
    char word[8], c;
    n = sscanf("10:0x20 hello!", "%d:%x %5s%c", &x, (unsigned *)&y, word, &c);
    printf("%d %d %d %s %c\n", n, x, y, word, c);
    return 0;
}
