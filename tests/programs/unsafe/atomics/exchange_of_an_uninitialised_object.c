// what: a compare-exchange of an object of which no byte was ever written
// expect: memsafety=violated
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
    _Atomic int *shared = malloc(sizeof *shared);
    int expected = 0;
    atomic_compare_exchange_strong(shared, &expected, 1); //~ MEMSAFETY
    free(shared);
    return 0;
}
