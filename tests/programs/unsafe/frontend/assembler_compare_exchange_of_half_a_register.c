// what: a compare-exchange of 32 bits that succeeds leaves the upper half of the accumulator alone
// expect: assert=violated
// why: the processor writes the accumulator only where the comparison fails
#include <assert.h>

static unsigned place = 7;

int main(void) {
    unsigned long expected = 0xffffffff00000007ul;
    __asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(expected), "+m"(place) : "r"(9u) : "memory");
    assert(place == 9);
    assert(expected == 7); //~ ASSERT
    return 0;
}
