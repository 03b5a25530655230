// what: an empty inline assembler with a memory clobber is only a barrier for the compiler
// expect: assert=ok
#include <assert.h>

static int x;
int main(void) {
    x = 1;
    __asm__ volatile("" ::: "memory");
    assert(x == 1);
    return 0;
}
