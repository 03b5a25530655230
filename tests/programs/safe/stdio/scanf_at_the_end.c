// what: where scanf says EOF, the stream is at its end or has failed; at the end nothing more is read
// expect: assert=ok
// explicit: all=unknown (a number that is read has 2^64 values)
#include <assert.h>
#include <stdio.h>

int main(void) {
    int x = 0;
    if (getchar() == EOF && feof(stdin)) assert(scanf("%d", &x) == EOF);
    else if (scanf("%d", &x) == EOF) assert(feof(stdin) || ferror(stdin));
    return 0;
}
