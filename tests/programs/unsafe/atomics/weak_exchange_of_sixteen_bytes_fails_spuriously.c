// what: a weak compare-exchange of 16 bytes may fail though the value is the expected one
// expect: assert=violated
#include <assert.h>
#include <stdatomic.h>

struct pair { long long a, b; };
static _Atomic struct pair shared;

int main(void) {
    struct pair expected = {0, 0}, desired = {1, 2};
    assert(atomic_compare_exchange_weak(&shared, &expected, desired)); //~ ASSERT
    return 0;
}
