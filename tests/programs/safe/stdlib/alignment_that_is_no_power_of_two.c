// what: aligned_alloc with an alignment that is no power of two fails or rounds it up: both are handled
// expect: assert=ok
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    volatile size_t alignment = 24;
    errno = 0;
    int *block = aligned_alloc(alignment, 48);
    if (block == NULL) {
        assert(errno == EINVAL);
        return 0;
    }
    assert((uintptr_t)block % 32 == 0);
    block[11] = 1;
    free(block);
    return 0;
}
