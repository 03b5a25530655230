// what: exit with a code, deep inside; what follows is not reached
// expect: assert=ok
// output: 
// exit: 7
#include <assert.h>
#include <stdlib.h>

int main(void) {
    volatile int broken = 1;
    if (broken) exit(7);
    assert(0);
}
