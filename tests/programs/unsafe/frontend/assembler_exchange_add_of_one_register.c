// what: an exchange-and-add of a register with itself doubles it
// expect: assert=violated
// why: the processor writes the source first and then the sum into the destination
#include <assert.h>

int main(void) {
    int a = 5;
    __asm__ volatile("xaddl %0, %0" : "+r"(a));
    assert(a == 5); //~ ASSERT
    return 0;
}
