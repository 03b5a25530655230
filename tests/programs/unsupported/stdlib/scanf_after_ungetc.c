// what: scanf of any input after ungetc: which conversion reads the character is not modelled
// expect: assert=unknown
// options: --property assert
#include <stdio.h>

int main(void) {
    char d = 0;
    ungetc('b', stdin);
    return scanf("%c", &d) != 1; //~ UNSUPPORTED
}
