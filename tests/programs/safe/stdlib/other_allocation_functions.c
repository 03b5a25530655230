// what: memalign (also with an alignment that is no power of two), valloc and the usable size
// expect: assert=ok
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *a = memalign(128, 10), *b = valloc(10), *c = malloc(24);
    assert((uintptr_t)a % 128 == 0 && (uintptr_t)b % 4096 == 0);
    assert(malloc_usable_size(c) >= 24);
    void *d = memalign(48, 10);
    assert(d != NULL && (uintptr_t)d % 64 == 0);
    free(d);
    free(a);
    free(b);
    free(c);
    return 0;
}
