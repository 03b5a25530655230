// what: blocks of one of two branches lie near the others, as the numbers read through a union show
// expect: assert=ok
#include <assert.h>
#include <raddle.h>
#include <stdlib.h>

int main(void) {
    union {
        int *pointer;
        unsigned long number;
    } first, second;
    first.pointer = malloc(4);
    if (raddle_any_bool()) second.pointer = malloc(8);
    else second.pointer = malloc(4);
    assert(second.number - first.number < (1ul << 40));
    return 0;
}
