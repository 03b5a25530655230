// what: a list of arguments is read again after vsnprintf has read it, without va_copy
// expect: memsafety=violated
// why: C11 7.16p3: the list is indeterminate after the function has used va_arg on it
#include <stdarg.h>
#include <stdio.h>

static char first[20], second[20];
static void print(int count, ...) {
    va_list list;
    va_start(list, count);
    vsnprintf(first, 20, "%d", list);
    vsnprintf(second, 20, "%d", list); //~ MEMSAFETY
    va_end(list);
}

int main(void) {
    print(2, 10, 20);
    return 0;
}
