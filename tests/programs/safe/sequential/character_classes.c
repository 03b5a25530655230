// what: the functions of ctype.h over all of ASCII
// expect: assert=ok
// output: 52 10 6 32 22 95 26 33 qQ\n
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int counts[8] = {0};
    for (int c = 0; c < 128; c++) {
        counts[0] += !!isalpha(c);
        counts[1] += !!isdigit(c);
        counts[2] += !!isspace(c);
        counts[3] += !!ispunct(c);
        counts[4] += !!isxdigit(c);
        counts[5] += !!isprint(c);
        counts[6] += toupper(c) != c;
        counts[7] += !!iscntrl(c);
    }
    for (int i = 0; i < 8; i++) printf("%d ", counts[i]);
    printf("%c%c\n", tolower('Q'), toupper('q'));
    return 0;
}
