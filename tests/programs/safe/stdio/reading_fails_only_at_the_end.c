// what: that reading fails at the end only is said as an assumption
// expect: assert=ok
// says: reading a stream fails only at its end
// why: ISO C 7.21.7.1: EOF at the end or after an error; with a closed standard input feof is 0
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (getchar() == EOF) assert(feof(stdin));
    return 0;
}
