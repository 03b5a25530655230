// what: that fopen fails with ENOENT only is said as an assumption
// expect: assert=ok
// says: fopen that fails sets errno to ENOENT
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("data", "r");
    if (!file) assert(errno == ENOENT);
    return 0;
}
