// what: quick_exit runs its handlers and not those of atexit
// expect: assert=ok
// output: quick\n
// exit: 4
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void normal(void) { puts("normal"); }
static void quick(void) {
    puts("quick");
    fflush(stdout);
}

int main(void) {
    atexit(normal);
    at_quick_exit(quick);
    quick_exit(4);
}
