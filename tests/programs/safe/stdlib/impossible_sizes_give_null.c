// what: calloc of a product that overflows, and malloc of more than any object, give null
// expect: assert=ok
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    size_t huge = SIZE_MAX / 2 + 2;
    assert(calloc(huge, 2) == NULL);
    assert(malloc(SIZE_MAX - 4) == NULL);
    assert(reallocarray(NULL, huge, 4) == NULL);
    return 0;
}
