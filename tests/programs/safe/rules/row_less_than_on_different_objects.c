// what: comparing addresses of different objects is no fault, and total
// expect: assert=ok
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(4), *b = malloc(4);
    assert((a < b) + (b < a) == 1 && !(a < a) && a <= a);
    assert(a + 1 > a && a + 4 >= a);
    free(a);
    free(b);
    return 0;
}
