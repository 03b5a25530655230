// what: glibc before 2.38 rounds an alignment that is no power of two up, and newer ones fail: neither can be relied on
// expect: assert=violated
#include <assert.h>
#include <stdlib.h>

int main(void) {
    volatile size_t alignment = 24;
    assert(aligned_alloc(alignment, 48) == NULL); //~ ASSERT
    return 0;
}
