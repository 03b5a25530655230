// what: the number of a pointer, read through a union, is the address that the block really has
// expect: assert=violated
#include <assert.h>
#include <raddle.h>
#include <stdlib.h>

int main(void) {
    union {
        int *pointer;
        unsigned long number;
    } first, second;
    int large = raddle_any_bool();
    first.pointer = malloc(4);
    if (large) second.pointer = malloc(8);
    else second.pointer = malloc(4);
    if (large) assert(second.number - first.number > (1ul << 40)); //~ ASSERT
    return 0;
}
