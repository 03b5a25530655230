// what: variable arguments of several types, copied lists, more than fit in registers
// expect: assert=ok
// output: 1055\n88\n42-text-z\n10\n
#include <stdarg.h>
#include <stdio.h>

static long long total(const char *types, ...) {
    va_list arguments, again;
    long long sum = 0;
    va_start(arguments, types);
    va_copy(again, arguments);
    for (const char *t = types; *t; t++) {
        if (*t == 'i') sum += va_arg(arguments, int);
        else if (*t == 'l') sum += va_arg(arguments, long long);
        else if (*t == 'd') sum += (long long)va_arg(arguments, double);
        else sum += *va_arg(arguments, const char *);
    }
    if (*types == 'i') sum += 1000 * va_arg(again, int);
    va_end(again);
    va_end(arguments);
    return sum;
}

static int print(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vprintf(format, arguments);
    va_end(arguments);
    return n;
}

int main(void) {
    printf("%lld\n", total("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%lld\n", total("ldsldi", 5ll, 2.5, "A", 6ll, 3.9, 7));
    int n = print("%d-%s-%c\n", 42, "text", 'z');
    print("%d\n", n);
    return 0;
}
