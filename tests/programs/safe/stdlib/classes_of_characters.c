// what: the remaining functions of ctype.h
// expect: assert=ok
// output: 62 2 94 26 26 128 72\n
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int alnum = 0, blank = 0, graph = 0, lower = 0, upper = 0, ascii = 0;
    for (int c = -1; c < 256; c++) {
        alnum += !!(isalnum)(c);
        blank += !!(isblank)(c);
        graph += !!(isgraph)(c);
        lower += !!(islower)(c);
        upper += !!(isupper)(c);
        ascii += !!isascii(c);
    }
    printf("%d %d %d %d %d %d %d\n", alnum, blank, graph, lower, upper, ascii, toascii(200));
    return 0;
}
