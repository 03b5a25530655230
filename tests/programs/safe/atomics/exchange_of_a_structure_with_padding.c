// what: the padding of an atomic structure does not count when it is compared
// expect: assert=ok memsafety=ok
#include <assert.h>
#include <stdatomic.h>

struct small { char a, b, c; };
struct mixed { char a; int b; };

int main(void) {
    _Atomic struct small shared;
    struct small first = {1, 2, 3}, next = {4, 5, 6};
    atomic_init(&shared, first);
    struct small expected = first;
    assert(atomic_compare_exchange_strong(&shared, &expected, next));
    assert(!atomic_compare_exchange_strong(&shared, &expected, next));
    _Atomic struct mixed other;
    struct mixed m;
    m.a = 1;
    m.b = 2;
    atomic_init(&other, m);
    assert(atomic_compare_exchange_strong(&other, &m, m));
    return 0;
}
