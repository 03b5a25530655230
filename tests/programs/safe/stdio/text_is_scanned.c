// what: the conversions of sscanf
// expect: assert=ok
// output: 2 12 -7\n3 31 15 9\n3 255 -5 123456789012\n2 300 -2\n3 word ; x\n1 abc 3\n1 2.50\n-1 0 1\n1\n
#include <stdarg.h>
#include <stdio.h>

static int scan(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsscanf(text, format, arguments);
    va_end(arguments);
    return n;
}

int main(void) {
    int a = 0, b = 0, n = 0;
    unsigned u = 0;
    long l = 0;
    long long ll = 0;
    short s = 0;
    signed char h = 0;
    char word[8] = "", set[8] = "", c = 0;
    double d = 0;
    printf("%d", scan("12 -7", "%d%d", &a, &b));
    printf(" %d %d\n", a, b);
    printf("%d", sscanf("0x1F 017 9", "%i %i %u", &a, &b, &u));
    printf(" %d %d %u\n", a, b, u);
    printf("%d", sscanf("ff -5 123456789012", "%x %ld %lld", &u, &l, &ll));
    printf(" %u %ld %lld\n", u, l, ll);
    printf("%d", sscanf("300 -2", "%hd %hhd", &s, &h));
    printf(" %d %d\n", s, h);
    printf("%d", sscanf("  word;x", "%4s%c%c", word, &c, set));
    printf(" %s %c %c\n", word, c, set[0]);
    printf("%d", sscanf("abc123", "%[a-c]%n", set, &n));
    printf(" %s %d\n", set, n);
    printf("%d", sscanf("2.5kg", "%lfkg", &d));
    printf(" %.2f\n", d);
    printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("1,2", "%d,%*d", &a));
    printf("%d\n", sscanf("50%", "%d%%", &a));
    return 0;
}
