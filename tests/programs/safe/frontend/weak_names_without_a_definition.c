// what: weak declarations that no input defines are null
// expect: assert=ok
// why: so the linker does it; programs ask for optional parts in this way
// output: absent\n
// exit: 0
#include <assert.h>
#include <stdio.h>
extern int optional_part(int) __attribute__((weak));
extern int optional_object __attribute__((weak));
extern int present(int) __attribute__((weak));
int present(int x) { return x + 1; }
static int (*table[])(int) = {optional_part, present};

int main(void) {
    int *object = &optional_object;
    assert(table[0] == 0 && table[1](1) == 2);
    if (optional_part) return optional_part(1);
    if (object) return *object;
    puts("absent");
    return 0;
}
