// what: on_exit handlers get the code and their argument; _exit runs none
// expect: assert=ok
// output: 5 argument\n
// exit: 9
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void last(int code, void *text) {
    printf("%d %s\n", code, (char *)text);
    fflush(stdout);
    _exit(9);
}

int main(void) {
    on_exit(last, "never");
    on_exit(last, "argument");
    return 5;
}
