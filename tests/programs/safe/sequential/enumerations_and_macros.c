// what: enumerations with gaps, macros with arguments, pasting and strings
// expect: assert=ok
// output: green blue none 10\n
#include <stdio.h>

#define LIST(X) X(red, 1) X(green, 4) X(blue, 9)
#define ENTRY(name, value) colour_##name = value,
enum colour { LIST(ENTRY) colour_last };
#define TEXT(name, value) case colour_##name: return #name;
static const char *text(enum colour c) {
    switch (c) { LIST(TEXT) default: return "none"; }
}

int main(void) {
    printf("%s %s %s %d\n", text(colour_green), text(colour_blue), text(colour_last), colour_last);
    return 0;
}
