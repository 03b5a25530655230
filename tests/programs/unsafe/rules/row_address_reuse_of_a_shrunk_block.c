// what: with --reuse-addresses a smaller realloc may stay where it is, with its content
// expect: assert=violated
// options: --reuse-addresses
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(40);
    a[3] = 7;
    uintptr_t old = (uintptr_t)a;
    char *b = realloc(a, 10);
    if (b[3] != 7) abort();
    assert((uintptr_t)b != old); //~ ASSERT
    free(b);
    return 0;
}
