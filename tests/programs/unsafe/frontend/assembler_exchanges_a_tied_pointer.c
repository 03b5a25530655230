// what: assembler exchanges a pointer by the number of an input that is tied to an output; the output is what was in memory
// expect: assert=violated
// why: an input with the constraint "1" is in the register of output 1, so what the exchange leaves there is the output
#include <assert.h>

static int first, second;

int main(void) {
    int *place = &first, *before;
    __asm__ volatile("xchgq %2, %0" : "+m"(place), "=r"(before) : "1"(&second) : "memory");
    assert(place == &second);
    assert(before == &second); //~ ASSERT
    return 0;
}
