// what: an object of up to eight bytes is lock-free where an aligned word holds it, as in libatomic
// expect: assert=ok
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

extern bool is_lock_free(size_t, const volatile void *) __asm__("__atomic_is_lock_free");

int main(void) {
    _Alignas(8) char bytes[16];
    for (size_t size = 0; size <= 8; size++) assert(is_lock_free(size, bytes));
    assert(is_lock_free(3, bytes + 1) && is_lock_free(4, bytes + 2) && is_lock_free(2, bytes + 3));
    assert(!is_lock_free(4, bytes + 6) && !is_lock_free(8, bytes + 1) && !is_lock_free(2, bytes + 7));
    assert(!is_lock_free(24, bytes));
    return 0;
}
