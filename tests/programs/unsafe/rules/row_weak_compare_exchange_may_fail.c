// what: a weak compare-exchange may fail although the value is the expected one
// expect: assert=violated
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
    int expected = 0;
    assert(atomic_compare_exchange_weak(&x, &expected, 1)); //~ ASSERT
    return 0;
}
