// what: after a memory fault nothing more is seen of the run
// expect: memsafety=violated
#include <assert.h>
#include <stddef.h>

int main(void) {
    int *volatile p = NULL;
    int x = *p; //~ MEMSAFETY
    assert(x == 12345);
    return 0;
}
