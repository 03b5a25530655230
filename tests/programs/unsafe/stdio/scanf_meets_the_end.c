// what: scanf that meets the end of the input sets the end-of-file indicator
// expect: assert=violated
// explicit: all=unknown (a number that is read has 2^64 values)
// why: the input may be a number without a newline, or empty (ISO C 7.21.6.2, 7.21.7.1)
#include <assert.h>
#include <stdio.h>

int main(void) {
    int x = 0;
    scanf("%d", &x);
    assert(!feof(stdin)); //~ ASSERT
    return 0;
}
