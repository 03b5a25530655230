// what: printf returns the number of characters that it wrote
// expect: assert=ok
// output: abc\n
#include <assert.h>
#include <stdio.h>

int main(void) {
    int written = printf("abc\n");
    assert(written == 4);
    return 0;
}
