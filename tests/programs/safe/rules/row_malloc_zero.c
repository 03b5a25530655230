// what: malloc(0) is unique, not null, and may be freed
// expect: assert=ok
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(0), *b = malloc(0);
    assert(a && b && a != b);
    free(a);
    free(b);
    return 0;
}
