// what: an input that is tied to an output is the same register: read after the output was written, it has the new value
// expect: assert=violated
#include <assert.h>

int main(void) {
    int value = 1, out, sum = 0;
    __asm__ volatile("incl %0\n\tlock; addl %2, %1" : "=r"(out), "+m"(sum) : "0"(value) : "memory");
    assert(out == 2);
    assert(sum == 1); //~ ASSERT
    return 0;
}
