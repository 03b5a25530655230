// what: an input and an output in the register `a` are one register: after a failed compare-exchange the input has the value found
// expect: assert=violated
#include <assert.h>

static int place = 2;

int main(void) {
    int expected = 1, found, sum = 0;
    __asm__ volatile("lock; cmpxchgl %4, %1\n\tlock; addl %3, %2"
                     : "=a"(found), "+m"(place), "+m"(sum)
                     : "a"(expected), "r"(9)
                     : "memory");
    assert(found == 2 && place == 2);
    assert(sum == 1); //~ ASSERT
    return 0;
}
