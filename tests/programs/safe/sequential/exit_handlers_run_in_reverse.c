// what: atexit handlers run in reverse order, also when exit is called deep inside
// expect: assert=ok
// output: one\ntwo\none\n
// exit: 3
#include <stdio.h>
#include <stdlib.h>

static void one(void) { printf("one\n"); }
static void two(void) { printf("two\n"); }
static void deep(int n) {
    if (n == 0) exit(3);
    deep(n - 1);
}

int main(void) {
    atexit(one);
    atexit(two);
    atexit(one);
    deep(4);
    return 0;
}
