// what: thread-local variables in a program of one thread
// expect: assert=ok
// output: 16 aXc 1\n
#include <stdio.h>

static _Thread_local int counter = 5;
__thread char name[4] = "abc";
static int *address(void) { return &counter; }

int main(void) {
    counter++;
    *address() += 10;
    name[1] = 'X';
    printf("%d %s %d\n", counter, name, address() == &counter);
    return 0;
}
