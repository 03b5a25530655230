// what: constructors run before main, in the order of their priority
// expect: assert=ok
// output: first 0\nsecond 1\nthird 2\nmain 3\n
#include <stdio.h>

static int stage;
__attribute__((constructor(200))) static void second(void) { printf("second %d\n", stage++); }
__attribute__((constructor(150))) static void first(void) { printf("first %d\n", stage++); }
__attribute__((constructor)) static void third(void) { printf("third %d\n", stage++); }

int main(void) {
    printf("main %d\n", stage);
    return 0;
}
