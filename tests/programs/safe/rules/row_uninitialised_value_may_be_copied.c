// what: copying an uninitialised value is no fault
// expect: assert=ok
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pair { int set, unset; };

int main(void) {
    struct pair *a = malloc(sizeof *a), b, c;
    a->set = 1;
    b = *a;
    memcpy(&c, &b, sizeof c);
    free(a);
    assert(c.set == 1);
    return 0;
}
