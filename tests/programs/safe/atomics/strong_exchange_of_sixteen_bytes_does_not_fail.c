// what: a strong compare-exchange of 16 bytes succeeds when the value is the expected one, and else gives the value
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <stdatomic.h>

struct pair { long long a, b; };
static _Atomic struct pair shared;

int main(void) {
    struct pair expected = {0, 0}, desired = {1, 2};
    assert(atomic_compare_exchange_strong(&shared, &expected, desired));
    assert(!atomic_compare_exchange_strong(&shared, &expected, desired));
    assert(expected.a == 1 && expected.b == 2);
    while (!atomic_compare_exchange_weak(&shared, &expected, ((struct pair){3, 4})));
    struct pair last = atomic_load(&shared);
    assert(last.a == 3 && last.b == 4);
    return 0;
}
