// what: a function pointer carries a mark in its lowest bit, which is taken off before the call
// expect: assert=ok memsafety=ok
#include <assert.h>
#include <stdint.h>

static int next(int x) { return x + 1; }

int main(void) {
    uintptr_t marked = (uintptr_t)next + 1;
    assert(marked & 1);
    int (*function)(int) = (int (*)(int))(marked - 1);
    assert(function(1) == 2);
    return 0;
}
