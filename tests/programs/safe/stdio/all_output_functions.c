// what: the less common output functions
// expect: assert=ok
// output: 10;x;10;x;10 5\nmade-7 6\nabc\nfour\n5\nend\n
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void all(const char *format, ...) {
    char text[16];
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stdout, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    vsprintf(text, format, arguments);
    va_end(arguments);
    fputs(text, stdout);
    va_start(arguments, format);
    int n = vsnprintf(text, 3, format, arguments);
    va_end(arguments);
    printf("%s %d\n", text, n);
}

int main(void) {
    char *text;
    setbuf(stdout, NULL);
    setvbuf(stdout, NULL, _IONBF, 0);
    all("%d;%c;", 10, 'x');
    int n = asprintf(&text, "%s-%d", "made", 7);
    printf("%s %d\n", text, n);
    free(text);
    fputc('a', stdout);
    putc('b', stdout);
    putchar_unlocked('c');
    putc_unlocked('\n', stdout);
    printf("%d\n", (int)fwrite("four\n", 1, 5, stdout));
    fputs_unlocked("end\n", stdout);
    dprintf(2, "%s\n", "on the error stream");
    perror("perror");
    return 0;
}
