// what: with --reuse-addresses malloc of 20 bytes may take a freed block of 24, and a smaller realloc may stay
// expect: assert=violated
// options: --reuse-addresses
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(24);
    uintptr_t old = (uintptr_t)a;
    free(a);
    char *b = malloc(20);
    assert((uintptr_t)b != old); //~ ASSERT
    char *c = realloc(b, 10);
    assert((uintptr_t)c != (uintptr_t)b); //~ ASSERT
    free(c);
    return 0;
}
