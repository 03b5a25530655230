// what: the number of a bit that is a constant of the instruction counts modulo the operand's size; only a register's leads to other words
// expect: assert=violated memsafety=ok
// why: `bts $67, m32` sets bit 67 mod 32 of the addressed word
#include <assert.h>

int main(void) {
    unsigned words[4] = {0, 0, 0, 0};
    __asm__ volatile("lock; btsl %1, %0" : "+m"(words) : "i"(67) : "memory");
    assert(words[2] == 8); //~ ASSERT
    return 0;
}
