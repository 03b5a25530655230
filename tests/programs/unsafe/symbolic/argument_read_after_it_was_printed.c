// what: va_arg after a vprintf that has used the argument list up
// expect: memsafety=violated
#include <stdarg.h>
#include <stdio.h>

static int say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    int read = va_arg(arguments, int); //~ MEMSAFETY
    va_end(arguments);
    return read;
}

int main(void) {
    say("%d\n", 5);
    return 0;
}
