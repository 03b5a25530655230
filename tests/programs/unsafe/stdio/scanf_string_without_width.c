// what: any word may come, also one that is too long
// expect: memsafety=violated
// explicit: skip (input without end: rule 9)
#include <stdio.h>

int main(void) {
    char word[3];
    if (scanf("%s", word) != 1) return 0; //~ MEMSAFETY
    return word[0];
}
