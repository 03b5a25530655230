// what: longjmp to an enclosing frame, with values, from a nested call
// expect: assert=ok
// output: 0 0\n7 1\n1 2\n
#include <setjmp.h>
#include <stdio.h>

static jmp_buf here;
static void deep(int n) {
    if (n == 0) longjmp(here, 7);
    deep(n - 1);
}

int main(void) {
    volatile int tries = 0;
    int value = setjmp(here);
    printf("%d %d\n", value, tries);
    if (tries == 0) {
        tries = 1;
        deep(3);
    } else if (tries == 1) {
        tries = 2;
        longjmp(here, 0);
    }
    return value - 1;
}
