// what: with --reuse-addresses malloc may pick the freed block
// expect: assert=violated
// options: --reuse-addresses
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(16);
    uintptr_t old = (uintptr_t)a;
    free(a);
    char *b = malloc(16);
    assert((uintptr_t)b != old); //~ ASSERT
    free(b);
    return 0;
}
