// what: the second vprintf finds an argument list that the first has used up
// expect: memsafety=violated
#include <stdarg.h>
#include <stdio.h>

static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    vprintf(format, arguments); //~ MEMSAFETY
    va_end(arguments);
}

int main(void) {
    say("%d\n", 5);
    return 0;
}
