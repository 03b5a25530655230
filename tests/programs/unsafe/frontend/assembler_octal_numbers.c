// what: a number in assembler that begins with 0 is octal, as in C
// expect: assert=violated
#include <assert.h>

static int x, words[4];

int main(void) {
    __asm__ volatile("lock; addl $010, %0" : "+m"(x) : : "memory");
    __asm__ volatile("lock; addl $1, 010(%0)" : : "r"(words) : "memory");
    assert(words[2] == 1);
    assert(x != 8); //~ ASSERT
    return 0;
}
