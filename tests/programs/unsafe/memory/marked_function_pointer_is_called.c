// what: a function pointer is called with the mark in its lowest bit
// expect: memsafety=violated
#include <stdint.h>

static int next(int x) { return x + 1; }

int main(void) {
    uintptr_t marked = (uintptr_t)next + 1;
    int (*function)(int) = (int (*)(int))marked;
    return function(1) == 2; //~ MEMSAFETY
}
