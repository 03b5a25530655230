// what: inline assembler adds a variable to memory; its text begins like that of a fence
// expect: assert=violated
#include <assert.h>

static int x;

int main(void) {
    int more = 3;
    __asm__ volatile("lock; addl %1, %0" : "+m"(x) : "r"(more) : "memory");
    assert(x == 3);
    __asm__ volatile("lock; addl %0, %1" : : "r"(more), "m"(x) : "memory");
    assert(x != 6); //~ ASSERT
    return 0;
}
