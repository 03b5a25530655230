// what: getchar is any character or the end, and the end stays
// expect: assert=ok
#include <assert.h>
#include <stdio.h>

int main(void) {
    int c = getchar();
    assert(c >= -1 && c <= 255);
    if (c == EOF) assert(feof(stdin) && getchar() == EOF);
    return 0;
}
