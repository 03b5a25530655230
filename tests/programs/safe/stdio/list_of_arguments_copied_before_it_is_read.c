// what: the same with va_copy
// expect: assert=ok memsafety=ok
// output: 10 10\n
// exit: 0
#include <stdarg.h>
#include <stdio.h>

static char first[20], second[20];
static void print(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    vsnprintf(first, 20, "%d", list);
    vsnprintf(second, 20, "%d", again);
    va_end(again);
    va_end(list);
}

int main(void) {
    print(2, 10, 20);
    printf("%s %s\n", first, second);
    return 0;
}
