// what: a character that was pushed back is what fread reads next
// expect: assert=ok
// why: ISO C 7.21.7.10: pushed-back characters are returned by subsequent reads
#include <assert.h>
#include <stdio.h>

int main(void) {
    char c = 0;
    assert(ungetc('a', stdin) == 'a');
    assert(fread(&c, 1, 1, stdin) == 1 && c == 'a');
    return 0;
}
