// what: an address becomes an integer and comes back
// expect: assert=ok
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    uintptr_t number = (uintptr_t)p;
    assert(number != 0 && number % sizeof(int) == 0);
    int *q = (int *)(number ^ 0);
    *q = 4;
    assert(*p == 4);
    free(p);
    return 0;
}
