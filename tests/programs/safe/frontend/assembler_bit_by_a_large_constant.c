// what: the number of a bit that is a constant of the instruction counts modulo the operand's size
// expect: assert=ok memsafety=ok
#include <assert.h>

int main(void) {
    unsigned word = 0;
    __asm__ volatile("lock; btsl %1, %0" : "+m"(word) : "i"(40) : "memory");
    assert(word == 1u << 8);
    return 0;
}
