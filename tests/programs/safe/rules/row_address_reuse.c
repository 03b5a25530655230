// what: a freed address is not given out again by default
// expect: assert=ok
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(16);
    uintptr_t old = (uintptr_t)a;
    free(a);
    char *b = malloc(16);
    assert((uintptr_t)b != old);
    free(b);
    return 0;
}
